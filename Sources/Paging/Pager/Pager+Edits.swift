// Edits are applied to whatever the source says, so none is lost when a page is dropped, read again or refreshed.
extension Pager {
  /// Changes a row at once, until the source says the same.
  ///
  /// The change is applied to each copy of the item that the source brings, as long as the edit lasts; an item that
  /// is not loaded is changed when it comes. Edits of one item are applied in the order in which they were given.
  /// Nothing is loaded for an edit. Showing it costs the page of the row, not the list.
  ///
  /// - Parameters:
  ///   - id: The item's identity.
  ///   - change: What to change. It is called on any thread whenever the row's page is made anew, and must neither
  ///     block nor use the pager, whose lock is held. A change that gives the item another identity has no effect.
  /// - Returns: The edit, to be confirmed or rolled back. It is refused where 1,000 edits are open.
  @discardableResult
  public func edit(_ id: Item.ID, _ change: @escaping @Sendable (inout Item) -> Void) -> PagingEdit<Item> {
    core.edit(SoughtItem(id, of: Item.self), .patch(RowPatch(change)))
  }

  /// Hides a row at once, until a refresh after the confirmation.
  ///
  /// - Parameter id: The item's identity.
  /// - Returns: The edit, to be confirmed or rolled back. It is refused where 1,000 edits are open.
  @discardableResult
  public func remove(_ id: Item.ID) -> PagingEdit<Item> {
    core.edit(SoughtItem(id, of: Item.self), .removal)
  }

  /// Shows a row at once that the source doesn't have yet, until a refresh after the confirmation.
  ///
  /// Where the source has an item of that identity loaded, that one shows, and the inserted one does not. After a
  /// ``remove(_:)`` of the same item, this moves it.
  ///
  /// - Parameters:
  ///   - item: The item, with an identity of its own.
  ///   - point: Where it goes.
  /// - Returns: The edit, to be confirmed or rolled back. It is refused where 1,000 edits are open.
  @discardableResult
  public func insert(_ item: Item, at point: InsertionPoint<Item.ID>) -> PagingEdit<Item> {
    let place: EditOverlay.Point =
      switch point {
      case .start: .start
      case .end: .end
      case .before(let id): .before(SoughtItem(id, of: Item.self))
      case .after(let id): .after(SoughtItem(id, of: Item.self))
      }
    return core.edit(SoughtItem(item.id, of: Item.self), .insertion(row: PageBox([item]), at: place))
  }

  /// Changes a row at once, confirms that when `commit` returns, and takes it back when `commit` throws.
  ///
  /// `commit` runs exactly once. Where the edit is refused, since 1,000 are open or the pager is closed, it runs all
  /// the same: the row then shows the change when the source brings it.
  ///
  /// - Parameters:
  ///   - id: The item's identity.
  ///   - change: What to change, as for ``edit(_:_:)``.
  ///   - commit: What makes the change on the server. It runs where it was called from.
  /// - Returns: What `commit` returns.
  /// - Throws: What `commit` throws, cancellation too.
  public func edit<Result>(
    _ id: Item.ID, _ change: @escaping @Sendable (inout Item) -> Void, commit: () async throws -> Result
  ) async rethrows -> Result {
    let edit = edit(id, change)
    do {
      let result = try await commit()
      edit.confirm()
      return result
    } catch {
      edit.rollback()
      throw error
    }
  }
}

extension PagerCore {
  func edit(_ item: SoughtItem, _ change: EditOverlay.Change) -> PagingEdit<Item> {
    var given: UInt64?
    perform { state, now in
      let (edit, actions) = state.editGiven(item, change, now: now)
      given = edit
      return actions
    }
    guard let edit = given else { return PagingEdit() }
    return PagingEdit { [weak self] in self?.end(edit, $0) }
  }

  private func end(_ edit: UInt64, _ ending: PagingEdit<Item>.Ending) {
    switch ending {
    case .confirmed(let item):
      let replacement = item.map { (row: PageBox([$0]) as PageNode, item: SoughtItem($0.id, of: Item.self)) }
      perform { $0.editConfirmed(edit, as: replacement, now: $1) }
    case .rolledBack: perform { $0.editRolledBack(edit, now: $1) }
    }
  }
}

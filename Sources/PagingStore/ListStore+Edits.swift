extension ListStore {
  /// Changes an item here, before the server knows.
  ///
  /// It shows at once, wherever the item does, and outlives the app and a power cut once this returns. Pages that come
  /// don't wipe it: they go under it. With JSON only the members that changed are kept, so what the server changes in
  /// the others shows. A later edit of the same members takes the place of one that nobody began to send; of one that
  /// is being sent it never does.
  ///
  /// - Parameters:
  ///   - id: The item's ID.
  ///   - type: Its type.
  ///   - intent: The app's word for what is to be sent, for ``pendingEdits()`` after a restart.
  ///   - change: Makes the change, on the calling thread; may run more than once where others write at the same time.
  ///     Changing the ID is an error.
  /// - Returns: The edit, to be told how sending it went.
  /// - Throws: ``ListStoreError``; `notFound` for an item that isn't stored or was deleted, `coding` where it can't be
  ///   encoded or has got another ID.
  @discardableResult
  public func edit<Item: StoredItem>(
    _ id: Item.ID, of type: Item.Type = Item.self, intent: String, _ change: (inout Item) -> Void
  ) throws(ListStoreError) -> LocalEdit {
    let coder = config.coder
    let named = try core.edit(try ItemKey(id), kind: Item.storedKind, intent: intent, isJSON: coder.isJSON) {
      bytes throws(ListStoreError) in
      var item = try coder.decode(Item.self, from: bytes)
      let before = item.id
      change(&item)
      guard item.id == before else {
        throw ListStoreError(
          .coding, message: "An edit must not change an item's ID: confirm(as:) does that for creations.")
      }
      return try coder.encode(item)
    }
    return EditKeeper(core: core, coder: coder).edit(named)
  }

  /// What is still to be sent, the first made first: edits and creations that are queued, were being sent when the app
  /// ended, or failed. Those that the server has confirmed are not among them.
  ///
  /// - Throws: ``ListStoreError``.
  public func pendingEdits() throws(ListStoreError) -> [LocalEdit] {
    let keeper = EditKeeper(core: core, coder: config.coder)
    return try core.pendingEdits().map { keeper.edit($0) }
  }
}

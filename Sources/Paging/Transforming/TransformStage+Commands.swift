/// Which item of the content above stands behind an identity that no loaded row has.
enum SoughtSource<Input: Identifiable & Sendable>: Sendable where Input.ID: Sendable {
  case item(Input.ID)
  /// Nothing tells.
  case unknown
}

extension TransformStage {
  func refresh(from origin: RefreshOrigin) -> PagingCommand { upstream.refresh(from: origin) }
  func retry(_ type: LoadType?) -> PagingCommand { upstream.retry(type) }
  func load(_ type: LoadType) -> PagingCommand { upstream.load(type) }

  func jump(toIndex index: Int) -> PagingCommand {
    let snapshot = snapshot
    guard snapshot.indices.contains(index), let (rows, _) = baseRows(of: index..<index + 1, in: snapshot) else {
      return upstream.jump(toIndex: indexAbove(ofRowOutside: index, snapshot))
    }
    return upstream.jump(toIndex: rows.lowerBound)
  }

  /// A row outside the list is as far from its end above as here.
  private func indexAbove(ofRowOutside index: Int, _ snapshot: PagingSnapshot<Output>) -> Int {
    guard index >= snapshot.count, let base = snapshot.body.base else { return index }
    let end = base.placeholdersBefore + base.tree.rowCount + (Transform.leavesRowsOut ? 0 : base.placeholdersAfter)
    let (sum, overflows) = end.addingReportingOverflow(index - snapshot.count)
    return overflows ? Int.max : sum
  }

  func jump(toItem id: Output.ID) -> PagingCommand {
    let snapshot = snapshot
    if let index = snapshot.index(ofItem: id) {
      guard let item = itemAbove(ofRowAt: index, in: snapshot) else { return .ended() }
      return upstream.jump(toItem: item)
    }
    guard case .item(let item) = source(id) else { return .ended(PagingError.itemNotFoundAmongRows) }
    // What is loaded above and not shown was left out.
    if let base = snapshot.body.base as? SnapshotBody<Input>, PagingSnapshot(base).index(ofItem: item) != nil {
      return .ended(PagingError.itemLeftOut)
    }
    return upstream.jump(toItem: item)
  }

  /// The item above that a loaded row comes from; nil for a row that was put in.
  private func itemAbove(ofRowAt index: Int, in snapshot: PagingSnapshot<Output>) -> Input.ID? {
    guard let (rows, base) = baseRows(of: index..<index + 1, in: snapshot), let row = rows.first else { return nil }
    return PagingSnapshot(base)[row].item?.id
  }
}

extension PagingCommand {
  /// A command that has ended already, well or with an error.
  fileprivate static func ended(_ error: (any Error)? = nil) -> PagingCommand {
    let outcome = Outcome()
    outcome.finish(error)
    return PagingCommand(outcome)
  }
}

extension PagingError {
  fileprivate static var itemNotFoundAmongRows: PagingError {
    PagingError(
      .itemNotFound,
      message: "No loaded row has this identity, and a transformed list can't tell which item it comes from; "
        + "jump with the item's own identity on the content that was transformed.")
  }

  fileprivate static var itemLeftOut: PagingError {
    PagingError(.itemNotFound, message: "The item is loaded, but the transformation leaves it out.")
  }
}

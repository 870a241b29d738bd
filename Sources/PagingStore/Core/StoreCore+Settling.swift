extension StoreCore {
  /// What an answer means for what waits beside a list's order: created items that it brought have their place now, and
  /// after a page of the head nothing is left of the server's count of newer items.
  func settle(
    _ list: ListRecord, after request: MergeRequest, _ outcome: MergePlan.Outcome, _ transaction: WriteTransaction,
    _ change: inout StoreChange
  ) throws(ListStoreError) {
    guard outcome.refusal == nil else { return }
    let connection = transaction.connection
    for item in try connection.sending.items(in: list.number) {
      guard try connection.order(of: list.number).entry(of: item) != nil else { continue }
      try connection.sending.remove(item, in: list.number)
      change.noteTop(of: list.number)
    }
    if request.kind == .head, list.newerHint != nil {
      try connection.lists.setNewerHint(nil, of: list.number)
      change.noteTop(of: list.number)
    }
  }
}

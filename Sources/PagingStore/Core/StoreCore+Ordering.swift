extension StoreCore {
  /// What the merger is told of a list besides its order.
  ///
  /// - Parameter sequence: The sequence number of the transaction, or of the last one before a question that leaves
  ///   now.
  func moment(
    of list: ListRecord, named name: ListName, at sequence: Int64, on connection: Connection
  ) throws(ListStoreError) -> MergeMoment {
    MergeMoment(
      epoch: list.epoch, sequence: sequence, headSequence: list.headSequence,
      subscription: subscriptions.current(of: name),
      held: try connection.heldItems(of: list.number))
  }

  /// Lets the merger plan an event of a list, applies what it answers, and notes what that changes for readers.
  ///
  /// Where there is no room between positions, they are spread out and the event is planned once more.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - name: What it goes by.
  ///   - change: Gets the list's change.
  ///   - plan: Plans the event.
  /// - Returns: What the event amounted to.
  func reorder(
    _ list: ListRecord, named name: ListName, in transaction: WriteTransaction, change: inout StoreChange,
    plan make: (ListOrder, MergeMoment, inout MergeNumbers) throws(ListStoreError) -> MergePlan
  ) throws(ListStoreError) -> MergePlan.Outcome {
    let order = transaction.connection.order(of: list.number)
    let moment = try moment(of: list, named: name, at: transaction.sequence, on: transaction.connection)
    var noted = ListChange()
    var plan = try make(order, moment, &transaction.numbers)
    noted.note(plan.writes, runs: try order.runs())
    try lowerMark(of: list, before: plan.writes, in: order, &change)
    try order.apply(plan.writes)
    if plan.needsSecondPlan {
      plan = try make(order, moment, &transaction.numbers)
      noted.note(plan.writes, runs: try order.runs())
      try lowerMark(of: list, before: plan.writes, in: order, &change)
      try order.apply(plan.writes)
    }
    guard !noted.isEmpty else { return plan.outcome }
    change.lists[list.number] = change.lists[list.number]?.folded(noted) ?? noted
    change.names.insert(name)
    try transaction.connection.lists.bumpVersion(list.number)
    return plan.outcome
  }

  /// Where new rows wait and the newest shown one leaves its place, the next below takes its part: what comes in its
  /// stead waits too. Where none is left, what comes then is shown, with all that waited.
  private func lowerMark(
    of list: ListRecord, before writes: [OrderWrite], in order: ListOrder, _ change: inout StoreChange
  ) throws(ListStoreError) {
    // It may have been spread out with the rows.
    guard list.shownPosition != nil, let mark = try order.connection.lists.find(list.number)?.shownPosition else {
      return
    }
    var leaving: Set<Position> = []
    var brings = false
    for write in writes {
      switch write {
      case .remove(let position): leaving.insert(position)
      case .move(let position, _, _):
        leaving.insert(position)
        brings = true
      case .insert: brings = true
      default: break
      }
    }
    guard leaving.contains(mark) else { return }
    var top = try order.entry(below: mark)
    while let row = top, leaving.contains(row.position) { top = try order.entry(below: row.position) }
    guard top != nil || brings else { return }
    try order.connection.lists.setShown(top?.position, of: list.number)
    if top == nil { change.noteTop(of: list.number) }
  }
}

extension StoredList {
  /// Asks the remote for one page of what is missing in a gap; the gap narrows or closes.
  ///
  /// The rows that are shown stay where they are. At one edge one request runs at a time: who asks for it meanwhile
  /// gets its answer. A gap that is no more needs no request.
  ///
  /// - Parameters:
  ///   - gap: The gap, as a row of this list shows it.
  ///   - side: From which of its ``Gap/fillableSides``. A reader who came from above wants ``GapSide/above``.
  /// - Returns: What changed in the list.
  /// - Throws: ``ListStoreError/Code/noRemote`` where the list has no remote, or it can't be asked from that side;
  ///   `PagingError.cursorExpired` where nothing leads on from there any more; what the remote throws.
  @discardableResult
  public func fill(_ gap: Gap, from side: GapSide) async throws -> MergeOutcome {
    guard let asker else { throw ListStoreError.noRemoteToFill }
    guard let known = try core.runs(of: id), known.list == gap.list,
      let lower = known.runs.firstIndex(where: { $0.number == gap.id }), lower > 0
    else { return MergeOutcome() }
    let upper = known.runs[lower - 1]
    if side == .above, upper.older.state == .serverEnd { throw ListStoreError.cannotAskThere }
    let edge = side == .above ? EdgeName(run: upper.number, side: .older) : EdgeName(run: gap.id, side: .newer)
    return try await asker.ask(beyond: edge, size: pagers.pageSize).outcome
  }

  /// How the list's remote can be asked at an edge without a token.
  ///
  /// - Parameter item: The row at the edge.
  func ways(beside item: Item.ID?) -> RemoteWays {
    guard let remote else { return ways }
    if case .ranked = policy.order.kind { return RemoteWays() }
    // A key that can't be written is said where the edge is asked.
    let token = item.flatMap { try? remote.tokenAround($0) }
    return RemoteWays(
      around: token != nil, newerThan: remote.newerThan != nil, walkedPages: ListAsker<Item>.walkedPages)
  }
}

extension ListStoreError {
  static var noRemoteToFill: ListStoreError {
    ListStoreError(
      .noRemote,
      message: "The list has no remote to fill a gap from: make it with list(_:policy:remote:), or apply pages.")
  }
}

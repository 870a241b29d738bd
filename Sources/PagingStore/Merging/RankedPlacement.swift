/// Places a page of a session: what is new goes below all else, what is known stays, nothing is missed.
enum RankedPlacement {
  /// The placement. Only a list without rows takes a head page, and only the older edge is continued.
  static func place<Order: OrderReading>(
    _ clean: CleanPage, for request: MergeRequest, base: Run?, in draft: OrderDraft<Order>
  ) throws(ListStoreError) -> Placement {
    var result = Placement()
    let isBlank = draft.runs.allSatisfy(\.isEmpty)
    guard request.kind == .older || (request.kind == .head && isBlank) else {
      result.refusal = .needsReplacing
      return result
    }
    result.touched = Set(draft.runs.filter(\.isEmpty).map(\.number))
    if let base { result.touched.insert(base.number) }
    result.isHead = request.kind == .head
    var arrivals: [Arrival] = []
    for item in clean.items where try draft.stored(item) == nil { arrivals.append(Arrival(item: item)) }
    guard !arrivals.isEmpty else { return result }
    let upper = base.flatMap { $0.isEmpty ? nil : $0.low }
    let lower = try upper.flatMap { position throws(ListStoreError) in try draft.row(below: position)?.position }
    result.stretches = [Stretch(arrivals: arrivals, upper: upper, lower: lower, isJoinedAbove: true)]
    return result
  }
}

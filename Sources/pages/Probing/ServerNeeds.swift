/// What a server must have to answer as it did: the parts that each style needs.
enum ServerNeeds {
  /// The parts, in the order of the table of styles.
  static func implied(by seen: ProbeObservations) -> [String] {
    let style = PagingStyle(seen)
    let ids = Set(seen.findings.map(\.id))
    var needs: [String] = []
    switch style.kind {
    case .pageNumbers, .offset, .hiddenOffset:
      needs.append("offset: a count to skip and a limit; what a page costs grows with its depth")
    case .cursor, .keyset, .search:
      needs.append(
        "cursor and keyset: an index on the sort key with a unique tie-breaker, an answer for an expired cursor")
    case .window, .whole, .unknown: break
    }
    if !ids.isDisjoint(with: ["refresh.reordered", "refresh.other"]) {
      needs.append("ranked: candidates, a ranking step, a record of what was shown; for sessions a store with expiry")
    }
    if ids.contains("entry.newer") {
      needs.append("new-items control: a cheap count of what is newer, or a pushed event")
    }
    if ids.contains("entry.window") || style.kind == .window {
      needs.append("anchored entry: a window around an ID with a cursor each way")
    }
    if ids.contains("total.known") {
      needs.append("placeholders: a count or the list of IDs first")
    }
    return needs
  }
}

// A row that two pages brought is shown once, on the page that had it first. The keys of the other one lead past it all
// the same: were it let go with its page, nothing would lead to it any more. So what every loaded page brought is in
// the list as long as the page is: a row that is shared stays when its page goes, on the page that is then at the edge.

/// Rows that a page brought and that were in the list already.
struct LeftOutRows: Sendable {
  /// On which side of the page they stand.
  let side: EdgeSide
  let hashes: [Int]
}

/// How many loaded pages brought a row that was in the list already, by the row's hash.
///
/// Two rows of one hash count as one: then a row may stay that need not.
struct SharedRows: Sendable {
  private var before: [Int: Int] = [:]
  private var after: [Int: Int] = [:]

  /// Whether a row stays when its page goes at one end.
  func contains(_ hash: Int, at side: EdgeSide) -> Bool {
    (side == .prepend ? before[hash] : after[hash]) != nil
  }

  /// A page came without these rows.
  mutating func add(_ rows: LeftOutRows?) { count(rows, by: 1) }

  /// That page went.
  mutating func remove(_ rows: LeftOutRows?) { count(rows, by: -1) }

  private mutating func count(_ rows: LeftOutRows?, by step: Int) {
    guard let rows else { return }
    for hash in rows.hashes {
      let count = ((rows.side == .prepend ? before[hash] : after[hash]) ?? 0) + step
      if rows.side == .prepend { before[hash] = count > 0 ? count : nil } else { after[hash] = count > 0 ? count : nil }
    }
  }
}

extension PageRecord {
  /// Rows of a page that has gone stand on this page now, behind so many of its own: 0, or all.
  mutating func tookRows(_ offsets: [Int], of gone: PageRecord?, after own: Int) {
    let shift = own == 0 ? offsets.count : 0
    var loads = Dictionary(uniqueKeysWithValues: (fresher ?? [:]).map { ($0.key + shift, $0.value) })
    for (place, offset) in offsets.enumerated() { loads[own + place] = gone?.fresher?[offset] ?? gone?.load }
    fresher = loads
  }
}

extension RowAccess {
  /// A page with rows of another at one end of its own.
  func joined(_ offsets: [Int], of page: PageNode, to edge: PageNode, at side: EdgeSide) -> PageNode {
    let handed = offsets.map { RowRecipe(page: page, offset: $0) }
    let own = hashes(of: edge).indices.map { RowRecipe(page: edge, offset: $0) }
    return self.page(of: side == .prepend ? handed + own : own + handed)
  }
}

/// How many rows are known to exist before the first loaded one and after the last.
///
/// With placeholders off both stay zero: rows that are dropped are then gone from the list.
struct Placeholders: Equatable {
  let isEnabled: Bool
  private(set) var before = 0
  private(set) var after = 0

  init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// The first page came.
  mutating func started(with page: OpaquePage) {
    guard isEnabled else { return }
    before = Self.known(page.itemsBefore) ?? 0
    after = Self.known(page.itemsAfter) ?? Self.rest(of: page) ?? 0
    if page.previousKey == nil { before = 0 }
    if page.nextKey == nil { after = 0 }
  }

  /// A page came before the first; `isEnd`: there is nothing before it.
  mutating func prepended(_ page: OpaquePage, isEnd: Bool) {
    guard isEnabled else { return }
    before = isEnd ? 0 : Self.known(page.itemsBefore) ?? max(0, before - page.count)
  }

  /// A page came after the last; `isEnd`: there is nothing after it.
  mutating func appended(_ page: OpaquePage, isEnd: Bool) {
    guard isEnabled else { return }
    after = isEnd ? 0 : Self.known(page.itemsAfter) ?? Self.rest(of: page) ?? max(0, after - page.count)
  }

  /// That many rows were let go at one end.
  mutating func dropped(_ rows: Int, at side: EdgeSide) {
    guard isEnabled else { return }
    switch side {
    case .prepend: before += rows
    case .append: after += rows
    }
  }

  /// The most rows that a side is taken to have, whatever the source says, so that no arithmetic overflows.
  private static var most: Int { Int(Int32.max) / 8 }

  private static func known(_ count: Int?) -> Int? {
    count.flatMap { $0 >= 0 ? min($0, most) : nil }
  }

  /// What an exact total leaves after a page whose position is known.
  private static func rest(of page: OpaquePage) -> Int? {
    guard let total = page.total, total.isExact, let before = known(page.itemsBefore) else { return nil }
    let (rest, overflows) = total.count.subtractingReportingOverflow(before)
    return overflows ? nil : min(most, max(0, rest - page.count))
  }
}

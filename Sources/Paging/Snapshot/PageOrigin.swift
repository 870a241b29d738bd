/// Where the rows of a page come from that a transformation made of another page.
final class PageOrigin: Sendable {
  /// Stands for no row.
  static let none = -1

  /// The page that it was made of.
  let source: PageNode
  /// For each row the offset in ``source`` of the one that it shows, ascending, or ``none`` for one that was put in;
  /// nil where each row shows the one at its own offset.
  let offsets: [Int]?
  /// The offsets of rows that stand for no row of the pager's, as separators do; ascending.
  let extras: [Int]
  /// What the transformation wants to know when it meets the page again.
  let detail: (any AnyObject & Sendable)?

  init(
    of source: PageNode, offsets: [Int]? = nil, extras: [Int] = [], detail: (any AnyObject & Sendable)? = nil
  ) {
    self.source = source
    self.offsets = offsets
    self.extras = extras
    self.detail = detail
  }

  /// The offset in ``source`` of the row that the one at `offset` shows; nil for one that was put in.
  func source(of offset: Int) -> Int? {
    guard let offsets else { return offset }
    return offsets[offset] == Self.none ? nil : offsets[offset]
  }
}

extension PageBox {
  /// Whether both rows were made of the same row of the same page.
  func shows(at offset: Int, theSameAs other: PageBox, at otherOffset: Int) -> Bool {
    guard let origin, let theirs = other.origin, origin.source === theirs.source,
      let row = origin.source(of: offset)
    else { return false }
    return row == theirs.source(of: otherOffset)
  }
}

/// A place in a list that is asked for by offset: how many rows precede it, and which rows are beside it.
///
/// ``OffsetPageSource`` makes them. One made by hand, to start somewhere, is a number: `OffsetKey<Int>(40)` or `40`.
public struct OffsetKey<ID: Hashable & Sendable>: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// How many rows preceded the place when the key was made; below zero counts as zero.
  public var offset: Int
  /// Rows that the client has on the near side of the place, in list order: those before it in a next key, those from
  /// it on in a previous key. Where they are now tells how far the list has moved. Beyond them may stand rows that were
  /// out of sight when the key was made, so that they don't come twice. May be empty; at most twice the source's
  /// overlap.
  public var overlap: [ID]
  /// The overlap rows are wanted, too, and are on the far side of the place: before it in a previous key, from it on in
  /// a next key. For a page that holds nothing but rows that came between them. Nil like false, so that it is not
  /// encoded.
  var isThroughOverlap: Bool?

  /// The place behind `offset` rows.
  ///
  /// - Parameters:
  ///   - offset: How many rows precede it.
  ///   - overlap: The rows beside it that the client has, in list order; default none.
  public init(_ offset: Int, overlap: [ID] = []) {
    self.offset = offset
    self.overlap = overlap
  }

  /// The place on the other side of rows that are wanted with what lies beyond them.
  init(through rows: [ID], to place: Int) {
    self.init(place, overlap: rows)
    isThroughOverlap = true
  }

  /// The place behind so many rows.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension OffsetKey: Codable where ID: Codable {}

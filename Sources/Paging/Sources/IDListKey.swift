/// A place in a list of IDs that was read whole.
///
/// A key that came with a page belongs to the list that the page was made of, and keeps that list in memory: it differs
/// from one that was made by hand, and from those of other readings. Coding a key leaves the list out.
public struct IDListKey<ID: Hashable & Sendable>: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// How many IDs are in front of the place.
  public var position: Int
  /// The item in the middle of the page that a refresh brings, wherever the list has it by then; nil: the page begins
  /// at the position.
  ///
  /// Where the list has it no more, the position is in the middle.
  public var item: ID?
  /// The list that the position is about; nil: whichever is read next.
  let list: IDListReading<ID>?

  /// A place in whichever list is read next.
  ///
  /// - Parameters:
  ///   - position: How many IDs are in front of it; outside the list counts as its nearest end.
  ///   - item: An item to load around; nil: none.
  public init(_ position: Int, around item: ID? = nil) {
    self.position = position
    self.item = item
    list = nil
  }

  /// A place by its position alone.
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  init(_ position: Int, in list: IDListReading<ID>) {
    self.position = position
    item = nil
    self.list = list
  }
}

extension IDListKey: Encodable where ID: Encodable {
  private enum CodingKeys: CodingKey {
    case position, item
  }

  /// Writes the position and the item.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(position, forKey: .position)
    try container.encodeIfPresent(item, forKey: .item)
  }
}

extension IDListKey: Decodable where ID: Decodable {
  private enum DecodingKeys: String, CodingKey {
    case position, item
  }

  /// Reads a place in whichever list is read next.
  ///
  /// - Throws: What the decoder throws where the position is missing or something is of another type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DecodingKeys.self)
    self.init(
      try container.decode(Int.self, forKey: .position), around: try container.decodeIfPresent(ID.self, forKey: .item))
  }
}

/// All IDs as they were read once, each of them once. Two readings are never equal.
final class IDListReading<ID: Hashable & Sendable>: Hashable, Sendable {
  let ids: [ID]

  /// The first of equal IDs keeps its place.
  init(_ ids: [ID]) {
    var seen = Set<ID>(minimumCapacity: ids.count)
    self.ids = ids.filter { seen.insert($0).inserted }
  }

  static func == (one: IDListReading, other: IDListReading) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What a store keeps: a value with an identity that can be encoded.
///
/// ```swift
/// struct Post: StoredItem {
///   let id: Int
///   var title: String
///   var isLiked = false
///   var version: Int64? { revision }
///   var revision: Int64
/// }
/// ```
///
/// An item is stored once, whatever lists it is in. What two servers call by one name needs two types, or an ID that
/// holds both names.
public protocol StoredItem: Identifiable, Codable, Sendable where ID: Codable & Sendable {
  /// The name under which items of this type are stored; the default is the type's name without its module.
  ///
  /// It must not change while stores with such items exist: set it before renaming a type. Two types with one name see
  /// each other's items.
  static var storedKind: String { get }

  /// Rises with every change on the server, where the server says; nil, the default: it doesn't.
  ///
  /// With versions a copy is fresher if its version is larger; without, if its request left later.
  var version: Int64? { get }

  /// The server's order, for lists with ``ListPolicy/Order/keyed``; nil, the default: only pages tell the order.
  ///
  /// A larger key is nearer the head. Items with equal keys are ordered by their IDs.
  var sortKey: ListSortKey? { get }
}

extension StoredItem {
  /// The type's name, without its module.
  public static var storedKind: String { String(describing: Self.self) }
  /// Unknown.
  public var version: Int64? { nil }
  /// Unknown.
  public var sortKey: ListSortKey? { nil }
}

/// Where a server puts an item in a list: a number, a text, or several of them.
///
/// Keys of one list should be of one shape. Where they aren't, numbers are smaller than texts, and a key that begins
/// another is smaller than that.
public struct ListSortKey: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// One field of a key.
  enum Part: Hashable, Sendable {
    case number(Int64)
    case text(String)
  }

  /// The fields, the most significant first.
  let parts: [Part]

  /// A text, compared by its UTF-8 bytes; one that spells a whole number, such as an ID "10", is compared as that
  /// number.
  public init(_ text: String) {
    parts = [.text(text)]
  }

  /// A number: a time in milliseconds, a serial number.
  public init(_ number: Int64) {
    parts = [.number(number)]
  }

  /// Several keys in one: the second decides where the first is equal, and so on.
  public init(_ keys: [ListSortKey]) {
    parts = keys.flatMap(\.parts)
  }

  /// A text.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// A number.
  public init(integerLiteral value: Int64) {
    self.init(value)
  }
}

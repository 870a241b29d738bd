/// What kind of key a source uses: for observers, in place of the key itself.
public struct KeyKind: RawRepresentable, Hashable, Sendable {
  /// The kind's name.
  public let rawValue: String

  /// A kind of one's own.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// How many rows precede the page.
  public static let offset = KeyKind(rawValue: "offset")
  /// The page's number; every page must then have the same size, so a first load is one page long.
  public static let pageNumber = KeyKind(rawValue: "pageNumber")
  /// An opaque token of the server's.
  public static let cursor = KeyKind(rawValue: "cursor")
  /// The sort key of a row.
  public static let keyset = KeyKind(rawValue: "keyset")
  /// A row's identity.
  public static let id = KeyKind(rawValue: "id")
  /// Anything else: the default.
  public static let other = KeyKind(rawValue: "other")
}

/// A place in a list that is read around an item and from there by cursors.
public struct AnchoredKey<Key: Hashable & Sendable, ID: Hashable & Sendable>: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    /// Around the first of these items that is there. Where none is: at the start, or a failure.
    case around([ID], orStart: Bool)
    case cursor(Key)
  }

  let place: Place

  init(_ place: Place) {
    self.place = place
  }

  /// The window around an item.
  public static func around(_ id: ID) -> AnchoredKey { AnchoredKey(.around([id], orStart: false)) }
  /// The page that a cursor names.
  public static func cursor(_ key: Key) -> AnchoredKey { AnchoredKey(.cursor(key)) }
}

extension AnchoredKey.Place: Encodable where Key: Encodable, ID: Encodable {}
extension AnchoredKey.Place: Decodable where Key: Decodable, ID: Decodable {}
extension AnchoredKey: Encodable where Key: Encodable, ID: Encodable {}
extension AnchoredKey: Decodable where Key: Decodable, ID: Decodable {}

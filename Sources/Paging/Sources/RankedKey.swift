/// A place in a ranked list: so many rows into a session.
///
/// A key that came with a page also belongs to the generation that the page was loaded for: it differs from one that
/// was made by hand, and keeps in memory which rows that generation was given. Coding a key leaves that out.
public struct RankedKey: Hashable, Codable, Sendable {
  /// The server's name for the session; nil where it has none.
  public var session: String?
  /// How many rows of the session are in front of the place.
  public var offset: Int
  /// What was delivered; nil: nothing that is known.
  private(set) var delivered: DeliveredReference?

  private enum CodingKeys: CodingKey {
    case session, offset
  }

  /// A place of a session, of which nothing was delivered yet.
  public init(session: String?, offset: Int) {
    self.session = session
    self.offset = offset
  }

  /// The start of a list whose session isn't there yet.
  static var start: RankedKey { RankedKey(session: nil, offset: 0) }

  /// The same place for those who keep it in what was delivered, or hand it to a server.
  var bare: RankedKey { RankedKey(session: session, offset: offset) }

  func belonging(to delivered: any AnyObject & Sendable) -> RankedKey {
    var key = self
    key.delivered = DeliveredReference(object: delivered)
    return key
  }
}

/// What a generation was given, whatever the type of its IDs. Equal only to itself.
struct DeliveredReference: Hashable, Sendable {
  let object: any AnyObject & Sendable

  static func == (one: DeliveredReference, other: DeliveredReference) -> Bool { one.object === other.object }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

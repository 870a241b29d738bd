/// What went wrong with a page that a server sent, or with a link to one; `message` says what to do about it.
///
/// What went wrong on the way there is thrown as the transport throws it. Messages name a URL's path only, never its
/// query, and no header; they may quote the first bytes of a body.
public struct HTTPPageError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, stable across releases.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The status of the reply is not one of success.
    public static let status = Code(rawValue: "status")
    /// The status is one of success, and the body says that the request failed, as GraphQL does.
    public static let refused = Code(rawValue: "refused")
    /// A reply of success without a body.
    public static let emptyBody = Code(rawValue: "emptyBody")
    /// The body is something else than JSON: a web page, mostly.
    public static let notJSON = Code(rawValue: "notJSON")
    /// The body is JSON that breaks off.
    public static let truncated = Code(rawValue: "truncated")
    /// A member that must be there is not, or is null.
    public static let missing = Code(rawValue: "missing")
    /// A member is of another type than was expected, or its value can't be read.
    public static let undecodable = Code(rawValue: "undecodable")
    /// The page's URL is of an origin that is not the source's and not allowed by name.
    public static let foreignOrigin = Code(rawValue: "foreignOrigin")
    /// The page's URL is none, or neither http nor https.
    public static let invalidURL = Code(rawValue: "invalidURL")
    /// Going back, fewer rows came than lie before the rows that are there.
    public static let shortPage = Code(rawValue: "shortPage")
    /// The reply says that there is more, in a way that the convention does not read.
    public static let unreadableNext = Code(rawValue: "unreadableNext")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do, for a developer's eyes.
  public let message: String
  /// The status of the reply; nil when nothing was sent.
  public let status: Int?
  /// The error underneath, if there is one. A decoding error may quote contents.
  public let cause: (any Error)?

  /// An error of that kind.
  public init(_ code: Code, message: String, status: Int? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.status = status
    self.cause = cause
  }

  /// The code and the message, on one line.
  public var description: String { "\(code.rawValue): \(message)" }
}

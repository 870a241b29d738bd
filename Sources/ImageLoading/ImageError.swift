/// Why a picture didn't come; `message` says what to do about it.
///
/// Cancellation is none of these: it is a `CancellationError`.
public struct ImageError: Error, Sendable, CustomStringConvertible {
  /// The stage that failed; more may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, stable across releases.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The request makes no sense: a scheme that nobody loads, a custom source without a loader.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
    /// The server can't be reached, or the transfer broke off; `cause` is the transport's error.
    public static let network = Code(rawValue: "network")
    /// The server answered with a status that brings no picture; ``ImageError/status`` has it.
    public static let status = Code(rawValue: "status")
    /// A file can't be read, or a custom loader failed.
    public static let source = Code(rawValue: "source")
    /// The bytes are no picture that can be decoded; `cause` is the decoder's error.
    public static let decoding = Code(rawValue: "decoding")
    /// A limit of ``ImageLoaderConfig/limits`` or of the response's size; the message says which.
    public static let limit = Code(rawValue: "limit")
    /// A transform threw; `cause` is its error.
    public static let transform = Code(rawValue: "transform")
    /// Only caches were to be asked, and they don't have it.
    public static let notCached = Code(rawValue: "notCached")
    /// The loader was closed.
    public static let closed = Code(rawValue: "closed")
  }

  /// The stage that failed.
  public let code: Code
  /// What happened and what to do, for a developer's eyes.
  public let message: String
  /// The server's status, where it answered with one that brings no picture.
  public let status: Int?
  /// The error underneath, if there is one.
  public let cause: (any Error)?
  /// How the sources before the last one failed, in their order, where a request has alternatives.
  public internal(set) var earlier: [ImageError] = []

  /// An error of that stage.
  public init(_ code: Code, message: String, status: Int? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.status = status
    self.cause = cause
  }

  /// The code and the message, on one line.
  public var description: String { "\(code.rawValue): \(message)" }
}

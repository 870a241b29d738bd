/// Why a picture can't be had from a file; `message` says what to do about it.
public struct ImageCodecError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, stable across releases.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// No decoder takes files like that, or none for that feature.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The file breaks the rules of its format.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The file ends too early.
    public static let truncated = Code(rawValue: "truncated")
    /// A limit of ``ImageLimits``; the message says which.
    public static let limit = Code(rawValue: "limit")
    /// The task was cancelled meanwhile. No failure: whoever cancelled doesn't wait.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do, for a developer's eyes.
  public let message: String

  /// An error of that kind.
  public init(_ code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message, on one line.
  public var description: String { "\(code.rawValue): \(message)" }
}

/// What went wrong with a page; `message` says what to do about it.
public struct PaginatorError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, stable across releases.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The key is empty, too long, or malformed by the validator's word. Nothing was done for it.
    public static let invalidKey = Code(rawValue: "invalidKey")
    /// The page size is below 1. Nothing was done for it.
    public static let invalidPageSize = Code(rawValue: "invalidPageSize")
    /// The key was good once and is no longer; see ``PaginatorError/nearestKey``.
    public static let expiredKey = Code(rawValue: "expiredKey")
    /// The source brought a page that was past its time already.
    public static let expiredPage = Code(rawValue: "expiredPage")
    /// The source brought a page that isn't the one asked for, or malformed by the validator's word.
    public static let malformedPage = Code(rawValue: "malformedPage")
    /// The source threw; see ``PaginatorError/cause``.
    public static let sourceFailed = Code(rawValue: "sourceFailed")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do, for a developer's eyes.
  public let message: String
  /// The error underneath, if there is one.
  public let cause: (any Error)?
  /// For an expired key, the nearest key that is still good: of the page that led to it, or of one further back. Nil
  /// where none is known.
  public var nearestKey: String?

  /// An error of that kind.
  public init(_ code: Code, message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The code and the message, on one line.
  public var description: String { "\(code.rawValue): \(message)" }

  /// A key in quotes for a message, cut where it is long.
  static func quoted(_ key: String) -> String {
    let shown = key.prefix(64)
    return shown.endIndex == key.endIndex ? "\"\(key)\"" : "\"\(shown)…\" (\(key.utf8.count) bytes)"
  }
}

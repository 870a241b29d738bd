/// What went wrong in `Loading`; `message` says what to do about it.
public struct LoadingError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, stable across releases.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A configuration value is out of its range, or contradicts another.
    public static let invalidConfig = Code(rawValue: "invalidConfig")
    /// The disk has no room left, or the user's quota is used up.
    public static let diskFull = Code(rawValue: "diskFull")
    /// The disk or its folder can't be read or written: permissions, a medium that is gone, a fault.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// A value is larger than all that the store may hold, or the store's policy lets nothing stay.
    public static let valueTooLarge = Code(rawValue: "valueTooLarge")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do, for a developer's eyes.
  public let message: String
  /// The error underneath, if there is one.
  public let cause: (any Error)?

  /// An error of that kind.
  public init(_ code: Code, message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The code and the message, on one line.
  public var description: String { "\(code.rawValue): \(message)" }
}

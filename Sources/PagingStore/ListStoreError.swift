/// What went wrong in a store; `message` says what to do about it.
public struct ListStoreError: Error, Sendable, CustomStringConvertible {
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
    /// The file is no SQLite database, or not one of ours.
    public static let notADatabase = Code(rawValue: "notADatabase")
    /// The file was written by a newer version of this library.
    public static let newerSchema = Code(rawValue: "newerSchema")
    /// The disk has no room left.
    public static let diskFull = Code(rawValue: "diskFull")
    /// Another process has held the file for longer than the busy timeout.
    public static let locked = Code(rawValue: "locked")
    /// The file or its folder can't be read or written: permissions, a medium that is gone, a fault.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// Pages of the file don't hold what they should; ``ListStore/recover(from:to:)`` saves what can be read.
    public static let damaged = Code(rawValue: "damaged")
    /// The list has no remote to ask, or its remote can't be asked that way.
    public static let noRemote = Code(rawValue: "noRemote")
    /// An item, a key or a token can't be encoded or decoded.
    public static let coding = Code(rawValue: "coding")
    /// There is no such item, edit, gap or list.
    public static let notFound = Code(rawValue: "notFound")
    /// The store broke a rule of its own; nothing was changed. Please report it.
    public static let internalFault = Code(rawValue: "internalFault")
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

/// A test asked a ``TestPager`` for what it can't do; `message` says what to do instead.
public struct TestPagerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Nothing was loaded yet.
    public static let notRefreshed = Code(rawValue: "notRefreshed")
    /// An anchor where there is no row.
    public static let anchorOutOfRange = Code(rawValue: "anchorOutOfRange")
    /// An item that is not among the loaded ones.
    public static let itemNotLoaded = Code(rawValue: "itemNotLoaded")
  }

  /// The kind of mistake.
  public let code: Code
  /// What is wrong and what to do, for a developer's eyes.
  public let message: String

  init(_ code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message, on one line.
  public var description: String { "\(code.rawValue): \(message)" }
}

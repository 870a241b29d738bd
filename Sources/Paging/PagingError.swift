/// What went wrong in paging; `message` says what to do about it.
///
/// A page source throws ``invalidated``, ``cursorExpired`` and, where it pages by offset, ``Code/drifted``; the other
/// codes are the pager's own, or say what is wrong with a source's own parameters. Whatever else a source throws is
/// shown as it is.
public struct PagingError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, stable across releases.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A configuration that contradicts itself, or a value out of its range.
    public static let contradictoryConfig = Code(rawValue: "contradictoryConfig")
    /// So many pages in a row showed nothing new that the load stopped.
    public static let emptyPages = Code(rawValue: "emptyPages")
    /// The source's keys go round in a circle.
    public static let keyCycle = Code(rawValue: "keyCycle")
    /// The source's data has changed so that this load makes no sense any more: a new generation is due.
    public static let invalidated = Code(rawValue: "invalidated")
    /// A cursor that was good once is no longer.
    public static let cursorExpired = Code(rawValue: "cursorExpired")
    /// A key that the source does not know.
    public static let invalidKey = Code(rawValue: "invalidKey")
    /// Rows moved so far under an offset that their place could not be found again: a pager refreshes around its
    /// anchor.
    public static let drifted = Code(rawValue: "drifted")
    /// A jump to a place for which the source knows no key.
    public static let unreachableTarget = Code(rawValue: "unreachableTarget")
    /// A jump to an item that was not found.
    public static let itemNotFound = Code(rawValue: "itemNotFound")
    /// The pager was closed.
    public static let closed = Code(rawValue: "closed")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do, for a developer's eyes; never with keys or contents.
  public let message: String
  /// The error underneath, if there is one.
  public let cause: (any Error)?

  /// An error of that kind.
  public init(_ code: Code, message: String = "", cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// What a source throws when its data changed under a load: the pager starts a new generation.
  public static var invalidated: PagingError {
    PagingError(.invalidated, message: "The data changed while it was loaded; a new generation is due.")
  }

  /// What a source throws when its cursor was good once and is no longer.
  public static var cursorExpired: PagingError {
    PagingError(.cursorExpired, message: "The cursor has expired; refresh to start again.")
  }

  /// Whether loading the same page again is of no use, and loading around the anchor is: rows that drifted out of an
  /// offset's reach are found again from there.
  var asksForRefresh: Bool { code == .invalidated || code == .drifted }

  /// The code and the message, on one line.
  public var description: String {
    message.isEmpty ? code.rawValue : "\(code.rawValue): \(message)"
  }
}

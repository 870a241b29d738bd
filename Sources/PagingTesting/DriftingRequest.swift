/// One question that a ``DriftingServer`` was asked.
public struct DriftingRequest: Hashable, Sendable, CustomStringConvertible {
  /// Which way of paging a request used; more may come.
  public struct View: RawRepresentable, Hashable, Sendable {
    /// The view's name.
    public let rawValue: String

    /// A view by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Rows by how many precede them.
    public static let offset = View(rawValue: "offset")
    /// Rows by the number of their page.
    public static let page = View(rawValue: "page")
    /// Rows at a cursor of the server's.
    public static let cursor = View(rawValue: "cursor")
    /// Rows before or after a sort key.
    public static let keyset = View(rawValue: "keyset")
    /// Rows around one of them.
    public static let around = View(rawValue: "around")
    /// The identities of all rows.
    public static let ids = View(rawValue: "ids")
    /// Rows by their identities.
    public static let items = View(rawValue: "items")
  }

  /// Which request it is, counted from 1 over all views.
  public let number: Int
  /// How it paged.
  public let view: View
  /// Where: the offset, the page number, the cursor; nil at the start of the list, and for views whose places are
  /// values of the client's.
  public let place: String?
  /// How many rows were asked for.
  public let limit: Int

  /// The rows that an offset request asked for; nil for other views.
  public var range: Range<Int>? {
    guard view == .offset, let offset = place.flatMap({ Int($0) }) else { return nil }
    let (end, overflows) = offset.addingReportingOverflow(max(0, limit))
    return offset..<(overflows ? .max : end)
  }

  /// The request in one line.
  public var description: String {
    "\(number). \(view.rawValue)\(place.map { " \($0)" } ?? ""), \(limit) rows"
  }
}

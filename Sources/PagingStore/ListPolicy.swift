/// What kind of list it is, and what is to happen when something new comes or is missing.
///
/// A policy isn't stored: a list that is opened with another one follows that from then on.
public struct ListPolicy: Hashable, Sendable {
  /// What decides the order of the rows.
  public struct Order: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case keyed, cursor, ids
      case ranked(Ranking)
    }

    let kind: Kind

    /// The items' own keys: ``StoredItem/sortKey``.
    public static let keyed = Order(kind: .keyed)
    /// The pages, which continue each other by tokens.
    public static let cursor = Order(kind: .cursor)
    /// The pages, in an order that each session makes anew.
    public static func ranked(_ kind: Ranking) -> Order { Order(kind: .ranked(kind)) }
    /// A list of IDs that comes whole; the items follow.
    public static let ids = Order(kind: .ids)
  }

  /// How a ranked list keeps from showing things twice.
  public struct Ranking: Hashable, Sendable {
    private let rawValue: Int

    /// The server keeps the order of a session.
    public static let session = Ranking(rawValue: 0)
    /// The client says what was shown, and skips what comes again.
    public static let excludingShown = Ranking(rawValue: 1)
  }

  /// What becomes of rows that are newer than what is on screen.
  public struct Freshness: Hashable, Sendable {
    private let rawValue: Int

    /// A refresh takes the place of the list.
    public static let replace = Freshness(rawValue: 0)
    /// They go in above, and the reader's row stays where it is.
    public static let prepend = Freshness(rawValue: 1)
    /// They are stored and counted, and shown when the reader asks for them.
    public static let newItemsControl = Freshness(rawValue: 2)
    /// To the store the same as ``prepend``. An app's screen may read it off the policy, and show the new rows at once
    /// where the reader is at the top.
    public static let silentMerge = Freshness(rawValue: 3)
  }

  /// What becomes of rows that are missing between what came and what is stored.
  public struct Gaps: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case record, discard
      case catchUp(maxPages: Int)
    }

    let kind: Kind

    /// A row stands for them until they are asked for.
    public static let record = Gaps(kind: .record)
    /// The stored rows below are given up.
    public static let discard = Gaps(kind: .discard)
    /// They are asked for at once: by the remote's log of changes if it has one, else by pages, at most so many; then
    /// as ``record``. A limit below 1 counts as 1.
    public static func catchUp(maxPages: Int) -> Gaps { Gaps(kind: .catchUp(maxPages: max(1, maxPages))) }
  }

  /// What decides the order.
  public var order: Order
  /// What becomes of newer rows.
  public var freshness: Freshness
  /// What becomes of missing rows.
  public var gaps: Gaps
  /// Whether the server's "this is the end" holds for rows that are stored below it: those go. Default false: they
  /// stay, below a gap that can't be filled.
  public var endIsAuthoritative: Bool = false
  /// What becomes of live items while the head isn't known to be current. Default: they are held.
  public var unprovenLive: UnprovenLive = .held
  /// After how long away a list starts at its newest rows and not at the saved place; nil, the default: never.
  public var staleAfter: Duration?
  /// How often a remote that can only be asked is asked for the number of newer rows, while somebody observes it.
  public var pollInterval: Duration = .seconds(60)

  /// A policy.
  public init(order: Order = .cursor, freshness: Freshness = .prepend, gaps: Gaps = .record) {
    self.order = order
    self.freshness = freshness
    self.gaps = gaps
  }
}

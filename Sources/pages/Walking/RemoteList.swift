import Foundation
import LoadingHTTP
import PagingHTTP
import Synchronization

/// A list on a server, ready to be walked or browsed: its source, and what is known of how it pages.
struct RemoteList: Sendable {
  /// What the rows come from.
  let source: HTTPPageSource<RawRow>
  /// What sends its requests.
  let transport: WatchedTransport
  /// What cuts the rows out.
  let reader: RowReader
  /// The query that was made for a server of GraphQL, for which there was only its URL; nil: none had to be.
  private(set) var madeQuery: String?
  private let convention: ListOptions.Convention
  private let asksByQuery: Bool
  private let first: FirstReply
  private let next: [String]?
  private let parameter: String?
  private let settled = SettledParameter()

  /// What sends requests over the network: of all commands that read a list.
  static func network() -> any HTTPTransport { Tracing.transport(URLSessionTransport()) }

  /// The list that `options` tell of, once its server was asked which lists it has, where a URL alone doesn't say.
  ///
  /// - Throws: A ``SchemaFault`` where its server names none, or several; else what a request throws.
  static func opened(
    _ options: ListOptions, notes: Notes, transport: WatchedTransport
  ) async throws -> RemoteList {
    guard options.needsSchema else { return RemoteList(options, notes: notes, transport: transport) }
    guard let schema = try await GraphQLLists.ask(options.url, config: options.config, transport: transport) else {
      throw SchemaFault.notGraphQL
    }
    guard let list = schema.lists.first else { throw SchemaFault.noLists }
    guard schema.lists.allSatisfy({ $0.rowType == list.rowType }) else {
      throw SchemaFault.severalLists(schema.lists)
    }
    let others = schema.lists.dropFirst().map { printable($0.name) }
    notes.detail(
      "its list \(printable(list.name)) is walked"
        + (others.isEmpty ? "" : "; of the same rows are \(others.joined(separator: ", "))") + " (--query)")
    var options = options
    options.query = list.query
    var remote = RemoteList(options, notes: notes, transport: transport)
    remote.madeQuery = list.query
    return remote
  }

  /// The list that `options` tell of.
  ///
  /// - Parameter transport: What sends its requests; one of its own where none is given.
  init(_ options: ListOptions, notes: Notes, transport: WatchedTransport = WatchedTransport(network())) {
    let reader = RowReader(items: options.items, id: options.id, notes: notes)
    self.reader = reader
    asksByQuery = options.query != nil
    let member = options.nextMember
    let first = FirstReply(member)
    self.first = first
    convention = options.convention
    next = options.next?.names
    parameter = options.parameter
    self.transport = transport
    source = HTTPPageSource(
      options.url, convention: options.pageConvention(member, settled: { [settled] in settled.name }),
      config: options.config, transport: transport,
      decode: { data in
        let document = try reader.read(data)
        first.came(document.body)
        return document
      }, items: { $0.rows })
  }

  /// What the first reply tells of how the list pages, where nobody named that; nil before it came.
  var found: DetectedConvention? {
    guard convention == .auto, !asksByQuery, let (head, body, _) = told else { return nil }
    return .detect(head, body: body, next: next, parameter: parameter ?? settled.name)
  }

  /// What the first reply says of a way on that the convention does not take; nil before it came, or when it says
  /// nothing.
  var unusedLead: Lead? {
    guard !asksByQuery, let (head, body, hasMember) = told else { return nil }
    switch convention {
    case .auto where next != nil, .auto where found?.kind == .cursor && found?.next == nil:
      return hasMember ? nil : .noMember
    case .auto, .link:
      let found = DetectedConvention.detect(head, body: body)
      return found.leadsOn(body) ? .found(found) : nil
    case .nextURL, .cursor: return hasMember ? nil : .noMember
    case .lastID, .page, .offset: return nil
    }
  }

  private var told: (head: HTTPReply, body: JSONValue, hasMember: Bool)? {
    guard let head = transport.firstHead, let (body, hasMember) = first.told else { return nil }
    return (head, body, hasMember)
  }

  /// What the last page of a walk leaves open; nil: nothing.
  ///
  /// - Parameters:
  ///   - rows: How many rows the page has.
  ///   - isFirst: Whether it is the first that came.
  ///   - isStart: Whether it is the list's first page.
  func lead(on rows: Int, isFirst: Bool, isStart: Bool) -> Lead? {
    let unused = isFirst ? unusedLead : nil
    if case .found = unused { return unused }
    return said(rows, isFirst: isFirst, isStart: isStart).map(Lead.said) ?? unused
  }

  /// What the last reply says of more rows, in words; nil where it says nothing.
  func said(_ rows: Int, isFirst: Bool, isStart: Bool) -> String? {
    if asksByQuery { return nil }
    if let flag = first.lastFlag { return "the last reply says that there is more (\"\(printable(flag))\")" }
    guard isFirst, rows > 0, let (head, body, _) = told else { return nil }
    if let page = MoreSign.page(in: body) {
      return "the reply names a next page by a number alone (\"\(printable(page))\")"
    }
    let isAnsweredWhole = found.map { !$0.isNumbered && $0.kind != .graphQL } ?? (convention != .lastID)
    guard isStart, isAnsweredWhole, !MoreSign.isPlace(head.url),
      let total = SeenTotal(in: body, rows: rows) ?? head.seenTotal, total.mark == nil, total.count > rows
    else { return nil }
    return "\(counted(rows, "row")) came, and \(printable(total.place)) says \(grouped(total.count))"
  }

  /// Whether rows came in one reply, of which nothing was known, and which says nothing of others.
  var isOneReply: Bool { found?.kind == .single }

  /// Finds the parameter that the server takes a key under, where the guessed one leads to the first page again.
  ///
  /// - Parameters:
  ///   - key: The key that gave the first page.
  ///   - leadsOn: Asks with another key, and says whether other rows came.
  /// - Returns: A key with the parameter that leads on, which is then used for all further keys; nil: none does.
  func settleParameter(
    insteadOf key: HTTPPageKey?, leadsOn: (HTTPPageKey) async throws -> Bool
  ) async throws -> HTTPPageKey? {
    guard parameter == nil, let found, let names = Self.parameters[found.kind], let guessed = found.parameter,
      let value = key?.url?.queryValue(guessed), let start = transport.firstHead?.url,
      start.queryValue(guessed) == nil
    else { return nil }
    for name in names where name != guessed {
      settled.name = name
      let other = HTTPPageKey(start.settingQuery(name, to: value))
      if try await leadsOn(other) { return other }
    }
    settled.name = nil
    return nil
  }

  /// What is tried for a key, the likeliest first. None that asks for what is newer than a row.
  private static let parameters: [DetectedConvention.Kind: [String]] = [
    .cursor: ["cursor", "after", "next_cursor", "page_token", "next_token", "starting_after", "next"],
    .keyset: ["starting_after", "after", "after_id", "last_id"],
  ]

  /// A sign that the list goes on.
  enum Lead: Hashable, Sendable {
    /// A way that is not taken, or can't be without a further word.
    case found(DetectedConvention)
    /// The page itself says so, in these words, and no way.
    case said(String)
    /// The convention looks for a member, and none of those that it knows is there.
    case noMember
  }
}

/// What is kept of the body of a list's first reply.
private final class FirstReply: Sendable {
  private let member: NextMemberFinder
  private let state = Mutex<(body: JSONValue, hasMember: Bool)?>(nil)
  private let flag = Mutex<String?>(nil)

  init(_ member: NextMemberFinder) {
    self.member = member
  }

  /// The body, abridged, and whether a member is there that leads on; nil before it came.
  var told: (body: JSONValue, hasMember: Bool)? { state.withLock { $0 } }

  /// What in the last body says that there is more; nil: nothing.
  var lastFlag: String? { flag.withLock { $0 } }

  /// A reply came; of all but the first only what says whether there is more is kept.
  func came(_ body: JSONSlice) {
    let more = MoreSign.flag(in: body)
    flag.withLock { $0 = more }
    state.withLock { state in
      if state == nil { state = (body.abridged(), member.isPresent(in: body)) }
    }
  }
}

/// The parameter that proved to be the one which the server takes keys under.
private final class SettledParameter: Sendable {
  private let state = Mutex<String?>(nil)

  /// Its name; nil: it was not looked for.
  var name: String? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension Array where Element: Hashable {
  /// Whether most of these rows are not among `others`; not where there are none.
  func isMostly(unlike others: [Element]) -> Bool {
    let known = Set(others)
    return count { !known.contains($0) } * 2 > count
  }
}

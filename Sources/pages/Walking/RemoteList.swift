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
    self.transport = transport
    source = HTTPPageSource(
      options.url, convention: options.pageConvention(member), config: options.config, transport: transport,
      decode: { data in
        let document = try reader.read(data)
        first.came(document.body)
        return document
      }, items: { $0.rows })
  }

  /// What the first reply tells of how the list pages, where nobody named that; nil before it came.
  var found: DetectedConvention? {
    guard convention == .auto, !asksByQuery, let (head, body, _) = told else { return nil }
    return .detect(head, body: body)
  }

  /// What the first reply says of a way on that the convention does not take; nil before it came, or when it says
  /// nothing.
  var unusedLead: Lead? {
    guard !asksByQuery, let (head, body, hasMember) = told else { return nil }
    switch convention {
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

  /// A sign that the list goes on.
  enum Lead: Hashable, Sendable {
    /// A way that is not taken, or can't be without a further word.
    case found(DetectedConvention)
    /// The convention looks for a member, and none of those that it knows is there.
    case noMember
  }
}

/// What is kept of the body of a list's first reply.
private final class FirstReply: Sendable {
  private let member: NextMemberFinder
  private let state = Mutex<(body: JSONValue, hasMember: Bool)?>(nil)

  init(_ member: NextMemberFinder) {
    self.member = member
  }

  /// The body, abridged, and whether a member is there that leads on; nil before it came.
  var told: (body: JSONValue, hasMember: Bool)? { state.withLock { $0 } }

  /// A reply came; all but the first are ignored.
  func came(_ body: JSONSlice) {
    state.withLock { state in
      if state == nil { state = (body.abridged(), member.isPresent(in: body)) }
    }
  }
}

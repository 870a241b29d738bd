import LoadingHTTP
import PagingHTTP
import Synchronization

/// A list on a server, ready to be walked or browsed: its source, and what is known of how it pages.
struct RemoteList: Sendable {
  /// What the rows come from.
  let source: HTTPPageSource<RawRow>
  /// What sends its requests.
  let transport: WatchedTransport
  /// Whether its convention was not named, but found in its replies.
  let isFoundByItself: Bool
  private let first: FirstReply

  /// The list that `options` tell of.
  init(_ options: ListOptions, notes: Notes) {
    let reader = RowReader(items: options.items, id: options.id, notes: notes)
    let member = options.nextMember
    let first = FirstReply()
    let transport = WatchedTransport(URLSessionTransport())
    self.first = first
    isFoundByItself = options.convention == .auto
    self.transport = transport
    source = HTTPPageSource(
      options.url, convention: options.pageConvention(member), config: options.config, transport: transport,
      decode: { data in
        let document = try reader.read(data)
        first.came(document.body, by: options.convention, member)
        return document
      }, items: { $0.rows })
  }

  /// What the first reply says of a way on that the convention does not take.
  var unusedLead: FirstReply.Lead? { first.lead }
}

/// What the first reply of a list told.
final class FirstReply: Sendable {
  /// A sign that the list goes on.
  enum Lead: Hashable, Sendable {
    /// A cursor, at a path, that usually goes back in a parameter.
    case cursor(JSONPath, parameter: String, value: String)
    /// A flag that says there is more.
    case flag(JSONPath)
    /// The convention looks for a member, and none of those that it knows is there.
    case noMember
  }

  private struct State {
    var hasCome = false
    var lead: Lead?
  }

  private let state = Mutex(State())

  /// What it told; nil before it came, or when it said nothing.
  var lead: Lead? { state.withLock { $0.lead } }

  /// A reply came; all but the first are ignored.
  func came(_ body: JSONSlice, by convention: ListOptions.Convention, _ member: NextMemberFinder) {
    let isFirst = state.withLock { state in
      defer { state.hasCome = true }
      return !state.hasCome
    }
    guard isFirst else { return }
    let lead: Lead? =
      switch convention {
      case .auto, .link:
        if let cursor = NextMemberFinder.unusedCursor(in: body) {
          .cursor(cursor.path, parameter: cursor.parameter, value: cursor.value)
        } else {
          NextMemberFinder.saysMore(body).map { .flag($0) }
        }
      case .nextURL, .cursor: member.isPresent(in: body) ? nil : .noMember
      case .page, .offset: nil
      }
    state.withLock { $0.lead = lead }
  }
}

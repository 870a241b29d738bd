import Loading
import Paging

/// Asks a list's remote and applies what it answers: at each edge one question at a time, whoever wants to know.
final class ListAsker<Item: StoredItem>: Sendable {
  /// What a question came to.
  struct Answer: Hashable, Sendable {
    /// What changed in the list.
    var outcome = MergeOutcome()
    /// The rows that came.
    var ids: [Item.ID] = []
    /// Whether the remote said that nothing more lies that way.
    var reachedEnd = false
  }

  /// What is asked for at the moment. Who asks for the same joins.
  enum Flight: Hashable, Sendable {
    case head
    case edge(EdgeName)
    case around(Item.ID)
  }

  typealias Flights = Coalescer<Flight, Answer>

  let list: any MediatedList<Item>
  let remote: ListRemote<Item>
  let rule: ListRule
  private let flights: Flights

  /// How many pages a walk from the head looks through for the row at an edge whose cursor has expired.
  static var walkedPages: Int { 10 }
  /// How many pages in a row a ranked list passes over that hold nothing new, before it ends.
  static var passedPages: Int { 3 }

  /// An asker for one list.
  ///
  /// - Parameter flights: Shared by all who ask for that list.
  init(_ list: any MediatedList<Item>, remote: ListRemote<Item>, rule: ListRule, flights: Flights) {
    self.list = list
    self.remote = remote
    self.rule = rule
    self.flights = flights
  }

  /// Asks for the newest rows and merges them.
  func askHead(size: Int) async throws -> Answer {
    try await flights.value(for: .head) { _ in
      let request = try self.list.request(.head)
      let page = try await self.page(.refresh, token: nil, size: size)
      return try self.apply(page, for: request)
    }
  }

  /// Asks for the rows around an item and merges them.
  ///
  /// - Parameter whenDetached: Gets the rows where they share nothing with a list whose order only pages tell. Of those
  ///   who ask at the same time only the first one's is called.
  /// - Throws: ``ListStoreError/Code/noRemote`` where the remote can't be asked so; what the remote throws, such as
  ///   `PagingError.Code.itemNotFound`.
  func ask(
    around id: Item.ID, size: Int, whenDetached: (@Sendable (RemotePage<Item>) throws -> Void)? = nil
  ) async throws -> Answer {
    try await flights.value(for: .around(id)) { _ in
      guard let token = try self.remote.tokenAround(id) else { throw ListStoreError.cannotAskAround }
      let request = try self.list.request(.around(id))
      let page = try await self.page(.refresh, token: token, size: size)
      let answer = try self.apply(page, for: request)
      if answer.outcome.refusal == .detached { try whenDetached?(page) }
      return answer
    }
  }

  /// Asks for the rows beyond an edge and merges them, whatever it takes to get there.
  ///
  /// - Returns: Nothing came where the list is known to end there, or the run is gone.
  /// - Throws: `PagingError.cursorExpired` where nothing leads on, now or since an earlier call;
  ///   ``ListStoreError/Code/noRemote`` where the remote can't be asked from that side; what the remote throws.
  func ask(beyond edge: EdgeName, size: Int) async throws -> Answer {
    try await flights.value(for: .edge(edge)) { _ in
      try await EdgeAttempt(edge, by: self, size: size).run()
    }
  }

  /// One page of the remote, without the rows that a ranked list has shown.
  func page(_ type: LoadType, token: String?, size: Int) async throws -> RemotePage<Item> {
    try await remote.page(try question(type, token: token, size: size))
  }

  private func question(_ type: LoadType, token: String?, size: Int) throws -> ListRemote<Item>.Question {
    try .init(type: type, token: token, size: size, excluded: remote.takesExclusions ? list.shown() : [])
  }

  /// Merges an answer.
  func apply(_ page: RemotePage<Item>, for request: ListRequest<Item>) throws -> Answer {
    Answer(outcome: try list.merge(page, for: request), ids: page.items.map(\.id), reachedEnd: page.reachedEnd)
  }
}

/// What of a list's policy matters to those who ask its remote.
struct ListRule: Hashable, Sendable {
  /// The order comes from the items' own keys.
  var isKeyed = false
  /// Nothing that was shown in this session comes again.
  var isRanked = false
}

extension ListRule {
  /// What a policy says.
  init(_ policy: ListPolicy) {
    switch policy.order.kind {
    case .keyed: isKeyed = true
    case .ranked: isRanked = true
    case .cursor, .ids: break
    }
  }
}

extension ListStoreError {
  static var cannotAskAround: ListStoreError {
    ListStoreError(
      .noRemote,
      message: "The list's remote can't be asked around an item: give it a key(around:), as AnchoredPageSource has one."
    )
  }

  static var cannotAskThere: ListStoreError {
    ListStoreError(
      .noRemote,
      message: "The list's remote can't be asked from that side of the gap: fill it from one of its fillableSides.")
  }
}

extension PagingError {
  static var deadEdge: PagingError {
    PagingError(
      .cursorExpired,
      message: "The stored cursor has expired and nothing else leads on from there. The rows stay; refresh the list.")
  }

  /// Whether asking once more with the same token or for the same row is of no use.
  var refusesPlace: Bool {
    code == .cursorExpired || code == .invalidKey || code == .itemNotFound || code == .drifted || code == .invalidated
  }
}

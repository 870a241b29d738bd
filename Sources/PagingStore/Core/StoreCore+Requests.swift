import Synchronization

/// When questions left last. Two that left with nothing written between them have to differ, as of two copies of an
/// item the one that was asked for later is the fresher.
final class Departures: Sendable {
  private let last = Mutex<Int64>(-1)

  /// Whether no question has left with that sequence number or a later one; from now on one has.
  func isFirst(at sequence: Int64) -> Bool {
    last.withLock { last in
      defer { last = max(last, sequence) }
      return sequence > last
    }
  }
}

extension StoreCore {
  /// When questions left last.
  private var departures: Departures { book { Departures() } }

  /// Which rows are asked for.
  enum RequestKind: Hashable, Sendable {
    /// The newest rows, whatever is stored.
    case head
    /// The rows below the oldest stored one.
    case olderThanAll
    /// The rows right above the newest stored one.
    case newerThanAll
    /// The rows of a gap, from its upper edge down.
    case older(Gap)
    /// The rows of a gap, from its lower edge up.
    case newer(Gap)
    /// The rows around an item.
    case around(ItemKey)
  }

  /// Notes that a question leaves now.
  ///
  /// - Throws: `notFound` for a gap that is no more.
  func request(
    _ kind: RequestKind, of name: ListName, policy: ListPolicy
  ) throws(ListStoreError) -> StoreRequest {
    let known = try database.read { connection throws(ListStoreError) -> StoreRequest? in
      guard let list = try list(name, on: connection) else { return nil }
      let sequence = try WriteTransaction.lastSequence(connection)
      return try request(kind, of: list, named: name, policy: policy, at: sequence, on: connection)
    }
    if let known, departures.isFirst(at: known.departure.started) { return known }
    return try commit { transaction, _ throws(ListStoreError) in
      let list = try openList(name, in: transaction)
      _ = departures.isFirst(at: transaction.numbers.last)
      return try request(
        kind, of: list, named: name, policy: policy, at: transaction.numbers.last, on: transaction.connection)
    }
  }

  private func request(
    _ kind: RequestKind, of list: ListRecord, named name: ListName, policy: ListPolicy, at sequence: Int64,
    on connection: Connection
  ) throws(ListStoreError) -> StoreRequest {
    let order = connection.order(of: list.number)
    let runs = try order.runs()
    let (asked, run) = try edge(kind, in: list, runs: runs)
    let moment = try moment(of: list, named: name, at: sequence, on: connection)
    let departing = try RunMerger(policy.order.rule).departing(
      asked, from: run?.number, list: list.number, in: order, at: moment)
    guard let departing else { throw Self.gapIsGone }
    var request = StoreRequest(departure: departing)
    let facing = departing.facing.flatMap { facing in runs.first { $0.number == facing.run } }
    switch asked {
    case .older:
      request.token = run?.older.token
      request.boundary = try key(at: run?.low, in: order)
      request.bound = try key(at: facing?.high, in: order)
    case .newer:
      request.token = run?.newer.token
      request.boundary = try key(at: run?.high, in: order)
      request.bound = try key(at: facing?.low, in: order)
    case .head, .around: break
    }
    return request
  }

  /// The edge that asks.
  private func edge(
    _ kind: RequestKind, in list: ListRecord, runs: [Run]
  ) throws(ListStoreError) -> (MergeRequest.Kind, Run?) {
    switch kind {
    case .head: return (.head, nil)
    case .around: return (.around, nil)
    case .olderThanAll: return runs.last.map { (.older, $0) } ?? (.head, nil)
    case .newerThanAll: return runs.first.map { (.newer, $0) } ?? (.head, nil)
    case .older(let gap), .newer(let gap):
      guard gap.list == list.number, let below = runs.firstIndex(where: { $0.number == gap.id }), below > 0 else {
        throw Self.gapIsGone
      }
      if case .older = kind { return (.older, runs[below - 1]) }
      return (.newer, runs[below])
    }
  }

  private func key(at position: Position?, in order: ListOrder) throws(ListStoreError) -> ItemKey? {
    guard let position, let entry = try order.entry(at: position) else { return nil }
    return try order.connection.items.find(entry.item)?.key
  }

  private static var gapIsGone: ListStoreError {
    ListStoreError(
      .notFound, message: "The gap is no more: it was filled, or the list was refreshed. Read the list again.")
  }
}

extension ListPolicy.Order {
  /// The rule by which the merger goes.
  var rule: OrderRule {
    switch kind {
    case .keyed: .keyed
    case .cursor: .cursor
    case .ids: .ids
    case .ranked(.excludingShown): .excluding
    case .ranked: .ranked
    }
  }
}

import Testing

@testable import PagingStore

/// Every order in which two or three requests are answered, with something between that pulls the ground from under them.
@Suite struct MergeInterleavingTests {
  enum Between: CaseIterable {
    case nothing, add, delete, evictTop, evictBottom, evictRun, disconnect, rejoin, refresh
  }
  typealias Ask = (kind: MergeRequest.Kind, run: Int, isBounded: Bool)

  /// [120 110 100] | [60 50 40], older items beyond, and a subscription that proves the head.
  func start(_ rule: OrderRule) throws -> MergeModel {
    var model = MergeModel(.init(rule: rule))
    let add = MergeStep(kind: .add, a: 0, b: 0)
    let head = MergeStep(kind: .askHead, a: 0, b: 2)
    let deliver = MergeStep(kind: .deliver, a: 0, b: 0)
    for _ in 0..<6 { try model.take(add) }
    for step in [head, deliver] { try model.take(step) }
    for _ in 0..<6 { try model.take(add) }
    for step in [MergeStep(kind: .connect, a: 0, b: 0), head, deliver] { try model.take(step) }
    return model
  }

  @Test func theStartHasTwoRuns() throws {
    #expect(try start(.cursor).list.shown == "live[120 110 100](o:100) | (n:60)[60 50 40](o:40)")
    #expect(try start(.keyed).list.shown == "live[120 110 100](o:100) | (n:60)[60 50 40](o:40)")
  }

  @Test(arguments: [OrderRule.keyed, .cursor]) func S4_answersInEveryOrderKeepTheListTrue(_ rule: OrderRule) throws {
    let asks: [Ask] = [
      (.head, 0, false), (.older, 0, false), (.older, 0, true), (.older, 1, false), (.newer, 0, false),
      (.newer, 1, false),
      (.newer, 1, true), (.around, 0, false),
    ]
    // All pairs, and the triples of those that contend for the gap and the head.
    let pairs = asks.indices.flatMap { first in asks.indices.filter { $0 >= first }.map { [first, $0] } }
    let triples = [[0, 2, 5], [0, 2, 6], [1, 2, 6], [2, 5, 7], [0, 0, 6], [1, 3, 5]]
    var count = 0
    for chosen in pairs + triples {
      for order in permutations(Array(chosen.indices)) {
        for between in Between.allCases {
          for place in 0..<chosen.count {
            for limit in [2, 5] {
              count += 1
              guard let wrong = try play(rule, chosen.map { asks[$0] }, order, between, place, limit) else { continue }
              Issue.record("\(chosen) answered \(order), \(between) before \(place), pages of \(limit): \(wrong)")
              return
            }
          }
        }
      }
    }
    #expect(count > 4_000)
  }

  func play(
    _ rule: OrderRule, _ asks: [Ask], _ order: [Int], _ between: Between, _ place: Int, _ limit: Int
  ) throws -> String? {
    var model = try start(rule)
    for ask in asks {
      let run = ask.kind == .older || ask.kind == .newer ? model.list.order.stored[ask.run] : nil
      let step = MergeStep(kind: .askHead, a: 4, b: limit - 1)
      let count = model.flights.count
      try model.ask(ask.kind, run, step)
      guard model.flights.count > count else { return nil }
      // A bound is named by the choice alone here.
      let facing = ask.kind == .older ? model.list.order.stored.last?.high : model.list.order.stored.first?.low
      let row = try facing.flatMap { position throws(ListStoreError) in try model.list.order.entry(at: position)?.item }
      model.flights[count].ask.bound = ask.isBounded ? row : nil
      model.flights[count].ask.limit = limit
      model.flights[count].answer = model.server.answer(model.flights[count].ask)
      model.flights[count].events = model.eventsMade
    }
    let flights = model.flights
    for (index, choice) in order.enumerated() {
      if index == place { try disturb(&model, between) }
      try model.deliver(flights[choice])
      if let broken = model.broken().first { return "\(broken) in \(model.list.shown)" }
    }
    let shown = model.list.shown
    return try model.settle().first.map { "\($0), from \(shown)" }
  }

  func disturb(_ model: inout MergeModel, _ between: Between) throws {
    let runs = model.list.order.stored
    switch between {
    case .nothing: break
    case .add:
      try model.take(MergeStep(kind: .add, a: 0, b: 0))
      try model.deliverEvent()
    case .delete:
      try model.take(MergeStep(kind: .delete, a: 3, b: 0))
      try model.deliverEvent()
    case .evictTop: if let run = runs.last { try model.list.evict(run.high...run.high) }
    case .evictBottom: if let run = runs.first { try model.list.evict(run.low...run.low) }
    case .evictRun: if let run = runs.last { try model.list.evict(run.low...run.high) }
    case .disconnect: try model.disconnect()
    case .rejoin:
      try model.disconnect()
      _ = model.server.add(isHidden: false)
      model.list.connect()
    case .refresh:
      let answer = model.server.answer(.init(kind: .head, from: nil, bound: nil, limit: 2))
      try model.list.replace(try model.list.send(.head), [model.list.page(answer.items, older: answer.older)])
    }
  }

  func permutations(_ items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
      var rest = items
      let item = rest.remove(at: index)
      return permutations(rest).map { [item] + $0 }
    }
  }
}

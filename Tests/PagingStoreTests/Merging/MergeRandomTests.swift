import Foundation
import Testing

@testable import PagingStore

/// Random scripts against a server in memory: what holds is checked after every step, and at rest the list is the server's.
/// `MERGE_SEEDS` sets how many a test plays.
@Suite struct MergeRandomTests {
  @Test func Q1_keyedListStaysTrue() async { await check(.init(rule: .keyed), first: 0) }

  @Test func Q1_keyedListWithoutRoomStaysTrue() async {
    await check(.init(rule: .keyed, isTight: true), first: 1000)
  }

  @Test func Q1_keyedListWithoutDeletesStaysTrue() async {
    await check(.init(rule: .keyed, deletes: false), first: 2000)
  }

  @Test func Q1_keyedListOnASteadyStreamStaysTrue() async {
    await check(.init(rule: .keyed, disconnects: false), first: 3000)
  }

  @Test func Q1_opaqueListStaysTrue() async { await check(.init(rule: .cursor), first: 4000) }

  @Test func Q1_opaqueListWithoutRoomStaysTrue() async {
    await check(.init(rule: .cursor, isTight: true), first: 5000)
  }

  @Test func Q1_opaqueListWithoutDeletesStaysTrue() async {
    await check(.init(rule: .cursor, deletes: false), first: 6000)
  }

  /// Reports the first seed for each kind of failure, shrunk.
  private func check(_ settings: MergeModel.Settings, first: Int) async {
    let seeds = ProcessInfo.processInfo.environment["MERGE_SEEDS"].flatMap { Int($0) } ?? 15
    var kinds: Set<String> = []
    for seed in first..<(first + seeds) where kinds.count < 3 {
      let script = MergeScript.random(seed, count: 250)
      guard let failure = MergeScript.failure(script, settings) else { continue }
      guard kinds.insert(ModelScript.kind(failure)).inserted else { continue }
      // To see quickly whether a planted fault is found.
      guard ProcessInfo.processInfo.environment["MERGE_QUICK"] == nil else {
        Issue.record("seed \(seed), \(settings): \(failure)")
        return
      }
      let kind = ModelScript.kind(failure)
      let short = await ModelScript.shrink(script) { MergeScript.failure($0, settings).map(ModelScript.kind) == kind }
      let trace = MergeScript.trace(short, settings)
      Issue.record("seed \(seed), \(settings): \(failure)\nshrunk to \(short.count) steps:\n\(trace)")
    }
  }
}

enum MergeScript {
  static func random(_ seed: Int, count: Int) -> [MergeStep] {
    let weights: [(MergeStep.Kind, Int)] = [
      (.add, 16), (.addHidden, 4), (.backdate, 4), (.delete, 4), (.hide, 2), (.connect, 6), (.disconnect, 2),
      (.deliverEvent, 14), (.askHead, 8), (.askOlder, 14), (.askNewer, 8), (.askAround, 4), (.askRefresh, 1),
      (.serve, 8), (.deliver, 24), (.repeatDelivery, 4), (.drop, 1), (.evict, 4), (.expire, 2),
    ]
    return ModelScript.random(seed, count: count, weights: weights) { MergeStep(kind: $0, a: $1, b: $2) }
  }

  /// What goes wrong first; nil: nothing does.
  static func failure(_ script: [MergeStep], _ settings: MergeModel.Settings) -> String? {
    var model = MergeModel(settings)
    do {
      for step in script {
        try model.take(step)
        if let broken = model.broken().first { return broken }
      }
      return try model.settle().first
    } catch {
      return "thrown: \(error)"
    }
  }

  static func trace(_ script: [MergeStep], _ settings: MergeModel.Settings) -> String {
    var model = MergeModel(settings)
    var lines: [String] = []
    do {
      for step in script {
        let kind = step.kind
        if kind == .deliver || kind == .repeatDelivery, !model.flights.isEmpty {
          let flight = model.flights[step.a % model.flights.count]
          lines.append(
            "  \(flight.ask) \(flight.answer ?? model.server.answer(flight.ask)) refresh \(flight.isRefresh)")
        }
        try model.take(step)
        lines.append(
          "\(step.kind) -> \(model.list.shown) server \(model.server.visible) held \(model.list.order.held.map(\.item.item)) queue \(model.queue) sub \(model.list.subscription ?? 0) \(model.list.lastPlan.outcome.refusal.map { "\($0)" } ?? "")"
        )
        lines += model.broken().map { "  BROKEN \($0)" }
      }
      lines.append("settling: \(try model.settle()) \(model.list.shown)")
    } catch {
      lines.append("thrown: \(error)")
    }
    return lines.joined(separator: "\n")
  }
}

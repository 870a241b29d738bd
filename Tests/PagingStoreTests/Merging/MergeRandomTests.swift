import Foundation
import Testing

@testable import PagingStore

/// Random scripts against a server in memory: what holds is checked after every step, and at rest the list is the server's.
@Suite struct MergeRandomTests {
  @Test func Q1_keyedListStaysTrue() { check(.init(rule: .keyed), seeds: 0..<150) }

  @Test func Q1_keyedListWithoutRoomStaysTrue() { check(.init(rule: .keyed, isTight: true), seeds: 1000..<1100) }

  @Test func Q1_keyedListWithoutDeletesStaysTrue() { check(.init(rule: .keyed, deletes: false), seeds: 2000..<2100) }

  @Test func Q1_keyedListOnASteadyStreamStaysTrue() {
    check(.init(rule: .keyed, disconnects: false), seeds: 3000..<3100)
  }

  @Test func Q1_opaqueListStaysTrue() { check(.init(rule: .cursor), seeds: 4000..<4150) }

  @Test func Q1_opaqueListWithoutRoomStaysTrue() { check(.init(rule: .cursor, isTight: true), seeds: 5000..<5100) }

  @Test func Q1_opaqueListWithoutDeletesStaysTrue() { check(.init(rule: .cursor, deletes: false), seeds: 6000..<6100) }

  /// Reports the first seed for each kind of failure, shrunk.
  private func check(_ settings: MergeModel.Settings, seeds: Range<Int>) {
    var kinds: Set<String> = []
    for seed in seeds where kinds.count < 3 {
      let script = MergeScript.random(seed, count: 250)
      guard let failure = MergeScript.failure(script, settings) else { continue }
      guard kinds.insert(MergeScript.kind(failure)).inserted else { continue }
      // To see quickly whether a planted fault is found.
      guard ProcessInfo.processInfo.environment["MERGE_QUICK"] == nil else {
        Issue.record("seed \(seed), \(settings): \(failure)")
        return
      }
      let short = MergeScript.shrink(script, settings, kind: MergeScript.kind(failure))
      let trace = MergeScript.trace(short, settings)
      Issue.record("seed \(seed), \(settings): \(failure)\nshrunk to \(short.count) steps:\n\(trace)")
    }
  }
}

enum MergeScript {
  static func random(_ seed: Int, count: Int) -> [MergeStep] {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678
    func next() -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 33)
    }
    let weights: [(MergeStep.Kind, Int)] = [
      (.add, 16), (.addHidden, 4), (.backdate, 4), (.delete, 4), (.hide, 2), (.connect, 6), (.disconnect, 2),
      (.deliverEvent, 14), (.askHead, 8), (.askOlder, 14), (.askNewer, 8), (.askAround, 4), (.askRefresh, 1),
      (.serve, 8), (.deliver, 24), (.repeatDelivery, 4), (.drop, 1), (.evict, 4), (.expire, 2),
    ]
    let kinds = weights.flatMap { Array(repeating: $0.0, count: $0.1) }
    return (0..<count).map { _ in MergeStep(kind: kinds[next() % kinds.count], a: next(), b: next()) }
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

  /// The first word of a failure.
  static func kind(_ failure: String) -> String { String(failure.prefix { $0 != ":" && $0 != "," }) }

  /// The shortest script found that still fails: without ever larger and then ever smaller parts.
  static func shrink(_ script: [MergeStep], _ settings: MergeModel.Settings, kind: String) -> [MergeStep] {
    var script = script
    var part = script.count / 2
    while part > 0 {
      var start = 0
      let before = script.count
      while start < script.count {
        let shorter = Array(script[..<start] + script[min(script.count, start + part)...])
        if failure(shorter, settings).map(Self.kind) == kind { script = shorter } else { start += part }
      }
      if part > 1 || script.count == before { part /= 2 }
    }
    return script
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

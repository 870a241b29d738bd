import Foundation
import Testing

@testable import PagingStore

/// Random scripts over a store in a file, with its app and its server: what holds is checked after every step, and at rest the
/// lists are the server's. `STORE_SEEDS` sets how many, `STORE_FIRST` where they begin.
@Suite struct StoreModelTests {
  private static let parts = 4

  @Test(arguments: 0..<parts) func Q1_theStoreStaysTrue(part: Int) async {
    let environment = ProcessInfo.processInfo.environment
    let seeds = environment["STORE_SEEDS"].flatMap { Int($0) } ?? 16
    let first = environment["STORE_FIRST"].flatMap { Int($0) } ?? 0
    // To see quickly whether a planted fault is found.
    let isQuick = environment["STORE_QUICK"] != nil
    var kinds: Set<String> = []
    for seed in first..<(first + seeds) where seed % Self.parts == part && kinds.count < 3 {
      let settings = StoreScript.settings(of: seed)
      let script = StoreStep.random(seed / 8, count: 250)
      guard let failure = await StoreScript.failure(script, settings) else { continue }
      let kind = ModelScript.kind(failure)
      guard kinds.insert(kind).inserted else { continue }
      guard !isQuick else {
        Issue.record("seed \(seed), \(settings): \(failure)")
        return
      }
      let short = await ModelScript.shrink(script) {
        await StoreScript.failure($0, settings).map(ModelScript.kind) == kind
      }
      let trace = await StoreScript.trace(short, settings)
      Issue.record("seed \(seed), \(settings): \(failure)\nshrunk to \(short.count) steps:\n\(trace)")
    }
  }
}

enum StoreScript {
  /// Keyed and opaque, with versions and without, with new rows that wait and that don't.
  static func settings(of seed: Int) -> StoreModel.Settings {
    StoreModel.Settings(
      rule: seed % 2 == 0 ? .keyed : .cursor, isVersioned: seed / 2 % 2 == 0, waits: seed / 4 % 2 == 1)
  }

  /// What goes wrong first; nil: nothing does.
  static func failure(_ script: [StoreStep], _ settings: StoreModel.Settings) async -> String? {
    do {
      let model = try StoreModel(settings)
      for step in script {
        if let broken = try await model.take(step).first { return broken }
      }
      return try await model.settle().first
    } catch {
      return "thrown: \(error)"
    }
  }

  static func trace(_ script: [StoreStep], _ settings: StoreModel.Settings) async -> String {
    var lines: [String] = []
    do {
      let model = try StoreModel(settings)
      for step in script {
        let broken = try await model.take(step)
        lines.append("\(model.tick) \(step)")
        for list in model.lists {
          lines.append(
            "    \(list.name): \(list.seen.text) shown \(list.seen.sending)\(list.seen.shown) queue \(list.queue.map(\.shown))"
              + " \(list.session == nil ? "off" : "on") \(list.flights.map { "\($0.asked)" })")
        }
        lines.append(
          "    server \(model.server.places.visible) edits \(model.edits.map { "\($0.id) \($0.change) \($0.state)" })")
        lines += broken.map { "  BROKEN \($0)" }
        if !broken.isEmpty { return lines.joined(separator: "\n") }
      }
      lines.append("settling: \(try await model.settle())")
      lines += model.lists.map { "    \($0.name): \($0.seen.text)" }
    } catch {
      lines.append("thrown: \(error)")
    }
    return lines.joined(separator: "\n")
  }
}

extension ModelEvent {
  var shown: String {
    switch self {
    case .created(let item): "+\(item.id)@\(item.place)"
    case .changed(let item): "~\(item.id)r\(item.revision)"
    case .deleted(let id): "-\(id)"
    }
  }
}

// Processes of their own can be started here only.
#if os(macOS) || os(Linux)
  import Foundation
  import Loading
  import StoreWriter
  import Testing

  @testable import PagingStore

  /// A process that is killed while it writes: 200 kills, at instants that a seed decides.
  @Suite struct StoreKillTests {
    private static let kills = 200
    /// Kills of one file: a new one each time, so that it stays small.
    private static let killsOfOneFile = 50
    /// Another one: `STORE_KILL_SEED=7 swift test --filter StoreKillTests`.
    private static let seed = ProcessInfo.processInfo.environment["STORE_KILL_SEED"].flatMap { UInt64($0) } ?? 2

    /// A disk, which a writer waits for most of the time, and memory where there is a volume of it: there it is killed more
    /// often between two steps of a write.
    private static let places =
      [FileManager.default.temporaryDirectory.path] + ["/dev/shm"].filter(FileManager.default.isWritableFile)

    /// One place after the other, as it blocks threads that other tests need.
    @Test(.serialized, arguments: places)
    func S2_aProcessKilledAtAnyInstantHasLostNothingThatACallReturnedFor(place: String) async throws {
      let start = ContinuousClock.now
      var generator = SeededGenerator(seed: Self.seed &+ UInt64(place.utf8.count))
      var (steps, cutOff) = (0, 0)
      for _ in 0..<Self.kills / Self.killsOfOneFile / Self.places.count {
        let counts = try await killAndReopen(in: place, using: &generator)
        steps += counts.steps
        cutOff += counts.cutOff
      }
      #expect(steps > 500)
      #expect(cutOff > 20)
      print(
        "StoreKillTests: \(Self.kills / Self.places.count) kills at \(place), seed \(Self.seed), \(steps) calls returned, "
          + "\(cutOff) cut off, \(ContinuousClock.now - start)")
    }

    private func killAndReopen(
      in place: String, using generator: inout SeededGenerator
    ) async throws -> (steps: Int, cutOff: Int) {
      let folder = URL(fileURLWithPath: place).appendingPathComponent("store-kill-" + UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("lists.db")
      var (model, next) = (StepModel(), 0)
      var (steps, cutOff) = (0, 0)
      for round in 0..<Self.killsOfOneFile {
        let place: Comment = "seed \(Self.seed), \(place), round \(round)"
        let report = try await killedWriter(file, from: next, newest: model.newest, using: &generator)
        try #require(report.isOpen, place)
        for step in report.done { model.take(step) }
        steps += report.done.count
        cutOff += report.begun == nil ? 0 : 1
        let possible = [model] + (report.begun.map { [model.after($0)] } ?? [])

        let killed = try KilledStore(at: file)
        #expect(try killed.problems() == [], place)
        let found = try killed.model { complaint in Issue.record("\(complaint); \(place)") }
        try #require(possible.contains(found), "\(place): \(found) is none of \(possible)")
        model = found
        // Without a page there is nothing to edit.
        next = model.page == nil ? 0 : (report.begun ?? report.done.last ?? next - 1) + 1
      }
      return (steps, cutOff)
    }

    /// Starts a writer and kills it some calls and up to some milliseconds after it has opened the store: calls, so that it gets
    /// somewhere on a slow machine too.
    private func killedWriter(
      _ file: URL, from first: Int, newest: Int, using generator: inout SeededGenerator
    ) async throws -> StepReport {
      let output = Pipe()
      let writer = try StoreWriterProcess.start(["steps", file.path, String(first), String(newest)], output: output)
      let lines = 1 + 2 * Int.random(in: 0..<24, using: &generator)
      var text = Data()
      while text.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += more
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<5_000, using: &generator)))
      kill(writer.processIdentifier, SIGKILL)
      while case let more = output.fileHandleForReading.availableData, !more.isEmpty { text += more }
      writer.waitUntilExit()
      return StepReport(String(decoding: text, as: UTF8.self))
    }
  }
#endif

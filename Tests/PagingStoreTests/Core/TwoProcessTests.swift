// Processes of their own can be started here only.
#if os(macOS) || os(Linux)
  import Foundation
  import PagingTesting
  import StoreWriter
  import Testing

  @testable import Paging
  @testable import PagingStore

  /// A store that another process writes to.
  @Suite(.timeLimit(.minutes(10))) struct TwoProcessTests {
    private let folder: CoreFolder

    init() throws { folder = try CoreFolder() }

    @Test func S12_B93_aReaderNeverSeesAPageInPieces() async throws {
      let clock = ManualClock()
      let store = try ListStore(at: folder.file, clock: clock)
      let same = store.list(WrittenRow.same, of: WrittenRow.self)
      let growing = store.list(WrittenRow.growing(first: 1), of: WrittenRow.self)
      let source = same.pageSource()
      let changes = try #require(source.changes())
      _ = try await source.load(LoadParams(.refresh, loadSize: 50))
      await clock.sleepers(atLeast: 1)

      let writer = try StoreWriterProcess.start([folder.file.path, "1", "0"])
      // Once it has been waited for, its number may be another process's.
      defer { if writer.isRunning { kill(writer.processIdentifier, SIGKILL) } }
      var seen: Set<Int> = []
      var last = 0
      while seen.count < 60 {
        try #require(writer.isRunning)
        let rows = try await source.load(LoadParams(.refresh, loadSize: 50)).items.compactMap(\.item)
        guard let generation = rows.first?.generation else { continue }
        #expect(rows.count == 20)
        #expect(rows.allSatisfy { $0.generation == generation })
        #expect(generation >= last)
        last = generation
        seen.insert(generation)
        try check(growing, atLeast: generation)
      }
      kill(writer.processIdentifier, SIGKILL)
      writer.waitUntilExit()

      // What the other process did is told once, at the interval.
      await clock.advance(by: .seconds(1))
      var iterator = changes.makeAsyncIterator()
      let change = await iterator.next()
      if case .everything = try #require(change).kind {} else { Issue.record("\(String(describing: change))") }
      #expect(try store.core.database.problems().isEmpty)
    }

    /// Whole pages of ten rows above the first one, and no gap among them.
    private func check(_ list: StoredList<WrittenRow>, atLeast generation: Int) throws {
      let window = try list.core.window(of: list.id, at: .head, before: 0, after: 45)
      // The first page of the other list may be there before the first of this one, which was only asked for then.
      guard let window, !window.rows.isEmpty else {
        #expect(generation <= 1)
        return
      }
      #expect(window.gaps.isEmpty)
      let rows = try list.rows(of: window).compactMap(\.item)
      let newest = try #require(rows.first)
      #expect(newest.generation >= generation - 1)
      #expect(newest.id == WrittenRow.newestID(newest.generation, first: 1))
      #expect(rows.map(\.id) == Array((newest.id - rows.count + 1...newest.id).reversed()))
      #expect(window.hasOlder || rows.last?.id == 1_000)
    }

    @Test func S2_S12_twoProcessesWriteToOneStoreAndNothingIsLost() throws {
      let store = try ListStore(at: folder.file)
      let writers = try [1, 501].map { first in
        try StoreWriterProcess.start([folder.file.path, String(first), "60"])
      }
      for writer in writers {
        writer.waitUntilExit()
        #expect(writer.terminationStatus == 0)
      }
      for first in [1, 501] {
        let list = store.list(WrittenRow.growing(first: first), of: WrittenRow.self)
        let window = try #require(try list.core.window(of: list.id, at: .head, before: 0, after: 100_000))
        let ids = try list.rows(of: window).compactMap(\.item).map(\.id)
        #expect(ids == Array((1_000...1_600).reversed()))
        #expect(window.gaps.isEmpty)
      }
      #expect(try store.core.database.problems().isEmpty)
    }
  }

  /// Starts the helper beside the tests' own binary.
  enum StoreWriterProcess {
    static func start(_ arguments: [String], output: Pipe? = nil) throws -> Process {
      let process = Process()
      process.executableURL = folder.appendingPathComponent("StoreWriter")
      process.arguments = arguments
      process.standardOutput = output ?? FileHandle.nullDevice
      try process.run()
      return process
    }

    private static var folder: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }
  }
#endif

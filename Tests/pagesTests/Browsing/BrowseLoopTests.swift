import Foundation
import Paging
import TestSupport
import Testing

@testable import pages

/// What the loop of the screen waits for, and what it shows first.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BrowseLoopTests {
  @Test func whoSaysSomethingWhileTheLoopWakesUpIsHeardTheNextTimeToo() throws {
    let events = try #require(TerminalEvents())
    events.wake()
    // Somebody says something when the loop is awake and hasn't looked yet.
    #expect(events.wait(milliseconds: 0, forKeys: false) { events.wake() }.hasNews)
    events.wake()
    #expect(events.wait(milliseconds: 0, forKeys: false).hasNews)
  }

  @Test func manyCallsAreOneEvent() throws {
    let events = try #require(TerminalEvents())
    for _ in 0..<1000 { events.wake() }
    #expect(events.wait(milliseconds: 0, forKeys: false).hasNews)
    #expect(!events.wait(milliseconds: 0, forKeys: false).hasNews)
  }

  /// A file whose rows come when they may.
  private struct HeldSource: PageSource {
    let base: FilePageSource
    let mayLoad: Signal

    @concurrent func load(_ params: LoadParams<Range<Int>>) async throws -> Page<Range<Int>, RawRow> {
      await mayLoad.wait()
      return try await base.load(params)
    }
  }

  /// The pager of a file of 60 rows, as it is before they come and then.
  private func withPager(
    _ body: (Pager<Range<Int>, RawRow>, _ before: PagingSnapshot<RawRow>) async throws -> Void
  ) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try (0..<60).map { "{\"id\": \($0)}\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let mayLoad = Signal()
    let pager = Pager(
      config: PagingConfig(pageSize: 60), source: HeldSource(base: FilePageSource(path), mayLoad: mayLoad))
    defer { pager.close() }
    let before = pager.snapshot
    try #require(before.isEmpty)
    mayLoad.fire()
    await pager.settled()
    try await body(pager, before)
  }

  private func view(_ pager: Pager<Range<Int>, RawRow>, opening: Int? = nil) -> BrowseView<RawRow> {
    var list = BrowsedList<RawRow>(content: pager, title: "rows", explain: { "\($0)" })
    list.opening = opening.map { .unknown(UInt64($0)) }
    return BrowseView(list, lines: 11, columns: 80)
  }

  @Test func aListOpensWhereItWasLeft() async throws {
    try await withPager { pager, _ in
      var view = view(pager, opening: 30)
      view.listChanged(to: pager.snapshot, BrowseNews())
      #expect(view.takeViewport(of: pager.snapshot)?.lowerBound == 30)
    }
  }

  @Test func whatWasFoundBeforeTheRowsCameGoesBeforeWhereTheListWasLeft() async throws {
    try await withPager { pager, empty in
      for found in [BrowsedList<RawRow>.Found.item(.unknown(12)), .index(12)] {
        var view = view(pager, opening: 30)
        view.listChanged(to: empty, BrowseNews())
        view.go(to: found, in: empty)
        view.listChanged(to: pager.snapshot, BrowseNews())
        #expect(view.takeViewport(of: pager.snapshot)?.lowerBound == 12)
      }
    }
  }
}

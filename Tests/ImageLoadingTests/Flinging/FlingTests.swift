import ImageCodecs
import Loading
import Testing

@testable import ImageLoading

/// A list flung past with recycled targets, over a server that answers when the test lets it.
@MainActor @Suite(.timeLimit(.minutes(10))) struct FlingTests {
  static let visible = 64

  @Test(arguments: [1, 2, 3]) func I3_noTargetEverShowsAPictureThatIsNotItsRows(seed: UInt64) async throws {
    let list = FlungList(rows: 5_000, visible: Self.visible)
    list.server.open()
    var random = SeededGenerator(seed: seed)
    for top in 0...(5_000 - Self.visible) {
      list.scroll(to: top)
      // Now slow, so that rows get their pictures, now fast, so that they are gone before.
      if Int.random(in: 0..<10, using: &random) == 0 {
        for _ in 0..<Int.random(in: 0..<60, using: &random) { await Task.yield() }
      }
    }
    await list.settled()
    #expect(list.wrong.isEmpty, "seed \(seed): \(list.wrong.prefix(5))")
    #expect(list.shownRows == Set((5_000 - Self.visible)..<5_000), "seed \(seed)")
    let statistics = list.loader.statistics
    #expect(statistics.peakBytesHeld <= list.config.maxMemoryBytes)
    #expect(statistics.loads == 5_000)
    // Each row was asked for at most once, since no row came back.
    #expect(list.server.answered <= 5_000)
  }

  @Test func I2_ofAThousandRowsFlungPastOnlyTheVisibleOnesAreLoaded() async throws {
    let list = FlungList(rows: 1_000, visible: Self.visible)
    for top in 0...(1_000 - Self.visible) { list.scroll(to: top) }
    list.server.open()
    await list.settled()
    #expect(list.wrong.isEmpty)
    // What had begun when its row was gone was ended before anything came.
    #expect(list.server.answered == Self.visible)
    #expect(list.loader.statistics.decodes == Self.visible)
  }

  @Test func B121_scrollingBackShowsWhatIsInMemoryInTheSameTurn() async throws {
    let list = FlungList(rows: 200, visible: Self.visible)
    list.server.open()
    list.scroll(to: 0)
    await list.settled()
    list.scroll(to: 100)
    await list.settled()
    let asked = list.server.asked
    list.scroll(to: 0)
    #expect(list.shownRows == Set(0..<Self.visible))
    #expect(list.server.asked == asked)
  }
}

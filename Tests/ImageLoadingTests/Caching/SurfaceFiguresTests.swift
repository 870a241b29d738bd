import ImageCodecs
import Loading
import PagingTesting
import Testing

@testable import ImageLoading

/// A loader's figures of one surface, with the memory that it has outside tests.
@Suite struct SurfaceFiguresTests {
  @Test func I17_bytesHeldAreThoseOfTheSurface() async throws {
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    let rig = PipelineRig()
    let loader = ImageLoader(
      config: config, fetcher: rig.bytes, memory: ImageMemory(config: config, clock: rig.clock),
      decoders: [rig.decoder], interceptors: [], clock: rig.clock,
      events: ImageEvents(observer: nil, now: { .zero }))
    for (name, surface) in [("a", "feed"), ("b", "feed"), ("c", "detail"), ("d", nil)] as [(String, String?)] {
      var request = rig.plain(name)
      request.surface = surface
      _ = try await loader.image(for: request)
    }
    // Eight by eight, four bytes each.
    let (feed, detail) = (loader.statistics(for: "feed"), loader.statistics(for: "detail"))
    #expect([feed.bytesHeld, feed.peakBytesHeld] == [512, 512])
    #expect([detail.bytesHeld, detail.peakBytesHeld] == [256, 256])
    #expect([loader.statistics.bytesHeld, loader.statistics.peakBytesHeld] == [1_024, 1_024])
    #expect([feed.memory.insertions, detail.memory.insertions, loader.statistics.memory.insertions] == [2, 1, 4])
    loader.trimMemory(.critical)
    #expect(loader.statistics(for: "feed").bytesHeld == 0)
    #expect(loader.statistics(for: "feed").peakBytesHeld == 512)
    #expect(loader.statistics(for: "unheard of").bytesHeld == 0)
    #expect(loader.statistics(for: "unheard of").peakBytesHeld == 0)
  }

  /// A fetch that was cancelled may end when the same is fetched again already, for another surface.
  @Test func I17_aFetchThatEndsLateLeavesTheNewOneItsSurface() {
    let events = ImageEvents(observer: nil, now: { .zero })
    let key = ImageKey("x")
    events.fetching(key, for: "detail", by: 1)
    events.fetching(key, for: "feed", by: 2)
    events.fetched(key, by: 1)
    events.heard(.fetchBegan(1, key))
    events.fetched(key, by: 2)
    events.heard(.fetchBegan(2, key))
    #expect(events.statistics(of: "feed").fetches == 1)
    #expect(events.statistics(of: "detail").fetches == 0)
    #expect(events.statistics(of: nil).fetches == 2)
  }
}

import ImageCodecs
import Loading
import PagingTesting
import Testing

@testable import ImageLoading

@Suite struct ImageMemoryTests {
  private func memory(
    _ bytes: Int, share: Double = 1, shares: [String: Double] = [:], lifetime: Duration? = nil,
    clock: any Clock<Duration> = ManualClock()
  ) -> ImageMemory {
    var config = ImageLoaderConfig()
    config.maxMemoryBytes = bytes
    config.maxMemoryShareOfEntry = share
    config.surfaceShares = shares
    config.memoryLifetime = lifetime
    return ImageMemory(config: config, clock: clock)
  }

  @Test func I4_B37_theLeastRecentlyUsedLeavesAndTheBoundHolds() throws {
    let memory = memory(100)
    try memory.insertBytes(60, "a")
    try memory.insertBytes(60, "b")
    #expect(!memory.has("a"))
    #expect(memory.has("b"))
    #expect(memory.bytesHeld == 60)
    #expect(memory.peakBytesHeld == 60)
    #expect(memory.statistics(surface: nil) == CacheStatistics(insertions: 2, evictions: 1))
  }

  @Test func B38_whatWasReadSurvives() throws {
    let memory = memory(120)
    for name in ["a", "b", "c"] { try memory.insertBytes(40, name) }
    #expect(memory.image(for: RestPictures.request("a")) != nil)
    try memory.insertBytes(40, "d")
    #expect(memory.has("a"))
    #expect(!memory.has("b"))
    #expect(memory.has("c"))
    #expect(memory.image(for: RestPictures.request("b")) == nil)
    #expect(memory.statistics(surface: nil) == CacheStatistics(hits: 1, misses: 1, insertions: 4, evictions: 1))
  }

  @Test func B39_replacingAdjustsTheCost() throws {
    let memory = memory(100)
    try memory.insertBytes(60, "a")
    try memory.insertBytes(20, "a")
    #expect(memory.bytesHeld == 20)
    #expect(memory.count == 1)
    try memory.insertBytes(80, "b")
    #expect(memory.has("a"))
    #expect(memory.bytesHeld == 100)
  }

  @Test func B40_oneThatIsTooLargeIsNotKeptAndOthersStay() throws {
    let memory = memory(800, share: 0.125)
    try memory.insertBytes(100, "a")
    try memory.insertBytes(104, "large")
    #expect(memory.has("a"))
    #expect(!memory.has("large"))
    #expect(memory.statistics(surface: nil).refusals == 1)
    #expect(memory.statistics(surface: nil).evictions == 0)
    // In place of one that is there: the old one must not be shown any more.
    try memory.insertBytes(104, "a")
    #expect(!memory.has("a"))
    #expect(memory.bytesHeld == 0)
  }

  @Test func B41_aBoundOfZeroKeepsNothing() throws {
    for memory in [memory(0), memory(1000, share: 0)] {
      try memory.insertBytes(4, "a")
      #expect(memory.count == 0)
      #expect(memory.image(for: RestPictures.request("a")) == nil)
    }
  }

  @Test func B42_B43_aPictureIsKeptForItsTimeAndReadingDoesntExtendIt() async throws {
    let clock = ManualClock()
    let memory = memory(1000, lifetime: .seconds(1), clock: clock)
    let held = try RestPictures.bytes(40)
    memory.insert(held, for: RestPictures.request("a"))
    await clock.advance(by: .milliseconds(900))
    #expect(memory.image(for: RestPictures.request("a")) === held)
    await clock.advance(by: .milliseconds(100))
    // Though it is held elsewhere: its time is over.
    #expect(memory.image(for: RestPictures.request("a")) == nil)
    #expect(memory.count == 0)
    #expect(memory.bytesHeld == 0)
    #expect(memory.statistics(surface: nil) == CacheStatistics(hits: 1, misses: 1, insertions: 1, evictions: 1))
  }

  @Test func B42_whatIsExpiredLeavesBeforeWhatIsOlderByUse() async throws {
    let clock = ManualClock()
    let memory = memory(100, lifetime: .seconds(1), clock: clock)
    try memory.insertBytes(40, "old")
    await clock.advance(by: .milliseconds(600))
    try memory.insertBytes(40, "young")
    #expect(memory.has("old"))
    await clock.advance(by: .milliseconds(500))
    try memory.insertBytes(40, "new")
    #expect(memory.has("young"))
    #expect(memory.has("new"))
    #expect(memory.count == 2)
    await clock.advance(by: .seconds(10))
    #expect(memory.trim(to: .moderate) == 80)
  }

  @Test func B44_aSmallerBoundHoldsAtOnce() throws {
    let memory = memory(200, shares: ["feed": 0.5])
    try memory.insertBytes(60, "a")
    try memory.insertBytes(60, "b", surface: "feed")
    memory.maxBytes = 100
    // Half of it is 50 now, too little for b.
    #expect(memory.has("a"))
    #expect(!memory.has("b"))
    memory.maxBytes = 20
    #expect(memory.bytesHeld == 0)
    memory.maxBytes = -1
    #expect(memory.maxBytes == 0)
  }

  @Test(arguments: [
    (MemoryPressure.moderate, 400), (.low, 200), (.background, 80), (.critical, 0),
  ])
  func I4_B45_eachLevelKeepsItsShare(pressure: MemoryPressure, kept: Int) throws {
    let memory = memory(800)
    for index in 0..<40 { try memory.insertBytes(20, "\(index)") }
    #expect(memory.bytesHeld == 800)
    #expect(memory.trim(to: pressure) == 800 - kept)
    #expect(memory.bytesHeld == kept)
    // What was used last is what stays.
    for index in 0..<40 { #expect(memory.has("\(index)") == (index >= 40 - kept / 20)) }
    #expect(memory.peakBytesHeld == 800)
  }

  /// A level is no state: once trimmed, the memory fills up to its bound again, and nothing empties it when the pressure is over.
  @Test func B46_afterATrimTheBoundIsTheOldOne() throws {
    let memory = memory(1000)
    for index in 0..<50 { try memory.insertBytes(20, "\(index)") }
    memory.trim(to: .low)
    for index in 100..<137 { try memory.insertBytes(20, "\(index)") }
    #expect(memory.bytesHeld == 250 / 20 * 20 + 37 * 20)
    // Less than a level keeps stays as it is.
    memory.trim(to: .critical)
    try memory.insertBytes(20, "x")
    #expect(memory.trim(to: .background) == 0)
    #expect(memory.has("x"))
  }

  @Test func B52_policiesAreHonoured() throws {
    let memory = memory(1000)
    var request = RestPictures.request("a")
    request.cachePolicy.writesMemory = false
    memory.insert(try RestPictures.bytes(20), for: request)
    #expect(memory.count == 0)
    memory.insert(try RestPictures.bytes(20), for: RestPictures.request("a"))
    #expect(memory.image(for: request) != nil)
    request.cachePolicy.readsMemory = false
    #expect(memory.image(for: request) == nil)
    request.cachePolicy = .reload
    #expect(memory.image(for: request) == nil)
    let replaced = try RestPictures.bytes(40)
    memory.insert(replaced, for: request)
    #expect(memory.image(for: RestPictures.request("a")) === replaced)
    #expect(memory.statistics(surface: nil) == CacheStatistics(hits: 2, insertions: 2))
  }

  @Test func I2_removingBytesRemovesEverySizeAndStage() throws {
    let memory = memory(1000)
    let small = RestPictures.request("a", .fit(PixelSize(width: 2, height: 2)))
    var round = RestPictures.request("a")
    round.transforms = [.circle]
    let held = try RestPictures.bytes(20)
    memory.insert(held, for: RestPictures.request("a"))
    memory.insert(held, for: small)
    memory.insert(held, for: round)
    memory.insert(held, key: ImageKeys(round).decoded, surface: nil)
    try memory.insertBytes(20, "ab")
    memory.remove(bytes: ImageKeys(small).bytes)
    #expect(memory.count == 1)
    #expect(memory.has("ab"))
    // Held elsewhere or not.
    #expect(memory.image(for: RestPictures.request("a")) == nil)
    #expect(memory.image(for: round) == nil)
    memory.removeAll()
    #expect(memory.count == 0)
    #expect(memory.bytesHeld == 0)
  }
}

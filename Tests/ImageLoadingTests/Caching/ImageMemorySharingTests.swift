import ImageCodecs
import Loading
import PagingTesting
import Testing

@testable import ImageLoading

/// Shares, pictures that are held elsewhere, other sizes, many threads.
@Suite struct ImageMemorySharingTests {
  private func memory(_ bytes: Int, share: Double = 1, shares: [String: Double] = [:]) -> ImageMemory {
    var config = ImageLoaderConfig()
    config.maxMemoryBytes = bytes
    config.maxMemoryShareOfEntry = share
    config.surfaceShares = shares
    return ImageMemory(config: config, clock: ManualClock())
  }

  // MARK: - Surfaces

  @Test func I17_aSurfaceThatExceedsItsShareEvictsItsOwn() throws {
    let memory = memory(1000, shares: ["feed": 0.2])
    try memory.insertBytes(100, "oldest")
    for index in 0..<5 { try memory.insertBytes(100, "feed\(index)", surface: "feed") }
    #expect(memory.has("oldest"))
    #expect(!memory.has("feed2"))
    #expect(memory.has("feed3"))
    #expect(memory.has("feed4"))
    let feed = memory.figures(surface: "feed")
    #expect(feed.bytesHeld == 200)
    #expect(feed.peakBytesHeld == 200)
    #expect(feed.statistics == CacheStatistics(insertions: 5, evictions: 3))
    #expect(memory.bytesHeld == 300)
  }

  @Test func I17_aPictureLargerThanItsSurfacesShareIsNotKept() throws {
    let memory = memory(1000, shares: ["feed": 0.1])
    try memory.insertBytes(100, "a", surface: "feed")
    try memory.insertBytes(104, "b", surface: "feed")
    #expect(memory.has("a"))
    #expect(!memory.has("b"))
  }

  @Test func I17_overAllSurfacesTheLeastRecentlyUsedLeaves() throws {
    let memory = memory(300)
    try memory.insertBytes(100, "a", surface: "one")
    try memory.insertBytes(100, "b", surface: "two")
    try memory.insertBytes(100, "c")
    _ = memory.image(for: RestPictures.request("a"))
    try memory.insertBytes(100, "d", surface: "three")
    #expect(!memory.has("b"))
    try memory.insertBytes(100, "e", surface: "one")
    #expect(!memory.has("c"))
    #expect(memory.has("a"))
  }

  @Test func I17_figuresAreThoseOfWhoAsked() throws {
    let memory = memory(300)
    try memory.insertBytes(100, "a", surface: "one")
    _ = memory.image(for: RestPictures.request("a", surface: "two"))
    _ = memory.image(for: RestPictures.request("b", surface: "two"))
    #expect(memory.statistics(surface: "one") == CacheStatistics(insertions: 1))
    #expect(memory.statistics(surface: "two") == CacheStatistics(hits: 1, misses: 1))
    #expect(memory.statistics(surface: nil) == CacheStatistics(hits: 1, misses: 1, insertions: 1))
    #expect(memory.statistics(surface: "unheard of") == CacheStatistics())
  }

  /// Names that are made up at run time must not grow without end; those that have a share are known whatever comes.
  @Test func I17_surfacesAreBounded() throws {
    let memory = memory(100_000, shares: ["feed": 0.5])
    for index in 0..<1000 { _ = memory.image(for: RestPictures.request("a", surface: "user\(index)")) }
    #expect(memory.statistics(surface: "user999") == CacheStatistics())
    #expect(memory.statistics(surface: nil).misses == 1000)
    try memory.insertBytes(100, "b", surface: "feed")
    #expect(memory.figures(surface: "feed").bytesHeld == 100)
  }

  // MARK: - Held elsewhere

  @Test func I4_B47_whatATargetHoldsIsFoundAgainAfterEviction() throws {
    let memory = memory(100)
    let shown = try RestPictures.bytes(60)
    memory.insert(shown, for: RestPictures.request("a"))
    try memory.insertBytes(60, "b")
    #expect(memory.bytesHeld == 60)
    #expect(memory.image(for: RestPictures.request("a")) === shown)
    #expect(memory.statistics(surface: nil).hits == 1)
    // It is kept again, in place of what was used less recently.
    #expect(!memory.has("b"))
    #expect(memory.bytesHeld == 60)
  }

  @Test func B47_whatNobodyHoldsIsGone() throws {
    let memory = memory(100)
    var shown: DecodedImage? = try RestPictures.bytes(60)
    weak let seen = shown
    memory.insert(try #require(shown), for: RestPictures.request("a"))
    memory.trim(to: .critical)
    #expect(memory.has("a"))
    shown = nil
    #expect(seen == nil)
    #expect(memory.image(for: RestPictures.request("a")) == nil)
  }

  @Test func B40_oneThatIsTooLargeIsFoundAsLongAsItIsShown() throws {
    let memory = memory(800, share: 0.125)
    let shown = try RestPictures.bytes(400)
    memory.insert(shown, for: RestPictures.request("large"))
    #expect(memory.bytesHeld == 0)
    for _ in 0..<3 { #expect(memory.image(for: RestPictures.request("large")) === shown) }
    #expect(memory.bytesHeld == 0)
  }

  @Test func B47_notesOfWhatIsGoneAreSweptOut() throws {
    var held = HeldImages()
    let kept = try RestPictures.bytes(4)
    for index in 0..<10_000 {
      let key = ImageKey("\(index)")
      let image = index % 1000 == 0 ? kept : try RestPictures.bytes(4)
      held.note(image, ImageMemoryState.Label(key: key, family: nil, made: nil, expires: nil))
    }
    #expect(held.count < 64)
    #expect(held.peek(ImageKey("9000"), now: .zero) === kept)
  }

  // MARK: - Other sizes

  private func sized(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

  @Test func B50_aPixelOfDifferenceIsAHit() throws {
    let memory = memory(1_000_000)
    let image = try RestPictures.plain(200, 133)
    memory.insert(image, for: RestPictures.request("a", .fit(sized(200, 200))))
    for side in [199, 200, 201] {
      #expect(memory.image(for: RestPictures.request("a", .fit(sized(side, side)))) === image, "\(side)")
    }
    for side in [100, 198, 202, 400] {
      #expect(memory.image(for: RestPictures.request("a", .fit(sized(side, side)))) == nil, "\(side)")
    }
    #expect(memory.image(for: RestPictures.request("a")) == nil)
    #expect(memory.image(for: RestPictures.request("b", .fit(sized(200, 200)))) == nil)
    // Covering a square takes a larger picture.
    #expect(memory.image(for: RestPictures.request("a", .fill(sized(200, 200)))) == nil)
    #expect(memory.image(for: RestPictures.request("a", .fill(sized(200, 133)))) === image)
  }

  @Test func B50_aLargerOneDoesWhereTheRequestAllowsIt() throws {
    let memory = memory(1_000_000)
    let large = try RestPictures.plain(400, 266)
    let medium = try RestPictures.plain(200, 133)
    memory.insert(large, for: RestPictures.request("a", .fit(sized(400, 400))))
    memory.insert(medium, for: RestPictures.request("a", .fit(sized(200, 200))))
    var request = RestPictures.request("a", .fit(sized(100, 100)))
    #expect(memory.image(for: request) == nil)
    request.allowsLargerCached = true
    #expect(memory.image(for: request) === medium)
    request.target = .fit(sized(300, 300))
    #expect(memory.image(for: request) === large)
    request.target = .fit(sized(500, 500))
    #expect(memory.image(for: request) == nil)
    request.target = .original
    #expect(memory.image(for: request) == nil)
  }

  /// A picture that is as large as its file can't come out larger, whatever is asked for.
  @Test func B50_theFilesOwnSizeServesAllThatAskForMore() throws {
    let memory = memory(1_000_000)
    let image = try RestPictures.plain(50, 40)
    memory.insert(image, for: RestPictures.request("a", .fit(sized(100, 100))))
    for target in [DecodeTarget.fit(sized(800, 800)), .original, .fill(sized(60, 60))] {
      #expect(memory.image(for: RestPictures.request("a", target)) === image, "\(target)")
    }
    #expect(memory.image(for: RestPictures.request("a", .fit(sized(100, 100)).upscaled)) == nil)
    #expect(memory.image(for: RestPictures.request("a", .fit(sized(30, 30)))) == nil)
  }

  @Test func B51_transformsNeedTheirOwnSize() throws {
    let memory = memory(1_000_000)
    var request = RestPictures.request("a", .fit(sized(200, 200)))
    request.transforms = [.circle]
    memory.insert(try RestPictures.plain(200, 200), for: request)
    #expect(memory.image(for: request) != nil)
    request.target = .fit(sized(201, 201))
    request.allowsLargerCached = true
    #expect(memory.image(for: request) == nil)
    request.target = .fit(sized(100, 100))
    #expect(memory.image(for: request) == nil)
    request.transforms = []
    #expect(memory.image(for: request) == nil)
  }

  @Test func B50_whatHasLeftStandsInForNothing() throws {
    let memory = memory(200 * 133 * 4)
    memory.insert(try RestPictures.plain(200, 133), for: RestPictures.request("a", .fit(sized(200, 200))))
    memory.insert(try RestPictures.plain(200, 133), for: RestPictures.request("b"))
    #expect(memory.image(for: RestPictures.request("a", .fit(sized(201, 201)))) == nil)
  }

  // MARK: - Threads

  @Test func B53_twentyThreadsLeaveTheBooksInOrder() async throws {
    let memory = memory(4_000, share: 0.5, shares: ["s1": 0.25])
    let overruns = RestLoads.Counted()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<20 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(thread))
          for _ in 0..<500 {
            let name = "\(Int.random(in: 0..<40, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
              try memory.insertBytes(4 * Int.random(in: 1...200, using: &random), name, surface: "s\(thread % 3)")
            case 4..<8: _ = memory.image(for: RestPictures.request(name))
            case 8: memory.remove(bytes: ImageKeys(RestPictures.request(name)).bytes)
            default: memory.trim(to: .moderate)
            }
            if memory.bytesHeld > 4_000 || memory.figures(surface: "s1").bytesHeld > 1_000 {
              overruns.add()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(overruns.value == 0)
    var sum = 0
    for index in 0..<40 {
      if let image = memory.peek(ImageKeys(RestPictures.request("\(index)")).final) { sum += image.byteCount }
    }
    #expect(sum == memory.bytesHeld)
    #expect((0..<3).reduce(0) { $0 + memory.figures(surface: "s\($1)").bytesHeld } == sum)
    memory.removeAll()
    #expect(memory.bytesHeld == 0)
  }
}

import Testing

@testable import Loading

@Suite struct BlobIndexTests {
  private func listed(_ key: String, bytes: Int = 10, written: Int, used: Int) -> BlobIndex.Listed {
    BlobIndex.Listed(name: BlobName(of: key), bytes: bytes, written: .seconds(written), used: .seconds(used))
  }

  private func names(_ keys: String...) -> [BlobName] { keys.map(BlobName.init(of:)) }

  @Test func L4_aListingIsTakenInFromTheOldestUsedAndTrimmedToTheCap() {
    var index = BlobIndex(policy: .lru)
    let list = [
      listed("a", written: 1, used: 9), listed("b", written: 2, used: 7), listed("c", written: 3, used: 8),
    ]
    #expect(index.restore(list, cap: 25, now: .seconds(10)) == names("b"))
    #expect(index.byteCount == 20)
    #expect(index.use(BlobName(of: "c"), now: .seconds(10)) == .known(bytes: 10))
    #expect(index.place(BlobName(of: "d"), bytes: 10, cap: 25, written: .zero, now: .seconds(10)) == names("a"))
    // By arrival where the policy says so.
    index = BlobIndex(policy: .fifo)
    #expect(index.restore(list, cap: 25, now: .seconds(10)) == names("a"))
  }

  @Test func L4_whatIsReplacedMakesRoomForItsSuccessorAndStays() {
    var index = BlobIndex(policy: .lru)
    for key in ["a", "b"] {
      #expect(index.place(BlobName(of: key), bytes: 10, cap: 30, written: .zero, now: .zero) == [])
    }
    #expect(index.place(BlobName(of: "a"), bytes: 20, cap: 30, written: .zero, now: .zero) == [])
    #expect(index.byteCount == 30)
    #expect(index.place(BlobName(of: "c"), bytes: 31, cap: 30, written: .zero, now: .zero) == names("c"))
    #expect(index.byteCount == 30)
  }

  @Test func L4_timesToLiveCountFromTheWriteAlsoOfBlobsThatAreListed() {
    var index = BlobIndex(policy: .ttl(.seconds(10)))
    let list = [listed("a", written: 0, used: 19), listed("b", written: 12, used: 12)]
    #expect(index.restore(list, cap: 100, now: .seconds(20)) == names("a"))
    #expect(index.use(BlobName(of: "b"), now: .seconds(21)) == .known(bytes: 10))
    #expect(index.use(BlobName(of: "b"), now: .seconds(22)) == .expired)
    #expect(index.use(BlobName(of: "b"), now: .seconds(22)) == .unknown)
    #expect(index.statistics == CacheStatistics(hits: 1, misses: 2, insertions: 0, evictions: 2, refusals: 0))
    // A clock that was set back makes nothing older than it can be.
    #expect(index.place(BlobName(of: "c"), bytes: 1, cap: 9, written: .seconds(50), now: .seconds(30)) == [])
    #expect(index.use(BlobName(of: "c"), now: .seconds(39)) == .known(bytes: 1))
    #expect(index.use(BlobName(of: "c"), now: .seconds(40)) == .expired)
  }

  @Test func L4_theCapFollowsTheDiskBetweenItsBounds() {
    let config = BlobStoreConfig(maxBytes: 1_000, freeSpaceShare: 0.5, minBytes: 100)
    #expect(config.cap(free: 600, held: 200) == 400)
    #expect(config.cap(free: 0, held: 0) == 100)
    #expect(config.cap(free: .max, held: 0) == 1_000)
    #expect(config.cap(free: nil, held: 200) == 100)
    #expect(BlobStoreConfig(maxBytes: 1_000).cap(free: 1, held: 0) == 1_000)
  }
}

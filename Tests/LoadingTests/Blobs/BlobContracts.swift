import Foundation
import Loading
import Testing

@Suite struct BlobContracts {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(maxBytes: Int = 1 << 20, policy: EvictionPolicy<BlobName> = .lru) throws -> BlobStore {
    var config = BlobStoreConfig(maxBytes: maxBytes, policy: policy)
    config.useTimeResolution = .zero
    return try BlobStore(at: folder.url, config: config)
  }

  private func blob(_ count: Int) -> Data { Data(repeating: 7, count: count) }

  @Test func L4_valuesOfAllLengthsAndKeysOfAllBytesComeBackAlsoAfterARestart() throws {
    let keys = ["", "a", "a/../b", "\0", "ключ", "🦜", String(repeating: "long ", count: 60_000)]
    let lengths = [0, 1, 31, 32, 33, 20_000]
    let first = try store(maxBytes: 1 << 30)
    var bytes = 0
    for (place, key) in keys.enumerated() {
      for length in lengths {
        let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ place) })
        try first.write(data, for: key + "\(length)")
        #expect(try first.data(for: key + "\(length)") == data)
        bytes += 32 + (key + "\(length)").utf8.count + length
      }
    }
    #expect(first.byteCount == bytes)
    let second = try store(maxBytes: 1 << 30)
    #expect(second.byteCount == bytes)
    for (place, key) in keys.enumerated() {
      for length in lengths {
        let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ place) })
        #expect(try second.data(for: key + "\(length)") == data)
      }
    }
    #expect(try second.data(for: "another") == nil)
    #expect(second.damagedCount == 0)
    #expect(second.statistics.hits == keys.count * lengths.count)
    #expect(second.statistics.misses == 1)
  }

  @Test func L4_largeValuesComeBack() throws {
    let store = try store(maxBytes: 1 << 30)
    for length in [(1 << 20) - 35, (1 << 20) - 34, (1 << 20) - 33, 1 << 20, 5_000_003] {
      var data = Data(count: length)
      data[length - 1] = 1
      try store.write(data, for: "key")
      #expect(try store.data(for: "key") == data)
    }
    #expect(store.damagedCount == 0)
  }

  @Test func L4_anOverwrittenValueCountsOnceAndRemovedOnesAreGone() throws {
    let store = try store()
    try store.write(blob(100), for: "a")
    try store.write(blob(50), for: "a")
    try store.write(blob(10), for: "b")
    #expect(store.byteCount == 33 + 50 + 33 + 10)
    try store.remove("a")
    try store.remove("never there")
    #expect(try store.data(for: "a") == nil)
    #expect(store.byteCount == 33 + 10)
    try Data().write(to: folder.url.appendingPathComponent("of others"))
    try store.removeAll()
    #expect(store.byteCount == 0)
    #expect(try store.data(for: "b") == nil)
    #expect(try folder.names() == ["of others"])
  }

  @Test func L4_theOldestUsedLeavesFirstAndTheCapHoldsAlsoAfterARestart() throws {
    let first = try store(maxBytes: 4 * 133)
    for key in ["a", "b", "c", "d"] { try first.write(blob(100), for: key) }
    #expect(try first.data(for: "a") != nil)
    try first.write(blob(100), for: "e")
    #expect(try first.data(for: "b") == nil)
    #expect(first.byteCount == 4 * 133)
    #expect(try first.data(for: "c") != nil)
    // From the oldest: d, a, e, c.
    let second = try store(maxBytes: 4 * 133)
    try second.write(blob(2 * 133 - 33), for: "f")
    #expect(try second.data(for: "d") == nil)
    #expect(try second.data(for: "a") == nil)
    #expect(second.statistics.evictions == 2)
    let third = try store(maxBytes: 3 * 133)
    #expect(third.byteCount == 3 * 133)
    #expect(try folder.blobBytes() == 3 * 133)
    #expect(try third.data(for: "e") == nil)
    #expect(try third.data(for: "c") != nil)
    #expect(try third.data(for: "f") != nil)
  }

  @Test func L4_aValueAboveTheCapIsRefusedAndTheOldOnesStay() throws {
    let store = try store(maxBytes: 300)
    try store.write(blob(100), for: "a")
    #expect(loadingCode { try store.write(blob(268), for: "a") } == .valueTooLarge)
    #expect(try store.data(for: "a") == blob(100))
    #expect(store.statistics.refusals == 1)
    try store.write(blob(267), for: "a")
    #expect(store.byteCount == 300)
    #expect(try folder.names().count == 1)
  }

  @Test func L4_thePolicysOrderAndLimitsDecide() throws {
    let newest = try store(policy: .lifo + .maxCount(2))
    for key in ["a", "b", "c"] { try newest.write(blob(1), for: key) }
    #expect(try newest.data(for: "b") == nil)
    #expect(try newest.data(for: "a") != nil)
    // By arrival, whatever was read since.
    let oldest = try store(policy: .fifo + .maxCount(2))
    #expect(try oldest.data(for: "a") != nil)
    try oldest.write(blob(1), for: "d")
    #expect(try oldest.data(for: "a") == nil)
    #expect(try oldest.data(for: "c") != nil)
    let none = try store(policy: .ttl(.zero))
    #expect(try folder.names().isEmpty)
    #expect(loadingCode { try none.write(blob(1), for: "a") } == .valueTooLarge)
  }

  @Test func L4_aTimeToLiveGoesOnWhileNoStoreIsOpen() throws {
    try store().write(blob(1), for: "old")
    try store().write(blob(1), for: "new")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: folder.file(of: "old").path)
    let store = try store(policy: .lru + .ttl(.seconds(90)))
    #expect(try store.data(for: "old") == nil)
    #expect(try store.data(for: "new") != nil)
    #expect(try folder.names().count == 1)
  }

  @Test func L4_filesAndFolderAreTheirOwnersOnly() throws {
    let url = folder.url.appendingPathComponent("deep/deeper")
    let store = try BlobStore(at: url)
    try store.write(blob(1), for: "a")
    #expect(try folder.mode(of: url) == 0o700)
    #expect(try folder.mode(of: url.deletingLastPathComponent()) == 0o700)
    #expect(try folder.mode(of: url.appendingPathComponent(BlobName(of: "a").fileName)) == 0o600)
  }

  @Test func L4_aConfigurationOutOfRangeIsRefused() throws {
    for config in [
      BlobStoreConfig(maxBytes: 0), BlobStoreConfig(maxBytes: 9, minBytes: 10), BlobStoreConfig(minBytes: -1),
      BlobStoreConfig(freeSpaceShare: 1.1), BlobStoreConfig(freeSpaceShare: .nan), BlobStoreConfig(freeSpaceShare: -1),
    ] {
      #expect(loadingCode { _ = try BlobStore(at: folder.url, config: config) } == .invalidConfig)
    }
    let web = try #require(URL(string: "https://example.com/blobs"))
    #expect(loadingCode { _ = try BlobStore(at: web) } == .invalidConfig)
    try Data().write(to: folder.url.appendingPathComponent("file"))
    #expect(loadingCode { _ = try BlobStore(at: folder.url.appendingPathComponent("file")) } == .inputOutput)
  }
}

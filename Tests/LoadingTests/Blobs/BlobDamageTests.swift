import BlobWriter
import Foundation
import Loading
import Testing

@Suite struct BlobDamageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func value(_ key: Int) -> Data { NumberedValue.bytes(key: key, number: 1) }
  private func file(_ key: Int) -> URL { folder.file(of: NumberedValue.key(key)) }

  /// A store with keys from zero; of small values, so that damage meets the heads often.
  private func filled(_ count: Int) throws -> BlobStore {
    let store = try BlobStore(at: folder.url)
    for key in 0..<count { try store.write(value(key), for: NumberedValue.key(key)) }
    return store
  }

  @Test func L4_anyFlippedBitOfAFileReadsAsAbsentAndTheFileIsRemoved() throws {
    let store = try BlobStore(at: folder.url)
    try store.write(Data([1, 2, 3]), for: "key")
    let whole = try Data(contentsOf: folder.file(of: "key"))
    for place in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[place] ^= 1 << bit
        try damaged.write(to: folder.file(of: "key"))
        #expect(try store.data(for: "key") == nil)
        #expect(try folder.names().isEmpty)
        #expect(store.byteCount == 0)
      }
    }
    #expect(store.damagedCount == whole.count * 8)
    try whole.write(to: folder.file(of: "key"))
    #expect(try store.data(for: "key") == Data([1, 2, 3]))
  }

  @Test func L4_aFileOfAnyOtherLengthReadsAsAbsent() throws {
    let store = try BlobStore(at: folder.url)
    try store.write(Data([1, 2, 3]), for: "key")
    let whole = try Data(contentsOf: folder.file(of: "key"))
    for length in Array(0..<whole.count) + [whole.count + 1, 2 << 20] {
      let cut = whole.prefix(length) + Data(count: max(0, length - whole.count))
      try cut.write(to: folder.file(of: "key"))
      // Half of the time to a store that has not seen the whole file.
      let reader = length.isMultiple(of: 2) ? store : try BlobStore(at: folder.url)
      #expect(try reader.data(for: "key") == nil)
      #expect(reader.damagedCount > 0)
      #expect(try folder.names().isEmpty)
    }
  }

  private static let memory = "/dev/shm"

  @Test(
    .enabled(if: FileManager.default.isWritableFile(atPath: memory), "needs a volume that takes files of any length"))
  func L4_filesThatClaimToBeHugeAreDamagedOnes() throws {
    let folder = try TemporaryFolder(in: URL(fileURLWithPath: Self.memory))
    try BlobStore(at: folder.url).write(Data([1]), for: "whole")
    for key in ["a", "b", "c"] {
      try Data().write(to: folder.file(of: key))
      #expect(truncate(folder.file(of: key).path, 1 << 62) == 0)
    }
    let store = try BlobStore(at: folder.url, config: BlobStoreConfig(maxBytes: .max))
    #expect(store.byteCount > 1 << 40)
    for key in ["a", "b", "c"] { #expect(try store.data(for: key) == nil) }
    #expect(store.damagedCount == 3)
    #expect(try store.data(for: "whole") == Data([1]))
    #expect(store.byteCount == 32 + 5 + 1)
  }

  @Test func L4_aFileUnderAnothersNameIsAMissAndRemoved() throws {
    let store = try filled(3)
    try FileManager.default.removeItem(at: file(1))
    try FileManager.default.moveItem(at: file(0), to: file(1))
    #expect(try store.data(for: NumberedValue.key(0)) == nil)
    #expect(try store.data(for: NumberedValue.key(1)) == nil)
    #expect(store.damagedCount == 1)
    #expect(try store.data(for: NumberedValue.key(2)) == value(2))
    #expect(try folder.names().count == 1)
  }

  @Test func L4_linksAndFoldersInABlobsPlaceAreNotFollowed() throws {
    let store = try filled(2)
    let secret = folder.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: file(0), to: secret)
    try FileManager.default.createSymbolicLink(at: file(0), withDestinationURL: secret)
    #expect(try store.data(for: NumberedValue.key(0)) == nil)
    #expect(FileManager.default.fileExists(atPath: secret.path))
    try FileManager.default.removeItem(at: file(1))
    try FileManager.default.createDirectory(at: file(1), withIntermediateDirectories: false)
    #expect(try store.data(for: NumberedValue.key(1)) == nil)
    #expect(loadingCode { try store.write(Data(), for: NumberedValue.key(1)) } == .inputOutput)
    #expect(try BlobStore(at: folder.url).byteCount == 0)
    try store.write(value(0), for: NumberedValue.key(0))
    #expect(try store.data(for: NumberedValue.key(0)) == value(0))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func L4_afterRandomDamageNoWrongByteComesAndEverythingUndamagedIsThere(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = 24
    var store = try filled(count)
    for _ in 0..<60 {
      var damaged: Set<Int> = []
      for _ in 0..<4 {
        let key = Int.random(in: 0..<count, using: &generator)
        if !damaged.insert(key).inserted { continue }
        try damage(key, using: &generator)
      }
      if Bool.random(using: &generator) { store = try BlobStore(at: folder.url) }
      for key in 0..<count {
        let data = try store.data(for: NumberedValue.key(key))
        #expect(data == (damaged.contains(key) ? nil : value(key)))
      }
      // What was renamed lies there unread, and is known of to a store that has opened since.
      #expect(try folder.blobBytes() == BlobStore(at: folder.url).byteCount)
      for key in damaged { try store.write(value(key), for: NumberedValue.key(key)) }
    }
  }

  private func damage(_ key: Int, using generator: inout SeededGenerator) throws {
    var bytes = try Data(contentsOf: file(key))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1:
      let place = Int.random(in: 0..<(Bool.random(using: &generator) ? bytes.count : 40), using: &generator)
      bytes[place] ^= UInt8.random(in: 1 ... .max, using: &generator)
      try bytes.write(to: file(key))
    case 2: try bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)).write(to: file(key))
    case 3: try (bytes + [0]).write(to: file(key))
    case 4: try FileManager.default.removeItem(at: file(key))
    default:
      try FileManager.default.moveItem(at: file(key), to: folder.file(of: "no key \(generator.next())"))
    }
  }
}

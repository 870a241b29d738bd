// Processes of their own can be started here only.
#if os(macOS) || os(Linux)
  import BlobWriter
  import Foundation
  import Loading
  import Testing

  @Suite struct BlobProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The default cap, which is never reached, and one of which half has to leave all the time.
    @Test(arguments: [150 << 20, 80_000])
    func L4_twoProcessesOnOneFolderReadNoWrongBytes(maxBytes: Int) throws {
      let writers = try [1, 2].map { seed in
        try BlobWriterProcess.start(["share", folder.path, String(seed), String(maxBytes), "400"])
      }
      for writer in writers {
        writer.waitUntilExit()
        #expect(writer.terminationStatus == 0)
      }
      let store = try BlobStore(at: folder.url, config: BlobStoreConfig(maxBytes: maxBytes))
      #expect(store.byteCount <= maxBytes)
      var there = 0
      for key in 0..<40 {
        guard let data = try store.data(for: NumberedValue.key(key)) else { continue }
        #expect(NumberedValue.isWhole(data, key: key))
        if key >= 20 { there += 1 }
      }
      // Each of these was written some ten times, and nobody removed one.
      if maxBytes > 80_000 { #expect(there == 20) }
      #expect(store.damagedCount == 0)
      #expect(try folder.names().allSatisfy { $0.hasSuffix(".blob") })
    }

    @Test func L4_whatAnotherStoreWroteReplacedOrRemovedIsSeen() throws {
      let config = BlobStoreConfig(maxBytes: 1_000)
      let (first, second) = (
        try BlobStore(at: folder.url, config: config), try BlobStore(at: folder.url, config: config)
      )
      try first.write(Data([1]), for: "a")
      #expect(try second.data(for: "a") == Data([1]))
      try second.write(Data([1, 2]), for: "a")
      #expect(try first.data(for: "a") == Data([1, 2]))
      #expect(first.byteCount == second.byteCount)
      try first.remove("a")
      #expect(try second.data(for: "a") == nil)
      #expect(second.byteCount == 0)
      // What the first evicts, the second still thinks of; it is evicted there quietly.
      try second.write(Data(count: 400), for: "b")
      #expect(try first.data(for: "b") != nil)
      try first.write(Data(count: 900), for: "c")
      #expect(second.byteCount == 433)
      try second.write(Data(count: 800), for: "d")
      #expect(second.byteCount == 833)
      #expect(second.damagedCount + first.damagedCount == 0)
    }

    @Test func L4_anUnfinishedFileIsRemovedWhenItsWriterIsGone() throws {
      let abandoned = folder.url.appendingPathComponent(".writing-1")
      let underWay = folder.url.appendingPathComponent(".writing-2")
      try Data([1]).write(to: abandoned)
      try Data([1]).write(to: underWay)
      let writer = open(underWay.path, O_RDWR)
      defer { close(writer) }
      #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
      _ = try BlobStore(at: folder.url)
      #expect(try folder.names() == [".writing-2"])
    }

    @Test func L4_aFolderThatWasRemovedUnderTheStoreIsMadeAgain() throws {
      let url = folder.url.appendingPathComponent("blobs")
      let store = try BlobStore(at: url)
      try store.write(Data([1]), for: "a")
      try FileManager.default.removeItem(at: url)
      #expect(try store.data(for: "a") == nil)
      try store.remove("a")
      try store.write(Data([2]), for: "b")
      #expect(try store.data(for: "b") == Data([2]))
      #expect(store.byteCount == 34)
    }

    @Test func L4_filesAndFoldersThatCantBeOpenedCostNoneButThemselves() throws {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
      let output = Pipe()
      let inner = folder.url.appendingPathComponent("blobs")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
      let process = try BlobWriterProcess.start(["unreadable", inner.path], output: output)
      let text = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(String(decoding: text, as: UTF8.self) == "done\n")
      #expect(process.terminationStatus == 0)
    }

    private static let canMount = FileManager.default.fileExists(atPath: "/proc/self") && getuid() == 0

    @Test(.enabled(if: canMount, "needs Linux and root, to mount a small volume"))
    func L4_aFullDiskFailsTheWriteAndTheStoreGoesOn() throws {
      try run("mount", "-t", "tmpfs", "-o", "size=256k", "blobs", folder.path)
      defer { try? run("umount", folder.path) }
      let store = try BlobStore(at: folder.url)
      var kept: [Int] = []
      var failures = 0
      for key in 0..<200 {
        switch loadingCode({ try store.write(NumberedValue.bytes(key: key, number: 1), for: NumberedValue.key(key)) }) {
        case nil: kept.append(key)
        case .diskFull: failures += 1
        case let code: Issue.record("\(String(describing: code))")
        }
      }
      #expect(kept.count > 20)
      #expect(failures > 20)
      // An overwrite that fails leaves the earlier value.
      let first = try #require(kept.first)
      #expect(loadingCode { try store.write(Data(count: 200_000), for: NumberedValue.key(first)) } == .diskFull)
      for key in kept {
        #expect(try store.data(for: NumberedValue.key(key)) == NumberedValue.bytes(key: key, number: 1))
      }
      #expect(try folder.names().count == kept.count)
      #expect(try folder.blobBytes() == store.byteCount)
      for key in kept.dropLast(5) { try store.remove(NumberedValue.key(key)) }
      try store.write(Data(count: 100_000), for: "again")
      #expect(try store.data(for: "again") == Data(count: 100_000))

      // A cap of half of the free space, which the store's own bytes count as.
      let capped = try BlobStore(at: folder.url, config: BlobStoreConfig(freeSpaceShare: 0.5, minBytes: 1_000))
      for key in 0..<100 { try capped.write(Data(count: 4_000), for: "capped \(key)") }
      #expect(capped.byteCount <= 131_072)
      #expect(capped.byteCount > 100_000)
    }

    private func run(_ command: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }
#endif

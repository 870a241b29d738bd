import Foundation
import Loading
import LoadingHTTP
import PagingTesting
import Testing

@testable import ImageLoading

/// Several at one folder of blobs: one replaces, removes or lists while another reads.
@Suite struct ImageDiskSharingTests {
  private func disk(_ folder: URL, maxBytes: Int = 64 << 20) -> ImageDisk {
    ImageDisk(
      folder: ImageFolder(in: folder, version: 1), maxBytes: maxBytes, lane: LoadScheduler(),
      failed: { Issue.record("the disk fails: \($0)") })
  }

  /// Of a number, as long as it says and full of it.
  private static func blob(_ number: UInt8) -> Data { Data(repeating: number, count: 20_000 * Int(number)) }

  /// The number that a blob is of; 0 where it isn't whole.
  private static func number(of blob: Data) -> UInt8 {
    guard let number = blob.first, blob.elementsEqual(Self.blob(number)) else { return 0 }
    return number
  }

  /// The number that a disk has under a name; nil where it has nothing, 0 where it isn't whole.
  private func number(_ name: String, in disk: ImageDisk) async throws -> UInt8? {
    try await disk.blob(name, ticket: LoadTicket()).map(Self.number)
  }

  @Test func B65_whoReadsWhileABlobIsReplacedSeesAWholeOne() async throws {
    let folder = FetchBench.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let writer = disk(folder)
    writer.write(Self.blob(1), for: "x")
    await writer.flush()
    // Readers of their own have nothing staged: they see the files.
    let readers = [disk(folder), disk(folder)]
    let seen = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for reader in readers {
        group.addTask {
          var seen: [UInt8] = []
          for _ in 0..<150 {
            seen.append(try await self.number("x", in: reader) ?? 0)
          }
          return seen
        }
      }
      group.addTask {
        for number in UInt8(2)...40 {
          writer.write(Self.blob(number), for: "x")
          await writer.flush()
        }
        return []
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for one in seen {
      #expect(!one.contains(0), "it is there throughout, and whole")
      #expect(one == one.sorted(), "never an earlier one after a later one")
    }
    for reader in readers { #expect(try await number("x", in: reader) == 40) }
  }

  @Test func B66_whoHasReadABlobKeepsItWhenItsFileGoes() async throws {
    let folder = FetchBench.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (writer, reader) = (disk(folder), disk(folder))
    for round in 0..<20 {
      writer.write(Self.blob(100), for: "x")
      await writer.flush()
      let before = try #require(try await reader.blob("x", ticket: LoadTicket()))
      async let during = number("x", in: reader)
      writer.remove("x")
      await writer.flush()
      let meanwhile = try await during
      #expect(meanwhile == nil || meanwhile == 100, "round \(round)")
      #expect(Self.number(of: before) == 100)
      #expect(try await number("x", in: reader) == nil)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("v1").path)
    #expect(files.isEmpty)
  }

  @Test func B71_whatIsStoredWhileTheFolderIsListedIsFound() async throws {
    let folder = FetchBench.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let earlier = disk(folder)
    for name in 0..<200 { earlier.write(Self.blob(1), for: "\(name)") }
    await earlier.flush()
    // The folder is listed with the first look, which comes after the write, before it or at the same time.
    let later = disk(folder)
    async let old = number("7", in: later)
    later.write(Self.blob(2), for: "x")
    #expect(try await number("x", in: later) == 2)
    let listed = try await old
    #expect(listed == 1)
    // What another one stored after the listing is found too.
    earlier.write(Self.blob(3), for: "y")
    await earlier.flush()
    await later.flush()
    #expect(try await number("y", in: later) == 3)
    #expect(try await number("x", in: disk(folder)) == 2)
  }

  @Test func B60_aFileThatIsRemovedFromOutsideIsAMissAndNoFailure() async throws {
    let folder = FetchBench.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk = disk(folder)
    disk.write(Self.blob(1), for: "x")
    disk.write(Self.blob(2), for: "y")
    await disk.flush()
    let files = try FileManager.default.contentsOfDirectory(
      at: folder.appendingPathComponent("v1"), includingPropertiesForKeys: [.fileSizeKey])
    #expect(files.count == 2)
    for file in files where try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 < 30_000 {
      try FileManager.default.removeItem(at: file)
    }
    #expect(try await number("x", in: disk) == nil)
    #expect(try await number("y", in: disk) == 2)
    disk.write(Self.blob(3), for: "x")
    await disk.flush()
    #expect(try await number("x", in: disk) == 3)
    #expect(disk.statistics.misses == 1)
  }
}

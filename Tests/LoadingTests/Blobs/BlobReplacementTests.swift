import Foundation
import Testing

@testable import Loading

/// L4: a value is replaced by another file, never changed in place.
@Suite struct BlobReplacementTests {
  /// Who has the old value's file open reads all of it, whatever is written meanwhile, as does a system that died at any
  /// instant of the write.
  @Test func L4_theOldValueStaysWholeForWhoReadsIt() throws {
    let folder = try TemporaryFolder()
    let store = try BlobStore(at: folder.url)
    let old = Data(repeating: 1, count: 100_000)
    try store.write(old, for: "a")
    let reader = try FileHandle(forReadingFrom: folder.file(of: "a"))
    defer { try? reader.close() }
    let before = try #require(FileStatus(at: folder.file(of: "a").path)?.identity)
    for count in [100_000, 10, 200_000] {
      try store.write(Data(repeating: 2, count: count), for: "a")
      try reader.seek(toOffset: 0)
      #expect(try reader.readToEnd()?.prefix(old.count) == old)
      #expect(try store.data(for: "a")?.count == count)
    }
    #expect(FileStatus(at: folder.file(of: "a").path)?.identity != before)
  }
}

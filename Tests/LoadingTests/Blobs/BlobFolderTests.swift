import Foundation
import Testing

@testable import Loading

@Suite struct BlobFolderTests {
  @Test func L4_aBlobThatTookTheDamagedOnesNameIsNotRemoved() throws {
    let folder = try TemporaryFolder()
    let blobs = BlobFolder(path: folder.path)
    let name = BlobName(of: "a")
    try Data([1]).write(to: folder.file(of: "a"))
    let old = try #require(FileStatus(at: blobs.path(of: name))?.identity)
    try Data([2]).write(to: folder.url.appendingPathComponent("new"))
    #expect(rename(folder.path + "/new", blobs.path(of: name)) == 0)
    blobs.remove(name, if: old)
    #expect(try Data(contentsOf: folder.file(of: "a")) == Data([2]))
    blobs.remove(name, if: try #require(FileStatus(at: blobs.path(of: name))?.identity))
    #expect(try folder.names().isEmpty)
  }

  @Test func L4_anotherKeysBlobOfTheSameNameIsAMissAndStays() throws {
    // No two keys of one name are known; so the name that is looked at is another one's on purpose.
    let folder = try TemporaryFolder()
    let store = try BlobStore(at: folder.url)
    try store.write(Data([1, 2]), for: "a")
    for key in ["b", "a longer key", ""] {
      let reading = BlobReading(
        at: folder.file(of: "a").path, name: BlobName(of: "a"), key: key, now: .zero, resolution: .seconds(60))
      guard case .otherKey = reading else {
        Issue.record("\(reading)")
        continue
      }
    }
    #expect(try store.data(for: "a") == Data([1, 2]))
  }

  @Test func L4_stampsOfUseAreInOrderWhateverTheClockSays() {
    var last = Duration.zero
    for _ in 0..<10_000 {
      let stamp = Duration(since1970: WallClock.stamp())
      #expect(stamp > last)
      last = stamp
    }
  }

  @Test func L4_aReadMarksItsBlobOnceInAWhile() throws {
    let folder = try TemporaryFolder()
    let store = try BlobStore(at: folder.url)
    try store.write(Data([1]), for: "a")
    let written = try #require(FileStatus(at: folder.file(of: "a").path))
    #expect(try store.data(for: "a") != nil)
    #expect(FileStatus(at: folder.file(of: "a").path)?.used == written.used)
    // A minute later, as the file tells it.
    let times = [timespec(tv_sec: 1_000, tv_nsec: 5), timespec(tv_sec: 900, tv_nsec: 7)]
    #expect(utimensat(AT_FDCWD, folder.file(of: "a").path, times, 0) == 0)
    #expect(try store.data(for: "a") != nil)
    let read = try #require(FileStatus(at: folder.file(of: "a").path))
    #expect(read.used > written.used)
    #expect(read.written == .seconds(900) + .nanoseconds(7))
  }
}

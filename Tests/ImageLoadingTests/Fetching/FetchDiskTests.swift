import Foundation
import Loading
import LoadingHTTP
import PagingTesting
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(10))) struct FetchDiskTests {
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=100000"]

  private func disk(
    _ folder: URL, maxBytes: Int = 1 << 20, version: Int = 1, failed: FetchTrail<String> = .init()
  ) -> ImageDisk {
    ImageDisk(
      folder: ImageFolder(in: folder, version: version), maxBytes: maxBytes, lane: LoadScheduler(),
      failed: { _ in failed.add("failed") })
  }

  private func text(_ disk: ImageDisk, _ name: String) async throws -> String? {
    try await disk.blob(name, ticket: LoadTicket()).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func B54_whatIsHandedOverIsThereBeforeItIsWritten() async throws {
    // A folder that can't be, and a writer that stands still while it tells of that: nothing is ever written.
    let goesOn = Signal()
    defer { goesOn.fire() }
    let stuck = ImageDisk(
      folder: ImageFolder(in: URL(filePath: "/dev/null/nowhere")), maxBytes: 1 << 20, lane: LoadScheduler(),
      failed: { _ in goesOn.block() })
    stuck.write(Data("a".utf8), for: "x")
    stuck.write(Data("b".utf8), for: "y")
    #expect(try await text(stuck, "x") == "a")
    #expect(try await text(stuck, "y") == "b")
    goesOn.fire()
    await stuck.flush()
    #expect(try await text(stuck, "x") == nil)
    let folder = FetchBench.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let working = self.disk(folder)
    for number in 0..<50 {
      working.write(Data("\(number)".utf8), for: "x")
      #expect(try await text(working, "x") == "\(number)")
    }
    await working.flush()
    #expect(try await text(working, "x") == "49")
  }

  @Test func B55_whatIsRemovedBeforeItIsWrittenIsGone() async throws {
    let folder = FetchBench.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk = disk(folder)
    for number in 0..<20 {
      disk.write(Data("a".utf8), for: "x\(number)")
      disk.remove("x\(number)")
      #expect(try await text(disk, "x\(number)") == nil)
    }
    await disk.flush()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("v1").path)
    #expect(files.isEmpty)
  }

  @Test func B56_afterRemovingAllOnlyTheNewIsThere() async throws {
    let folder = FetchBench.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk = disk(folder)
    disk.write(Data("old".utf8), for: "x")
    await disk.flush()
    disk.write(Data("old".utf8), for: "y")
    disk.removeAll()
    #expect(try await text(disk, "x") == nil)
    disk.write(Data("new".utf8), for: "z")
    await disk.flush()
    #expect(try await text(disk, "x") == nil)
    #expect(try await text(disk, "y") == nil)
    #expect(try await text(disk, "z") == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("v1").path).count == 1)
  }

  @Test func B57_whatWasStoredIsThereAfterARestart() async {
    let bench = FetchBench()
    bench.answer("/a", (200, fresh, "one"))
    _ = await bench.outcome()
    await bench.flush()
    let later = FetchBench(folder: bench.folder)
    #expect(await later.outcome() == "disk one")
  }

  @Test(arguments: ["cut", "changed", "emptied", "removed", "stranger"])
  func B58_B60_BUG28_aBadEntryCostsThatEntry(damage: String) async throws {
    let bench = FetchBench()
    bench.answer("/a", (200, fresh, "one"), (200, fresh, "again"))
    _ = await bench.outcome()
    await bench.flush()
    let file = try #require(bench.files().first)
    bench.answer("/b", (200, fresh, "other"))
    _ = await bench.outcome(FetchBench.request("/b"))
    await bench.flush()
    var bytes = try Data(contentsOf: file)
    switch damage {
    case "cut": try bytes.prefix(bytes.count - 5).write(to: file)
    case "changed":
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: file)
    case "emptied": try Data().write(to: file)
    case "removed": try FileManager.default.removeItem(at: file)
    default:
      bench.fetcher.disk?.write(
        Data("not ours".utf8), for: ImageDisk.name(ImageKeys(FetchBench.request()).bytes, kind: "original"))
    }
    #expect(await bench.outcome() == "network again")
    #expect(await bench.outcome(FetchBench.request("/b")) == "disk other")
    #expect(await bench.outcome() == "disk again", "and its place is taken")
    #expect(!bench.news.contains("diskFailed"))
  }

  @Test func B61_aFolderThatIsRemovedIsMadeAgain() async throws {
    let bench = FetchBench()
    bench.answer("/a", (200, fresh, "one"), (200, fresh, "two"))
    _ = await bench.outcome()
    await bench.flush()
    try FileManager.default.removeItem(at: bench.folder)
    #expect(await bench.outcome() == "network two")
    await bench.flush()
    #expect(bench.files().count == 1)
    #expect(await bench.outcome() == "disk two")
  }

  @Test func B62_aDiskThatFailsCostsNoLoadAndIsToldOnce() async throws {
    let blocked = FetchBench.newFolder()
    try Data("a file in the folder's place".utf8).write(to: blocked)
    defer { try? FileManager.default.removeItem(at: blocked) }
    let bench = FetchBench(folder: blocked)
    for path in ["/a", "/b", "/c"] {
      bench.answer(path, (200, fresh, path))
      #expect(await bench.outcome(FetchBench.request(path)) == "network \(path)")
      await bench.flush()
    }
    #expect(bench.news.count { $0 == "diskFailed" } == 1)
    // It works again, and then fails again: that is news.
    try FileManager.default.removeItem(at: blocked)
    _ = await bench.outcome(FetchBench.request("/c"))
    await bench.flush()
    #expect(await bench.outcome(FetchBench.request("/c")) == "disk /c")
    try FileManager.default.removeItem(at: blocked)
    try Data("again".utf8).write(to: blocked)
    bench.answer("/d", (200, fresh, "d"))
    #expect(await bench.outcome(FetchBench.request("/d")) == "network d")
    await bench.flush()
    #expect(bench.news.count { $0 == "diskFailed" } == 2)
  }

  @Test func B64_anAnswerBeyondTheLimitIsShownAndNotKept() async {
    let bench = FetchBench { $0.maxDiskBytes = 2_000 }
    bench.answer("/a", (200, fresh, "small"))
    _ = await bench.outcome()
    bench.answer("/b", (200, fresh, String(repeating: "b", count: 3_000)))
    #expect(await bench.outcome(FetchBench.request("/b")).count > 3_000)
    await bench.flush()
    #expect(await bench.outcome() == "disk small", "nobody else had to leave")
    #expect(bench.files().count == 1 && bench.fetcher.diskStatistics.refusals == 1)
    #expect(!bench.news.contains("diskFailed"))
  }

  @Test func B63_theOldestLeaveAboveTheLimit() async {
    let bench = FetchBench { $0.maxDiskBytes = 3_000 }
    for path in ["/a", "/b", "/c", "/d"] {
      bench.answer(path, (200, fresh, String(repeating: path, count: 400)))
      _ = await bench.outcome(FetchBench.request(path))
      await bench.flush()
    }
    #expect(await bench.outcome(FetchBench.request("/d")).hasPrefix("disk"))
    #expect(await bench.outcome(FetchBench.request("/a")).hasPrefix("network"))
    #expect(bench.fetcher.diskStatistics.evictions > 0)
  }

  @Test func B69_anEarlierVersionIsRemovedOnceAndOthersFoldersAreLeft() async throws {
    let bench = FetchBench()
    let parent = bench.folder
    for name in ["v0", "v2", "v01", "mine", "vx"] {
      let folder = parent.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: folder.appendingPathComponent("file"))
    }
    let disk = disk(parent, version: 1)
    disk.write(Data("a".utf8), for: "x")
    await disk.flush()
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: parent.path)) == ["v1", "v2", "v01", "mine", "vx"])
    let next = self.disk(parent, version: 3)
    #expect(try await text(next, "x") == nil)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: parent.path)) == ["v3", "v01", "mine", "vx"])
  }

  @Test func B70_twoOnOneFolderDoNoHarm() async {
    let bench = FetchBench()
    let other = FetchBench(folder: bench.folder)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        let bench = number.isMultiple(of: 2) ? bench : other
        let path = "/\(number % 5)"
        bench.answer(path, (200, fresh, path))
        group.addTask {
          let outcome = await bench.outcome(FetchBench.request(path))
          #expect(outcome.hasSuffix(path), "\(outcome)")
        }
      }
    }
    await bench.flush()
    await other.flush()
    #expect(await other.outcome(FetchBench.request("/0")).hasPrefix("disk"))
    #expect(bench.files().count == 5)
  }

  @Test func B73_bytesThatNobodyCanDecodeAreForgottenAndAskedForAgain() async {
    let bench = FetchBench()
    bench.answer("/a", (200, fresh, "garbage"), (200, fresh, "picture"))
    _ = await bench.outcome()
    await bench.flush()
    bench.fetcher.forget(ImageKeys(FetchBench.request()).bytes)
    #expect(await bench.outcome() == "network picture")
    #expect(await bench.outcome() == "disk picture")
  }

  @Test func B75_readingAndWritingCanBeForbidden() async {
    let bench = FetchBench()
    bench.answer("/a", (200, fresh, "one"), (200, fresh, "two"), (200, fresh, "three"))
    let unwritten = FetchBench.request { $0.cachePolicy.writesDisk = false }
    #expect(await bench.outcome(unwritten) == "network one")
    #expect(await bench.outcome() == "network two")
    #expect(await bench.outcome(FetchBench.request { $0.cachePolicy.readsDisk = false }) == "network three")
    #expect(await bench.outcome() == "disk three")
  }

  @Test func B72_originalsAreKeptOnlyWhereTheyAreToBe() async {
    let bench = FetchBench { $0.diskContent = .processed }
    bench.answer("/a", (200, fresh, "one"))
    _ = await bench.outcome()
    #expect(await bench.outcome() == "network one")
    await bench.flush()
    #expect(bench.files().isEmpty)
    let none = FetchBench { $0.diskFolder = nil }
    none.answer("/a", (200, fresh, "one"))
    _ = await none.outcome()
    #expect(await none.outcome() == "network one")
  }

  @Test func I5_filesAreTheirOwnersOnly() async throws {
    let bench = FetchBench()
    bench.answer("/a", (200, fresh, "one"))
    _ = await bench.outcome()
    await bench.flush()
    let file = try #require(bench.files().first)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func I5_removingAllForgetsPartsAndFailuresToo() async {
    let bench = FetchBench()
    bench.answer("/a", (404, [:], ""), (200, fresh, "one"))
    _ = await bench.outcome()
    bench.fetcher.removeAll()
    #expect(await bench.outcome() == "network one")
    bench.fetcher.removeAll()
    #expect(await bench.outcome() == "network one")
  }
}

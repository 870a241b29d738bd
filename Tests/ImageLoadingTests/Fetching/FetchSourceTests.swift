import Foundation
import Loading
import LoadingHTTP
import PagingTesting
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(10))) struct FetchSourceTests {
  private func request(_ text: String) -> ImageRequest {
    ImageRequest(source: .url(URL(string: text) ?? URL(filePath: "/")))
  }

  private func file(_ bytes: Data) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fetch ü \(UUID().uuidString).png")
    try bytes.write(to: url)
    return url
  }

  @Test func B74_filesAndDataAreReadWhereTheyAreAndNotCopied() async throws {
    let bench = FetchBench()
    let url = try file(Data("hello".utf8))
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(await bench.outcome(ImageRequest(url)) == "disk hello")
    #expect(await bench.outcome(ImageRequest(source: .file(url))) == "disk hello")
    #expect(
      await bench.outcome(request(url.absoluteString.replacingOccurrences(of: "file:", with: "FILE:"))) == "disk hello")
    #expect(await bench.outcome(request("data:image/png;base64,aGVsbG8=")) == "data hello")
    #expect(await bench.outcome(request("DATA:,hi")) == "data hi")
    #expect(await bench.outcome(ImageRequest(source: .data(Data("raw".utf8), id: "x"))) == "data raw")
    await bench.flush()
    #expect(bench.files().isEmpty && bench.stub.requests.isEmpty)
  }

  @Test func B74_aLargeFileComesWhole() async throws {
    let bytes = Data((0..<3_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let url = try file(bytes)
    defer { try? FileManager.default.removeItem(at: url) }
    let bench = FetchBench()
    #expect(try await bench.load(ImageRequest(url)).bytes == [UInt8](bytes))
    let small = FetchBench { $0.maxResponseBytes = 3_499_999 }
    #expect(await small.outcome(ImageRequest(url)) == "limit")
    let exact = FetchBench { $0.maxResponseBytes = 3_500_000 }
    #expect(try await exact.load(ImageRequest(url)).bytes.count == 3_500_000)
  }

  @Test func I14_whatIsNoFileFailsAndNeverHangs() async throws {
    let bench = FetchBench()
    #expect(await bench.outcome(ImageRequest(URL(filePath: "/nowhere/at/all.png"))) == "source")
    #expect(await bench.outcome(ImageRequest(FileManager.default.temporaryDirectory)) == "source")
    #expect(await bench.outcome(ImageRequest(URL(filePath: "/dev/zero"))) == "source")
    let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(at: pipe) }
    #expect(await bench.outcome(ImageRequest(pipe)) == "source")
    let empty = try file(Data())
    defer { try? FileManager.default.removeItem(at: empty) }
    #expect(await bench.outcome(ImageRequest(empty)) == "disk ")
  }

  @Test func I14_whatNobodyLoadsSaysSo() async {
    let bench = FetchBench { $0.maxResponseBytes = 4 }
    for text in ["ftp://host.test/a", "nothing", "data:image/png", "data:;base64,****", "http:///a", "about:blank"] {
      #expect(await bench.outcome(request(text)) == "invalidRequest", "\(text)")
    }
    #expect(await bench.outcome(request("data:,abcde")) == "limit")
    #expect(await bench.outcome(ImageRequest(source: .custom("x"))) == "invalidRequest")
    #expect(await bench.outcome(ImageRequest(source: .data(Data("abcdefgh".utf8), id: "x"))) == "data abcdefgh")
  }

  private struct Odd: Error {}

  @Test func I1_aCustomLoaderIsAskedByItsID() async {
    let bench = FetchBench {
      $0.maxResponseBytes = 100
      $0.customLoader = { id in
        if id == "bad" { throw Odd() }
        if id == "long" { return Data(count: 101) }
        if id == "typed" { throw ImageError(.notCached, message: "mine") }
        return Data("made of \(id)".utf8)
      }
    }
    #expect(await bench.outcome(ImageRequest(source: .custom("a:b"))) == "data made of a:b")
    #expect(await bench.outcome(ImageRequest(source: .custom("bad"))) == "source")
    #expect(await bench.outcome(ImageRequest(source: .custom("long"))) == "limit")
    #expect(await bench.outcome(ImageRequest(source: .custom("typed"))) == "notCached")
    await bench.flush()
    #expect(bench.files().isEmpty)
  }

  @Test func B22_whoIsCancelledBeforehandAsksNobody() async {
    let bench = FetchBench()
    bench.answer("/a", (200, [:], "x"))
    let load = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await bench.outcome()
    }
    #expect(await load.value == "CancellationError")
    #expect(bench.stub.requests.isEmpty && bench.news.isEmpty)
  }
}

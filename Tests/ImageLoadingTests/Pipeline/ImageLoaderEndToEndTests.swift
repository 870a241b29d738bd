import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

/// The whole way: a transport, the disk, memory, a decoder.
@Suite struct ImageLoaderEndToEndTests {
  /// A loader over a stubbed transport, in a folder of its own.
  private struct Way {
    let transport = StubTransport()
    let clock = ManualClock()
    let heard = PipelineHearing()
    let decoder = PipelineDecoder()
    let folder = FileManager.default.temporaryDirectory.appending(path: "image-loader-\(UUID().uuidString)")

    func loader(_ change: (inout ImageLoaderConfig) -> Void = { _ in }) -> ImageLoader {
      var config = ImageLoaderConfig()
      config.diskFolder = folder
      config.maxAttempts = 1
      change(&config)
      let heard = heard
      return ImageLoader(
        config: config, transport: transport, decoders: [decoder], clock: clock,
        now: { Date(timeIntervalSince1970: 1_000_000_000) }, observer: { heard.hear($0) })
    }

    func reply(
      _ name: String, _ bytes: [UInt8], status: Int = 200, _ headers: HTTPHeaders = ["Cache-Control": "max-age=60"]
    ) {
      transport.reply(
        to: "/\(name)",
        with: HTTPReply(
          status: status, headers: headers, body: Data(bytes), url: PipelineRig.url(name),
          receivedAt: Date(timeIntervalSince1970: 1_000_000_000)))
    }

    func end() { try? FileManager.default.removeItem(at: folder) }
  }

  private let way = Way()

  @Test func I6_B137_fromTheNetworkThenFromMemoryThenFromDisk() async throws {
    defer { way.end() }
    way.reply("x", PipelineDecoder.plain(8, 8))
    let loader = way.loader()
    var request = PipelineRig.request("x", .fit(PixelSize(width: 4, height: 4)))
    request.surface = "feed"
    #expect(try await loader.image(for: request).origin == .network)
    #expect(way.heard.names == ["load(", "disk(", "disk)", "fetch(", "fetch)", "decode(", "decode)", "load)"])
    #expect(way.heard.all.allSatisfy { $0.surface == "feed" })
    #expect(try await loader.image(for: request).origin == .memory)
    loader.clear(.memory)
    #expect(try await loader.image(for: request).origin == .disk)
    #expect(way.transport.requests.count == 1)
    loader.close()
    let figures = loader.statistics
    #expect(figures.fetches == 1)
    #expect(figures.bytesDownloaded == 4)
    #expect(figures.decodes == 2)
    #expect(figures.loads == 3)
    #expect(figures.memory.hits == 1)
    #expect(loader.statistics(for: "feed").disk.hits == 1)
    #expect(loader.statistics(for: "feed").disk.misses == 1)
    #expect(
      Set(way.heard.all.filter { $0.phase == .begin }.map(\.id)).count == way.heard.all.count { $0.phase == .begin })
  }

  @Test func I17_looksForPicturesAsTheyAreShownCountForTheirSurface() async throws {
    defer { way.end() }
    way.reply("x", PipelineDecoder.plain(8, 8))
    let loader = way.loader { $0.diskContent = .processed }
    var request = PipelineRig.request("x")
    request.surface = "feed"
    _ = try await loader.image(for: request)
    #expect(way.heard.all.allSatisfy { $0.surface == "feed" })
    #expect(loader.statistics(for: "feed").disk == CacheStatistics(misses: 1))
  }

  @Test func I2_twentyEqualAvatarsAreOneRequestAndOneDecode() async throws {
    defer { way.end() }
    way.reply("x", PipelineDecoder.plain(8, 8))
    let gate = Gate()
    way.transport.hold(by: gate)
    let loader = way.loader()
    let tasks = (0..<20).map { _ in Task { try await loader.image(from: PipelineRig.url("x")) } }
    await way.transport.requests(atLeast: 1)
    while loader.pipeline.guarded.withLock({ $0.waiters.count }) < 20 { await Task.yield() }
    gate.open()
    for task in tasks { #expect(try await task.value.pipelineValue == 7) }
    #expect(way.transport.requests.count == 1)
    #expect(way.decoder.decodes.count == 1)
  }

  @Test func B91_B83_aStatusIsATypedErrorAndA404IsNotAskedForAgainForAWhile() async throws {
    defer { way.end() }
    way.reply("x", [], status: 404, [:])
    let loader = way.loader()
    for _ in 0..<2 {
      let error = await #expect(throws: ImageError.self) { try await loader.image(for: PipelineRig.request("x")) }
      #expect(error?.code == .status)
      #expect(error?.status == 404)
    }
    #expect(way.transport.requests.count == 1)
    await way.clock.advance(by: .seconds(300))
    await #expect(throws: ImageError.self) { try await loader.image(for: PipelineRig.request("x")) }
    #expect(way.transport.requests.count == 2)
  }

  @Test func B92_aPageInPlaceOfAPictureIsNotOnTheDiskAfterwards() async throws {
    defer { way.end() }
    way.reply("x", Array("<html>".utf8), ["Cache-Control": "max-age=60", "Content-Type": "image/png"])
    let loader = way.loader { $0.failureLifetime = .zero }
    for count in 1...2 {
      let error = await #expect(throws: ImageError.self) { try await loader.image(for: PipelineRig.request("x")) }
      #expect(error?.code == .decoding)
      #expect(way.transport.requests.count == count)
    }
  }

  @Test func B96_onlyCachedAsksNobody() async throws {
    defer { way.end() }
    var request = PipelineRig.request("x")
    request.cachePolicy = .onlyCached
    let loader = way.loader()
    let asked = request
    let error = await #expect(throws: ImageError.self) { try await loader.image(for: asked) }
    #expect(error?.code == .notCached)
    #expect(way.transport.requests.isEmpty)
  }

  @Test func I5_aLoaderFindsWhatAnEarlierOneLeft() async throws {
    defer { way.end() }
    way.reply("x", PipelineDecoder.plain(8, 8))
    let earlier = way.loader()
    _ = try await earlier.image(for: PipelineRig.request("x"))
    await (earlier.fetcher as? ImageFetcher)?.disk?.flush()
    var request = PipelineRig.request("x")
    request.cachePolicy = .onlyCached
    #expect(try await way.loader().image(for: request).origin == .disk)
    #expect(way.transport.requests.count == 1)
  }

  @Test func invalidatingAsksTheServerAgain() async throws {
    defer { way.end() }
    way.reply("x", PipelineDecoder.plain(8, 8, value: 1))
    let loader = way.loader()
    _ = try await loader.image(for: PipelineRig.request("x"))
    way.reply("x", PipelineDecoder.plain(8, 8, value: 2))
    loader.invalidate(PipelineRig.request("x"))
    #expect(try await loader.image(for: PipelineRig.request("x")).image.pipelineValue == 2)
  }

  @Test func B74_aFileIsReadAnewWhenItWasReplacedAndNeverCopied() async throws {
    defer { way.end() }
    let file = FileManager.default.temporaryDirectory.appending(path: "image-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(PipelineDecoder.plain(2, 2, value: 1)).write(to: file)
    let loader = way.loader()
    let first = try await loader.image(for: ImageRequest(file))
    #expect(first.image.pipelineValue == 1)
    #expect(first.origin == .disk)
    #expect(loader.cachedImage(for: ImageRequest(file)) != nil)
    try Data(PipelineDecoder.plain(2, 2, value: 2) + [2]).write(to: file)
    #expect(loader.cachedImage(for: ImageRequest(file)) == nil)
    #expect(try await loader.image(for: ImageRequest(file)).image.pipelineValue == 2)
    #expect(!FileManager.default.fileExists(atPath: way.folder.path))
  }

  @Test func aDecoderOfOnesOwnGoesBeforeThoseThatShip() async throws {
    defer { way.end() }
    // One pixel of PNG, as the format's description has it.
    let png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
    let url = URL(string: "data:image/png;base64,\(png)") ?? PipelineRig.url("x")
    let response = try await way.loader().image(for: ImageRequest(url))
    #expect(response.image.size == PixelSize(width: 1, height: 1))
    #expect(response.origin == .data)
    #expect(way.decoder.decodes.count == 0)
  }
}

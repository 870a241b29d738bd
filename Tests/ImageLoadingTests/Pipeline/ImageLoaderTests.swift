import Foundation
import ImageCodecs
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

/// What a loader does on its own part, with bytes and memory of doubles.
@Suite(.timeLimit(.minutes(10))) struct ImageLoaderTests {
  private let rig = PipelineRig()

  // MARK: - Events and figures

  @Test func B24_B137_BUG10_aMemoryHitBeginsAndEnds() async throws {
    let request = rig.plain("x")
    _ = try await rig.loader.image(for: request)
    let before = rig.heard.all.count
    let response = try await rig.loader.image(for: request)
    let events = Array(rig.heard.all[before...])
    #expect(response.origin == .memory)
    #expect(events.map(\.name) == ["load", "load"])
    #expect(events.map(\.phase) == [.begin, .end])
    #expect(events.last?.origin == .memory)
    #expect(events.first?.id == events.last?.id)
  }

  @Test func B137_everyStageIsHeardInOrder() async throws {
    let transforms = PipelineTransforms()
    var request = rig.plain("x", .original, [transforms.make("a")])
    request.surface = "feed"
    _ = try await rig.loader.image(for: request)
    #expect(rig.heard.names == ["load(", "decode(", "decode)", "transform(", "transform)", "load)"])
    #expect(rig.heard.all.allSatisfy { $0.surface == "feed" })
    #expect(rig.heard.all.last?.outcome == "ok")
    #expect(rig.heard.all.last?.origin == .network)
  }

  @Test func B137_failuresAndCancelsAreHeard() async throws {
    await #expect(throws: ImageError.self) { try await rig.loader.image(for: PipelineRig.request("none")) }
    #expect(rig.heard.all.last?.outcome == "status")
    rig.bytes.hold(by: Gate())
    rig.loader.pipeline.start(rig.plain("x"), ticket: LoadTicket()) { _ in }()
    #expect(rig.heard.all.last?.outcome == "cancelled")
    #expect(rig.heard.names == ["load(", "load)", "load(", "load)"])
  }

  @Test func I17_figuresAreKeptBySurface() async throws {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    var request = rig.plain("x")
    request.surface = "feed"
    let steps = PipelineSteps()
    _ = rig.loader.pipeline.start(request, ticket: LoadTicket()) { steps.hear($0) }
    await rig.bytes.began.reached(1)
    await rig.clock.advance(by: .milliseconds(30))
    gate.open()
    await steps.ends.reached(1)
    _ = try await rig.loader.image(for: rig.plain("y"))
    let feed = rig.loader.statistics(for: "feed")
    #expect(feed.loads == 1)
    #expect(feed.decodes == 1)
    #expect(feed.timeToFirstPixel == .milliseconds(30))
    #expect(rig.loader.statistics.loads == 2)
    #expect(rig.loader.statistics.decodes == 2)
    #expect(rig.loader.statistics.bytesHeld == 512)
    #expect(rig.loader.statistics(for: "nowhere").loads == 0)
  }

  @Test func I17_namesOfSurfacesWithoutEndDoNotGrowTheFigures() async throws {
    var request = rig.plain("x")
    for number in 0..<70 {
      request.surface = "user \(number)"
      _ = try await rig.loader.image(for: request)
    }
    #expect(rig.loader.statistics(for: "user 63").loads == 1)
    #expect(rig.loader.statistics(for: "user 64").loads == 0)
    request.surface = "user 0"
    _ = try await rig.loader.image(for: request)
    #expect(rig.loader.statistics(for: "user 0").loads == 2, "those that are known go on")
    #expect(rig.loader.statistics.loads == 71)
  }

  @Test func trimmingTellsHowMuchWent() async throws {
    _ = try await rig.loader.image(for: rig.plain("x"))
    rig.loader.trimMemory(.critical)
    #expect(rig.heard.all.last?.name == "trim")
    #expect(rig.heard.all.last?.byteCount == 256)
  }

  // MARK: - Failures

  @Test func B92_whatIsNoPictureIsATypedErrorAndNotAskedForAgainForAWhile() async throws {
    let html = [UInt8]("<html><body>no picture here</body></html>".utf8)
    rig.bytes.answer(PipelineRig.id("x"), with: html)
    let request = PipelineRig.request("x")
    for _ in 0..<2 {
      let error = await #expect(throws: ImageError.self) { try await rig.loader.image(for: request) }
      #expect(error?.code == .decoding)
      #expect((error?.cause as? ImageCodecError)?.code == .unsupported)
    }
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.bytes.forgotten == [ImageKeys(request).bytes])
    #expect(rig.memory.keys.isEmpty)
    // B83: asked for expressly, or when the time is over.
    var again = request
    again.cachePolicy = .reload
    await #expect(throws: ImageError.self) { try await rig.loader.image(for: again) }
    #expect(rig.bytes.asked.count == 2)
    await rig.clock.advance(by: .seconds(300))
    rig.bytes.answer(PipelineRig.id("x"), with: PipelineDecoder.plain(2, 2))
    _ = try await rig.loader.image(for: request)
    #expect(rig.bytes.asked.count == 3)
  }

  @Test func I7_undecodableBytesAreRememberedByTheirHash() async throws {
    let broken: [UInt8] = [80, 4, 0]
    rig.bytes.answer(PipelineRig.id("x"), with: broken)
    rig.bytes.answer(PipelineRig.id("y"), with: broken)
    for name in ["x", "y"] {
      await #expect(throws: ImageError.self) { try await rig.loader.image(for: PipelineRig.request(name)) }
    }
    #expect(rig.bytes.asked.count == 2)
    #expect(rig.decoder.decodes.count == 1)
  }

  @Test func whatALimitRefusedIsNotRemembered() async throws {
    let decoder = PipelineLimitDecoder()
    let loader = ImageLoader(
      config: ImageLoaderConfig(), fetcher: rig.bytes, memory: rig.memory, decoders: [decoder], interceptors: [],
      clock: rig.clock, events: ImageEvents(observer: nil, now: { .zero }))
    for _ in 0..<2 {
      let error = await #expect(throws: ImageError.self) { try await loader.image(for: rig.plain("x")) }
      #expect(error?.code == .limit)
    }
    #expect(decoder.asked.count == 2)
  }

  @Test func B73_whatTheDiskHasAndIsNoPictureIsFetchedAnew() async throws {
    rig.bytes.answer(
      PipelineRig.id("x"), .bytes([80, 4, 0], .disk), .bytes(PipelineDecoder.plain(2, 2, value: 9), .network))
    let response = try await rig.loader.image(for: PipelineRig.request("x"))
    #expect(response.image.pipelineValue == 9)
    #expect(response.origin == .network)
    #expect(rig.bytes.asked.map(\.cachePolicy.readsDisk) == [true, false])
    #expect(rig.bytes.forgotten.count == 1)
  }

  @Test func B73_onlyCachedDoesntAskTheNetworkForIt() async throws {
    rig.bytes.answer(PipelineRig.id("x"), with: [80, 4, 0], .disk)
    var request = PipelineRig.request("x")
    request.cachePolicy = .onlyCached
    let error = await #expect(throws: ImageError.self) { try await rig.loader.image(for: request) }
    #expect(error?.code == .decoding)
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func B95_theSecondSourceIsUsedAndAllErrorsAreTold() async throws {
    var request = PipelineRig.request("none")
    request.identity = "avatar"
    request.alternatives = [.url(PipelineRig.url("gone")), .url(PipelineRig.url("x"))]
    _ = rig.plain("x")
    #expect(try await rig.loader.image(for: request).image.pipelineValue == 7)
    #expect(rig.bytes.ids == ["none", "gone", "x"].map(PipelineRig.id))
    request.alternatives = [.url(PipelineRig.url("gone"))]
    let error = await #expect(throws: ImageError.self) { try await rig.loader.image(for: request) }
    #expect(error?.code == .status)
    #expect(error?.earlier.map(\.code) == [.status])
  }

  @Test func B95_aFileThatStandsInAndWasReplacedIsReadAnew() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("stand-in-\(UUID().uuidString)")
    try Data([1]).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    rig.bytes.answer(file.absoluteString, with: PipelineDecoder.plain(8, 8, value: 1))
    var request = PipelineRig.request("none")
    request.alternatives = [.file(file)]
    for _ in 0..<2 { #expect(try await rig.loader.image(for: request).image.pipelineValue == 1) }
    #expect(rig.bytes.ids.filter { $0 == file.absoluteString }.count == 1, "memory has it")
    try Data([1, 2]).write(to: file)
    rig.bytes.answer(file.absoluteString, with: PipelineDecoder.plain(8, 8, value: 2))
    #expect(try await rig.loader.image(for: request).image.pipelineValue == 2)
    request.alternatives = []
    request.thumbnail = .file(file)
    var previews: [UInt8] = []
    for version in [3, 4] as [UInt8] {
      try Data(repeating: 0, count: Int(version)).write(to: file)
      rig.bytes.answer(file.absoluteString, with: PipelineDecoder.plain(8, 8, value: version))
      let gate = Gate()
      request.source = rig.plain("x\(version)").source
      rig.bytes.hold(PipelineRig.id("x\(version)"), by: gate)
      for try await update in rig.loader.updates(for: request) {
        if case .preview(let image) = update { previews.append(image.pipelineValue) }
        gate.open()
      }
    }
    #expect(previews == [3, 4])
  }

  @Test func B95_cancellingStopsTheChain() async throws {
    rig.bytes.hold(by: Gate())
    var request = PipelineRig.request("none")
    request.alternatives = [.url(PipelineRig.url("x"))]
    let (loader, asked) = (rig.loader, request)
    let task = Task { try await loader.image(for: asked) }
    await rig.bytes.began.reached(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await rig.bytes.cancelled.reached(1)
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func aTransformThatThrowsIsATypedError() async throws {
    struct Broken: Error {}
    let transform = ImageTransform(identifier: "broken") { _ in throw Broken() }
    let error = await #expect(throws: ImageError.self) {
      try await rig.loader.image(for: rig.plain("x", .original, [transform]))
    }
    #expect(error?.code == .transform)
    #expect(error?.cause is Broken)
    #expect(error?.message.contains("broken") == true)
  }

  // MARK: - Upkeep

  @Test func B135_closingEndsWhatWaitsAndRefusesWhatComes() async throws {
    rig.bytes.hold(by: Gate())
    let (request, loader) = (rig.plain("x"), rig.loader)
    let task = Task { try await loader.image(for: request) }
    await rig.bytes.began.reached(1)
    loader.close()
    let pending = await #expect(throws: ImageError.self) { try await task.value }
    #expect(pending?.code == .closed)
    let late = await #expect(throws: ImageError.self) { try await loader.image(for: request) }
    #expect(late?.code == .closed)
    await rig.bytes.cancelled.reached(1)
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func invalidatingForgetsEverySizeAndKeepsNothingThatIsOnItsWay() async throws {
    _ = try await rig.loader.image(for: rig.plain("x", .fit(PixelSize(width: 2, height: 2))))
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let (request, loader) = (rig.plain("x"), rig.loader)
    let task = Task { try await loader.image(for: request) }
    await rig.bytes.began.reached(2)
    loader.invalidate(request)
    #expect(rig.memory.keys.isEmpty)
    #expect(rig.bytes.forgotten == [ImageKeys(request).bytes])
    rig.bytes.answer(PipelineRig.id("x"), with: PipelineDecoder.plain(2, 2, value: 9))
    gate.open()
    _ = try await task.value
    #expect(rig.memory.keys.isEmpty)
    #expect(try await loader.image(for: request).image.pipelineValue == 9)
  }

  @Test func clearingMemoryLeavesTheDisk() async throws {
    _ = try await rig.loader.image(for: rig.plain("x"))
    rig.loader.clear(.memory)
    #expect(rig.memory.keys.isEmpty)
    #expect(rig.bytes.forgotten.isEmpty)
    rig.loader.clear()
    #expect(rig.bytes.forgotten == [ImageKey("all")])
  }

  @Test func B72_processedPicturesAreStoredAndFoundWhereTheConfigurationSaysSo() async throws {
    let rig = PipelineRig { $0.diskContent = .all }
    let transforms = PipelineTransforms()
    let request = rig.plain("x", .original, [transforms.make("a")])
    _ = try await rig.loader.image(for: request)
    await rig.bytes.stored.reached(1)
    #expect(Set(rig.bytes.pixels.keys) == [ImageKeys(request).final])
    rig.memory.removeAll()
    let response = try await rig.loader.image(for: request)
    #expect(response.origin == .disk)
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.decoder.decodes.count == 1)
    #expect(rig.memory.keys.count == 1)
  }

  // MARK: - Updates

  @Test func B23_updatesEndWithThePictureHoweverLateTheyAreRead() async throws {
    rig.bytes.answer(PipelineRig.id("p"), with: [80, 4, 1, 2])
    let gate = Gate()
    rig.bytes.hold(by: gate)
    var request = PipelineRig.request("p")
    request.showsPreviews = true
    let updates = rig.loader.updates(for: request)
    await rig.bytes.began.reached(1)
    rig.bytes.arrive([80, 4, 1], of: 4)
    var told: [String] = []
    for try await update in updates {
      switch update {
      case .progress(let progress): told.append("\(progress.receivedBytes) of \(progress.totalBytes ?? 0)")
      case .preview(let image):
        told.append("preview \(image.pipelineValue)")
        gate.open()
      case .image(let response): told.append("image \(response.image.pipelineValue)")
      }
    }
    #expect(told == ["3 of 4", "preview 1", "image 2"])
    var fromMemory: [ImageResponse.Origin] = []
    for try await case .image(let response) in rig.loader.updates(for: request) { fromMemory.append(response.origin) }
    #expect(fromMemory == [.memory])
  }

  @Test func updatesThatAreLetGoOfEndTheLoad() async throws {
    rig.bytes.hold(by: Gate())
    do {
      let updates = rig.loader.updates(for: rig.plain("x"))
      await rig.bytes.began.reached(1)
      withExtendedLifetime(updates) {}
    }
    await rig.bytes.cancelled.reached(1)
    let (request, loader) = (rig.plain("y"), rig.loader)
    let task = Task { for try await _ in loader.updates(for: request) {} }
    await rig.bytes.began.reached(2)
    task.cancel()
    await rig.bytes.cancelled.reached(2)
    try await task.value
    #expect(loader.statistics.cancelled == 2)
  }

  @Test func updatesFailAsTheLoadDoes() async throws {
    await #expect(throws: ImageError.self) {
      for try await _ in rig.loader.updates(for: PipelineRig.request("none")) {}
    }
  }
}

/// Refuses every picture as too large.
private struct PipelineLimitDecoder: ImageDecoder {
  let asked = Tally()
  func canDecode(header: [UInt8]) -> Bool { true }
  func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { PixelSize(width: 1, height: 1) }
  func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    asked.add(1)
    throw ImageCodecError(.limit, message: "too large")
  }
}

import Foundation
import ImageCodecs
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

/// Stages that end late, cancels in the instant of an end, and what of one request serves another.
@Suite(.timeLimit(.minutes(10))) struct PipelineStageTests {
  private let rig = PipelineRig()

  @Test func B15_whatEndsLateDoesNotTakeTheNewOnesPlace() {
    typealias Harness = PipelineStateHarness
    let picture = Harness.chain("b/d")
    var harness = Harness()
    harness.join(1, picture)
    harness.advance()
    harness.invalidate("b")
    let old = Set(harness.state.nodes.keys)
    #expect(old.count == 2)
    harness.join(2, picture)
    harness.advance(harness.running.count - 1)
    #expect(harness.count(of: "b") == 2)
    while let index = harness.running.firstIndex(where: { old.contains($0.stage) }) { harness.advance(index) }
    #expect(harness.end(of: 1) != nil)
    harness.join(3, picture)
    harness.join(4, Harness.chain("b"))
    harness.drain()
    #expect([2, 3, 4].allSatisfy { harness.end(of: $0) != nil })
    #expect(harness.count(of: "b") == 2)
    #expect(harness.count(of: "b/d") == 2)
    #expect(harness.faults == [])
  }

  @Test func B32_whatIsEquallyUrgentIsDecodedInTheOrderInWhichItCame() async throws {
    let (loader, gate, done) = (rig.loader, Gate(), Tally())
    Task { try await loader.pipeline.lane.run { try await gate.pass() } }
    await gate.waiting(atLeast: 1)
    for value in UInt8(1)...6 {
      rig.bytes.answer(PipelineRig.id("\(value)"), with: PipelineDecoder.plain(2, 2, value: value))
      _ = loader.pipeline.start(PipelineRig.request("\(value)"), ticket: LoadTicket()) { _ in done.add(1) }
      while loader.pipeline.lane.load.waiting < Int(value) { await Task.yield() }
    }
    gate.open()
    await done.reached(6)
    #expect(rig.decoder.order.withLock { $0 } == [1, 2, 3, 4, 5, 6])
  }

  @Test func BUG12_tenRowsWithOneFileOnDiskReadAndDecodeItOnce() async throws {
    let (loader, gate) = (rig.loader, Gate())
    rig.bytes.answer(PipelineRig.id("x"), with: PipelineDecoder.plain(8, 8), .disk)
    rig.bytes.hold(by: gate)
    let tasks = (0..<10).map { _ in Task { try await loader.image(for: PipelineRig.request("x")) } }
    await rig.waiters(atLeast: 10)
    gate.open()
    var pictures: Set<ObjectIdentifier> = []
    for task in tasks {
      let response = try await task.value
      #expect(response.origin == .disk)
      pictures.insert(ObjectIdentifier(response.image))
    }
    #expect(pictures.count == 1)
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.decoder.decodes.count == 1)
    #expect(rig.loader.statistics.bytesHeld == 256)
  }

  @Test func BUG24_whatWasFetchedAheadWithATransformIsFound() async throws {
    let transforms = PipelineTransforms()
    let request = rig.plain("x", .fit(PixelSize(width: 4, height: 4)), [transforms.make("round")])
    let (steps, loader) = (PipelineSteps(), rig.loader)
    _ = loader.pipeline.start(request, ticket: LoadTicket(priority: .low)) { steps.hear($0) }
    await steps.ends.reached(1)
    #expect(loader.cachedImage(for: request)?.pipelineValue == 8)
    #expect(try await loader.image(for: request).origin == .memory)
    #expect(transforms["round"] == 1)
  }

  @Test func BUG24_whatWasFetchedAheadOntoTheDiskAsItIsShownIsFound() async throws {
    let rig = PipelineRig { $0.diskContent = .processed }
    let transforms = PipelineTransforms()
    let request = rig.plain("x", .fit(PixelSize(width: 4, height: 4)), [transforms.make("round")])
    let steps = PipelineSteps()
    _ = rig.loader.pipeline.start(request, ticket: LoadTicket(priority: .low), destination: .disk) { steps.hear($0) }
    await steps.ends.reached(1)
    await rig.bytes.stored.reached(1)
    let response = try await rig.loader.image(for: request)
    #expect(response.origin == .disk)
    #expect(response.image.pipelineValue == 8)
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.decoder.decodes.count == 1)
    #expect(transforms["round"] == 1)
  }

  @Test func B116_theStillPictureAndTheFramesOfOneFileStandInForNoneOfTheOther() async throws {
    for picturesFirst in [true, false] {
      let rig = PipelineRig()
      let decoder = PipelineFramesDecoder()
      let loader = ImageLoader(
        config: ImageLoaderConfig(), fetcher: rig.bytes, memory: rig.memory, decoders: [decoder], interceptors: [],
        clock: rig.clock, events: ImageEvents(observer: nil, now: { .zero }))
      let request = rig.plain("x")
      if picturesFirst { _ = try await loader.image(for: request) }
      let frames = try #require(try await loader.frames(for: request))
      #expect(frames.count == 2)
      #expect(rig.memory.keys.count == (picturesFirst ? 1 : 0), "frames are in no cache of pictures")
      #expect(try await loader.image(for: request).image.pipelineValue == 7)
      #expect(try frames.next()?.image.pipelineValue == 100)
      #expect(rig.memory.keys == [ImageKeys(request).final])
    }
  }

  @Test func B12_nothingIsHandedOnAfterItIsSilenced() {
    let told = Tally()
    let outlet = NewsOutlet { _ in told.add(1) }
    outlet.tell(.progress(ImageProgress(receivedBytes: 1, totalBytes: nil)))
    #expect(told.count == 1)
    outlet.silence()
    outlet.tell(.progress(ImageProgress(receivedBytes: 2, totalBytes: nil)))
    outlet.tell(.ended(.failure(CancellationError())))
    #expect(told.count == 1)
  }

  /// All wait for the same bytes, and who hears first that they can't be had cancels the next one, whose failure is on
  /// its way by then. The last one hears of it after whatever the cancelled one made of that.
  @Test func B95_whoIsCancelledAsItsSourceFailsTriesNoOther() async throws {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    let last = PipelineSteps()
    let first = PipelineRig.request("none")
    var second = first
    second.alternatives = [.url(PipelineRig.url("x"))]
    _ = rig.plain("x")
    _ = rig.loader.pipeline.start(first, ticket: LoadTicket()) { step in
      guard case .finished = step else { return }
      cancel.withLock { $0 }?()
    }
    let end = rig.loader.pipeline.start(second, ticket: LoadTicket()) { _ in Issue.record("it was cancelled") }
    cancel.withLock { $0 = end }
    _ = rig.loader.pipeline.start(first, ticket: LoadTicket()) { last.hear($0) }
    await rig.waiters(atLeast: 3)
    gate.open()
    await last.ends.reached(1)
    while rig.loader.pipeline.guarded.withLock({ !$0.works.isEmpty }) { await Task.yield() }
    #expect(rig.bytes.ids == [PipelineRig.id("none")])
    #expect(rig.loader.statistics.cancelled == 1)
    #expect(rig.loader.statistics.failed == 2)
  }

  @Test func whatIsInvalidatedAsItIsKeptDoesNotStay() async throws {
    let memory = PipelineHookedMemory()
    let loader = ImageLoader(
      config: ImageLoaderConfig(), fetcher: rig.bytes, memory: memory, decoders: [rig.decoder], interceptors: [],
      clock: rig.clock, events: ImageEvents(observer: nil, now: { .zero }))
    let request = rig.plain("x")
    // Between the decision to keep it and its coming into memory.
    memory.onInsert.withLock { $0 = { loader.invalidate(request) } }
    #expect(try await loader.image(for: request).image.pipelineValue == 7)
    #expect(memory.kept.keys.isEmpty)
    memory.onInsert.withLock { $0 = nil }
    _ = try await loader.image(for: request)
    #expect(memory.kept.keys.count == 1)
  }

  @Test func whoLeavesAsItsPictureIsKeptTakesNothingAlong() async throws {
    let memory = PipelineHookedMemory()
    let loader = ImageLoader(
      config: ImageLoaderConfig(), fetcher: rig.bytes, memory: memory, decoders: [rig.decoder], interceptors: [],
      clock: rig.clock, events: ImageEvents(observer: nil, now: { .zero }))
    var request = rig.plain("x")
    _ = try await loader.image(for: request)
    request.transforms = [PipelineTransforms().make("a")]
    let leave = Mutex<(@Sendable () -> Void)?>(nil)
    let left = Tally()
    // Between the decision to keep it and its coming into memory.
    memory.onInsert.withLock {
      $0 = {
        while true {
          guard let leave = leave.withLock({ $0 }) else { continue }
          leave()
          return left.add(1)
        }
      }
    }
    let end = loader.pipeline.start(request, ticket: LoadTicket()) { _ in Issue.record("it was cancelled") }
    leave.withLock { $0 = end }
    await left.reached(1)
    while loader.pipeline.guarded.withLock({ !$0.works.isEmpty }) { await Task.yield() }
    #expect(memory.kept.keys.count == 2, "the picture, and the one that it was made of")
  }
}

/// Decodes as ``PipelineDecoder`` does, and gives two frames of every file.
private struct PipelineFramesDecoder: ImageDecoder {
  private let still = PipelineDecoder()

  func canDecode(header: [UInt8]) -> Bool { true }
  func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { try still.size(of: data) }
  func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    try still.decode(data, options)
  }
  func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
    Frames(size: try size(of: data))
  }

  private final class Frames: ImageFrames {
    let size: PixelSize
    let count = 2
    let loopCount = 0
    private let place = Mutex(0)

    init(size: PixelSize) { self.size = size }

    func next() throws(ImageCodecError) -> ImageFrame? {
      let index = place.withLock { place in
        defer { place += 1 }
        return place
      }
      guard index < count else { return nil }
      let image = try DecodedImage(
        size: size, rgba: Array(repeating: UInt8(100 + index), count: 4 * size.area))
      return ImageFrame(image: image, duration: .milliseconds(100))
    }

    func seek(to index: Int) throws(ImageCodecError) { place.withLock { $0 = index } }
  }
}

/// Memory without bounds that calls out before it keeps a picture.
private final class PipelineHookedMemory: PictureKeeping {
  let kept = PipelineMemory()
  let onInsert = Mutex<(@Sendable () -> Void)?>(nil)

  func peek(_ key: ImageKey) -> DecodedImage? { kept.peek(key) }
  func insert(_ image: DecodedImage, for request: ImageRequest, keys: ImageKeys) {
    onInsert.withLock { $0 }?()
    kept.insert(image, for: request, keys: keys)
  }
  func remove(bytes: ImageKey) { kept.remove(bytes: bytes) }
  func image(for request: ImageRequest, keys: ImageKeys) -> DecodedImage? { kept.image(for: request, keys: keys) }
  func trim(to pressure: MemoryPressure) -> Int { kept.trim(to: pressure) }
  func removeAll() { kept.removeAll() }
  func figures(surface: String?) -> (statistics: CacheStatistics, bytesHeld: Int, peakBytesHeld: Int) {
    kept.figures(surface: surface)
  }
}

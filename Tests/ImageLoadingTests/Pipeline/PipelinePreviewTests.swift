import ImageCodecs
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(10))) struct PipelinePreviewTests {
  private let rig = PipelineRig()
  private let steps = PipelineSteps()
  private let gate = Gate()

  /// Starts a load whose bytes are held, with that file to come.
  private func start(
    _ file: [UInt8], _ change: (inout ImageRequest) -> Void = { $0.showsPreviews = true }
  ) async -> @Sendable () -> Void {
    rig.bytes.answer(PipelineRig.id("p"), with: file)
    rig.bytes.hold(by: gate)
    var request = PipelineRig.request("p")
    change(&request)
    let cancel = rig.loader.pipeline.start(request, ticket: LoadTicket()) { [steps] in steps.hear($0) }
    await rig.bytes.began.reached(1)
    return cancel
  }

  @Test func B109_I12_scansAreShownInOrderAtMostOneEachInterval() async throws {
    _ = await start([80, 4, 1, 2, 3, 4])
    rig.bytes.arrive([80, 4, 1])
    await steps.previews.reached(1)
    await rig.clock.sleepers(atLeast: 1)
    rig.bytes.arrive([80, 4, 1, 2])
    rig.bytes.arrive([80, 4, 1, 2, 3])
    await rig.clock.advance(by: .milliseconds(499))
    #expect(steps.told == ["preview 1"])
    await rig.clock.advance(by: .milliseconds(1))
    await steps.previews.reached(2)
    gate.open()
    await steps.ends.reached(1)
    #expect(steps.told == ["preview 1", "preview 3", "image 4"])
    #expect(rig.decoder.concurrent.withLock { $0.peak } == 1)
    #expect(steps.progress == [3, 4, 5])
  }

  @Test func B109_theIntervalIsTheConfigurations() async throws {
    let rig = PipelineRig { $0.previewInterval = .milliseconds(10) }
    rig.bytes.answer(PipelineRig.id("p"), with: [80, 4, 1, 2, 3])
    rig.bytes.hold(by: gate)
    var request = PipelineRig.request("p")
    request.showsPreviews = true
    _ = rig.loader.pipeline.start(request, ticket: LoadTicket()) { [steps] in steps.hear($0) }
    await rig.bytes.began.reached(1)
    rig.bytes.arrive([80, 4, 1])
    await rig.clock.sleepers(atLeast: 1)
    rig.bytes.arrive([80, 4, 1, 2])
    await rig.clock.advance(by: .milliseconds(10))
    await steps.previews.reached(2)
    gate.open()
    await steps.ends.reached(1)
  }

  @Test func B109_withoutAnIntervalEachPreviewIsShownAsItComes() async throws {
    let rig = PipelineRig { $0.previewInterval = .zero }
    rig.bytes.answer(PipelineRig.id("p"), with: [80, 4, 1, 2, 3, 4])
    rig.bytes.hold(by: gate)
    var request = PipelineRig.request("p")
    request.showsPreviews = true
    _ = rig.loader.pipeline.start(request, ticket: LoadTicket()) { [steps] in steps.hear($0) }
    await rig.bytes.began.reached(1)
    for count in 3...5 {
      rig.bytes.arrive(Array([80, 4, 1, 2, 3].prefix(count)))
      await steps.previews.reached(count - 2)
    }
    #expect(rig.clock.sleepers.isEmpty)
    gate.open()
    await steps.ends.reached(1)
    #expect(steps.told == ["preview 1", "preview 2", "preview 3", "image 4"])
  }

  @Test func B110_aFileThatComesInOneGoHasNone() async throws {
    _ = await start([73, 4, 4, 9])
    rig.bytes.arrive([73, 4])
    rig.bytes.arrive([73, 4, 4])
    await rig.clock.advance(by: .seconds(1))
    gate.open()
    await steps.ends.reached(1)
    #expect(steps.told == ["image 9"])
    #expect(rig.decoder.decodes.count == 1)
  }

  @Test func B111_aPreviewThatCantBeDecodedIsIgnored() async throws {
    _ = await start([80, 4, 0, 6])
    rig.bytes.arrive([80, 4, 0])
    await rig.decoder.decodes.reached(1)
    gate.open()
    await steps.ends.reached(1)
    #expect(steps.told == ["image 6"])
    #expect(rig.loader.statistics.failed == 0)
  }

  @Test func B49_aPreviewIsNotKept() async throws {
    let cancel = await start([80, 4, 1, 2])
    rig.bytes.arrive([80, 4, 1])
    await steps.previews.reached(1)
    #expect(rig.memory.keys.isEmpty)
    cancel()
    #expect(rig.loader.cachedImage(for: PipelineRig.request("p")) == nil)
    await rig.bytes.cancelled.reached(1)
    #expect(rig.memory.keys.isEmpty)
    #expect(rig.clock.sleepers.isEmpty, "nobody waits for the next preview any more")
  }

  @Test func nobodyDecodesPreviewsThatNobodyWants() async throws {
    _ = await start([80, 4, 1, 2]) { _ in }
    rig.bytes.arrive([80, 4, 1])
    await rig.clock.advance(by: .seconds(1))
    gate.open()
    await steps.ends.reached(1)
    #expect(rig.decoder.decodes.count == 1)
    #expect(steps.told == ["image 2"])
  }

  @Test func previewsAreTransformedAsThePictureIs() async throws {
    let transforms = PipelineTransforms()
    _ = await start([80, 4, 1, 2]) { request in
      request.showsPreviews = true
      request.transforms = [transforms.make("a", adding: 100)]
    }
    rig.bytes.arrive([80, 4, 1])
    await steps.previews.reached(1)
    gate.open()
    await steps.ends.reached(1)
    #expect(steps.told == ["preview 101", "image 102"])
  }

  @Test func B127_aThumbnailIsShownWhereItComesFirst() async throws {
    rig.bytes.answer(PipelineRig.id("t"), with: [73, 2, 2, 5])
    _ = await start([73, 8, 8, 9]) { request in
      request.thumbnail = .url(PipelineRig.url("t"))
      rig.bytes.hold(PipelineRig.id("t"), by: Self.opened)
    }
    await steps.previews.reached(1)
    gate.open()
    await steps.ends.reached(1)
    #expect(steps.told == ["preview 5", "image 9"])
  }

  @Test func B127_aThumbnailThatComesLaterIsIgnored() async throws {
    rig.bytes.answer(PipelineRig.id("t"), with: [73, 2, 2, 5])
    let late = Gate()
    rig.bytes.hold(PipelineRig.id("t"), by: late)
    gate.open()
    _ = await start([73, 8, 8, 9]) { $0.thumbnail = .url(PipelineRig.url("t")) }
    await steps.ends.reached(1)
    late.open()
    await rig.clock.advance(by: .zero)
    #expect(steps.told == ["image 9"])
  }

  @Test func aThumbnailThatFailsIsNobodysFailure() async throws {
    rig.bytes.hold(PipelineRig.id("t"), by: Self.opened)
    _ = await start([73, 8, 8, 9]) { $0.thumbnail = .url(PipelineRig.url("t")) }
    await rig.bytes.began.reached(2)
    gate.open()
    await steps.ends.reached(1)
    #expect(steps.told == ["image 9"])
    #expect(rig.loader.statistics.failed == 0)
  }

  private static var opened: Gate {
    let gate = Gate()
    gate.open()
    return gate
  }
}

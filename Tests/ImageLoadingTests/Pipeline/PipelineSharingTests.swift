import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

/// Equal work is done once, and as long as somebody waits for it.
@Suite(.timeLimit(.minutes(10))) struct PipelineSharingTests {
  private let rig = PipelineRig()
  private let transforms = PipelineTransforms()

  /// Loads all of them while the bytes are held, and then lets these come.
  private func together(_ requests: [ImageRequest]) async throws -> [ImageResponse] {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let loader = rig.loader
    let tasks = requests.map { request in Task { try await loader.image(for: request) } }
    await rig.waiters(atLeast: requests.count)
    gate.open()
    var responses: [ImageResponse] = []
    for task in tasks { responses.append(try await task.value) }
    return responses
  }

  @Test func B1_I2_twentyRowsWithOneAvatarFetchAndDecodeItOnce() async throws {
    let request = rig.plain("a", .fit(PixelSize(width: 4, height: 4)), [transforms.make("round")])
    let responses = try await together(Array(repeating: request, count: 20))
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.decoder.decodes.count == 1)
    #expect(transforms["round"] == 1)
    #expect(responses.allSatisfy { $0.image.size.width == 4 && $0.image === responses[0].image })
  }

  @Test func B2_B3_transformsShareWhatTheyBeginWith() async throws {
    let (a, b, c) = (transforms.make("a"), transforms.make("b", adding: 10), transforms.make("c", adding: 100))
    let responses = try await together([
      rig.plain("x", .original, [a]), rig.plain("x", .original, [a, b]), rig.plain("x", .original, [c]), rig.plain("x"),
    ])
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.decoder.decodes.count == 1)
    #expect(["a", "b", "c"].allSatisfy { transforms[$0] == 1 })
    #expect(responses.map(\.image.pipelineValue) == [8, 18, 107, 7])
  }

  @Test func B5_eachGetsItsOwnSizeOfOneDownload() async throws {
    let sizes = [2, 4].map { DecodeTarget.fit(PixelSize(width: $0, height: $0)) }
    let responses = try await together(sizes.map { rig.plain("x", $0) })
    #expect(rig.bytes.asked.count == 1)
    #expect(responses.map(\.image.size.width) == [2, 4])
  }

  @Test func B7_B18_BUG3_oneOfTwoLeavesAndTheOtherGetsIt() async throws {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let (request, loader) = (rig.plain("x"), rig.loader)
    let first = Task { try await loader.image(for: request) }
    let second = Task { try await loader.image(for: request) }
    await rig.waiters(atLeast: 2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(rig.bytes.cancelled.count == 0)
    gate.open()
    #expect(try await second.value.image.pipelineValue == 7)
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func B8_theLastOneOutCancelsTheFetchOnce() async throws {
    rig.bytes.hold(by: Gate())
    let (request, loader) = (rig.plain("x"), rig.loader)
    let tasks = (0..<2).map { _ in Task { try await loader.image(for: request) } }
    await rig.bytes.began.reached(1)
    await rig.waiters(atLeast: 2)
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    await rig.bytes.cancelled.reached(1)
    #expect(rig.bytes.cancelled.count == 1)
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.loader.statistics.cancelled == 2)
    #expect(rig.loader.pipeline.guarded.withLock { $0.works.isEmpty && $0.waiters.isEmpty && $0.state.count == 0 })
  }

  @Test func B9_BUG4_whatIsAskedForAgainAtOnceComes() async throws {
    rig.bytes.hold(by: Gate())
    let (request, loader) = (rig.plain("x"), rig.loader)
    // Not by a task: what it cancels is there as soon as this returns.
    let end = loader.pipeline.start(request, ticket: LoadTicket()) { _ in Issue.record("it was cancelled") }
    await rig.bytes.began.reached(1)
    rig.bytes.hold(by: nil)
    end()
    #expect(try await loader.image(for: request).image.pipelineValue == 7)
  }

  @Test func B10_B22_BUG9_aTaskThatWasCancelledBeforeAsksForNothing() async throws {
    let (request, loader) = (rig.plain("x"), rig.loader)
    let gate = Gate()
    let task = Task {
      try? await gate.pass()
      return try await loader.image(for: request)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(rig.bytes.asked.isEmpty)
  }

  @Test func B11_cancellingTwiceOrLateTellsNothing() async throws {
    let request = rig.plain("x")
    let ends = Tally()
    let cancel = rig.loader.pipeline.start(request, ticket: LoadTicket()) { step in
      if case .finished = step { ends.add(1) }
    }
    await ends.reached(1)
    cancel()
    cancel()
    #expect(ends.count == 1)
    #expect(rig.loader.statistics.cancelled == 0)
    rig.bytes.hold(by: Gate())
    let other = rig.loader.pipeline.start(rig.plain("y"), ticket: LoadTicket()) { _ in ends.add(1) }
    await rig.bytes.began.reached(2)
    other()
    other()
    await rig.bytes.cancelled.reached(1)
    #expect(ends.count == 1)
    #expect(rig.loader.statistics.cancelled == 1)
  }

  @Test func B12_nothingIsToldAfterACancelFromInsideACallback() async throws {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let told = Tally()
    let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    let end = rig.loader.pipeline.start(rig.plain("x"), ticket: LoadTicket()) { _ in
      told.add(1)
      cancel.withLock { $0 }?()
    }
    cancel.withLock { $0 = end }
    await rig.bytes.began.reached(1)
    rig.bytes.arrive([73, 8])
    rig.bytes.arrive([73, 8, 8])
    await rig.bytes.cancelled.reached(1)
    #expect(told.count == 1)
  }

  @Test func B13_BUG8_whoComesWhileItIsDecodedJoins() async throws {
    let (first, second) = (PipelineSteps(), PipelineSteps())
    let join = Mutex<(@Sendable () -> Void)?>(nil)
    // From inside the decoder, on its thread.
    let rig = PipelineRig(decoder: PipelineDecoder { join.withLock { $0 }?() })
    let (request, pipeline) = (rig.plain("x"), rig.loader.pipeline)
    join.withLock { $0 = { _ = pipeline.start(request, ticket: LoadTicket()) { second.hear($0) } } }
    _ = pipeline.start(request, ticket: LoadTicket()) { first.hear($0) }
    await first.ends.reached(1)
    await second.ends.reached(1)
    #expect([first.told, second.told] == [["image 7"], ["image 7"]])
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.decoder.decodes.count == 1)
  }

  @Test func I2_BUG11_cancellingReachesARunningDecodeAndNothingOfItIsKept() async throws {
    let steps = PipelineSteps()
    let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    let rig = PipelineRig(decoder: PipelineDecoder { cancel.withLock { $0 }?() })
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let end = rig.loader.pipeline.start(rig.plain("x"), ticket: LoadTicket()) { steps.hear($0) }
    cancel.withLock { $0 = end }
    gate.open()
    await rig.decoder.cancelled.reached(1)
    // The lane has one place: whoever has it next comes after all that follows from the decode's end.
    try await rig.loader.pipeline.lane.run {}
    #expect(steps.told.isEmpty)
    #expect(rig.memory.keys.isEmpty)
    #expect(rig.bytes.forgotten.isEmpty)
  }

  @Test func B17_aFailureReachesAllWhoWait() async throws {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let loader = rig.loader
    rig.bytes.answer(PipelineRig.id("x"), .failure(ImageError(.network, message: "offline")))
    let tasks = (0..<3).map { _ in Task { try await loader.image(for: PipelineRig.request("x")) } }
    await rig.waiters(atLeast: 3)
    gate.open()
    for task in tasks {
      let error = await #expect(throws: ImageError.self) { try await task.value }
      #expect(error?.code == .network)
    }
    #expect(rig.bytes.asked.count == 1)
    #expect(loader.statistics.failed == 3)
  }

  @Test func B19_theFramesOfAnAnimationShareTheDownload() async throws {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let (request, loader) = (rig.plain("x"), rig.loader)
    let frames = Task { try await loader.frames(for: request) == nil }
    let picture = Task { try await loader.image(for: request) }
    await rig.waiters(atLeast: 2)
    gate.open()
    #expect(try await frames.value)
    _ = try await picture.value
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func B20_BUG23_othersEyesAreOtherDownloads() async throws {
    var ann = rig.plain("x")
    ann.headers["Authorization"] = "ann"
    var bob = rig.plain("x")
    bob.headers["Authorization"] = "bob"
    var post = rig.plain("x")
    post.method = "POST"
    _ = try await together([ann, bob, post, rig.plain("x")])
    #expect(rig.bytes.asked.count == 4)
  }

  @Test func B21_whatChangesNoBytesSharesThem() async throws {
    var hurried = rig.plain("x", priority: .high)
    hurried.surface = "feed"
    var unremembered = rig.plain("x")
    unremembered.cachePolicy.readsMemory = false
    unremembered.cachePolicy.writesMemory = false
    var partial = rig.plain("x")
    partial.allowsPartial = true
    _ = try await together([rig.plain("x"), hurried, unremembered, partial])
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func whoMayAskTheNetworkDoesntWaitForWhoMustNot() async throws {
    var cached = rig.plain("x")
    cached.cachePolicy = .onlyCached
    _ = try await together([cached, rig.plain("x")])
    #expect(rig.bytes.asked.count == 2)
  }

  @Test func aPlainPictureInMemoryIsWhatATransformBeginsWith() async throws {
    _ = try await rig.loader.image(for: rig.plain("x"))
    let response = try await rig.loader.image(for: rig.plain("x", .original, [transforms.make("a")]))
    #expect(response.image.pipelineValue == 8)
    #expect(response.origin == .memory)
    #expect(rig.bytes.asked.count == 1)
    #expect(rig.decoder.decodes.count == 1)
  }

  @Test func B52_memoryIsNotFilledOrAskedWhereThePolicySaysSo() async throws {
    var request = rig.plain("x")
    request.cachePolicy.writesMemory = false
    _ = try await rig.loader.image(for: request)
    #expect(rig.memory.keys.isEmpty)
    request.cachePolicy.writesMemory = true
    request.cachePolicy.readsMemory = false
    _ = try await rig.loader.image(for: request)
    _ = try await rig.loader.image(for: request)
    #expect(rig.bytes.asked.count == 3)
    #expect(rig.memory.keys.count == 1)
  }
}

import Foundation
import ImageCodecs
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(10))) struct PipelinePriorityTests {
  @Test func B25_I7_theDecodeLaneTakesTheMostUrgentFirst() async throws {
    let rig = PipelineRig()
    let loader = rig.loader
    let gate = await Self.occupy(loader.pipeline.lane)
    for (name, value) in [("low", 2), ("high", 3), ("raised", 4)] as [(String, UInt8)] {
      rig.bytes.answer(PipelineRig.id(name), with: PipelineDecoder.plain(2, 2, value: value))
    }
    let done = Tally()
    let raised = LoadTicket(priority: LoadPriority(rawValue: -2))
    for (name, ticket) in [
      ("raised", raised), ("low", LoadTicket(priority: .low)), ("high", LoadTicket(priority: .high)),
    ] {
      _ = loader.pipeline.start(PipelineRig.request(name), ticket: ticket) { _ in done.add(1) }
    }
    while loader.pipeline.lane.load.waiting < 3 { await Task.yield() }
    // B26: what waits moves ahead.
    raised.priority = LoadPriority(rawValue: 2)
    gate.open()
    await done.reached(3)
    #expect(rig.decoder.order.withLock { $0 } == [4, 3, 2])
  }

  @Test func B33_I7_noMoreIsDecodedAtOnceThanTheLaneIsWide() async throws {
    let rig = PipelineRig { $0.maxConcurrentDecodes = 2 }
    let done = Tally()
    for number in 0..<30 {
      _ = rig.loader.pipeline.start(rig.plain("\(number)"), ticket: LoadTicket()) { _ in done.add(1) }
    }
    await done.reached(30)
    #expect(rig.decoder.concurrent.withLock { $0.peak } <= 2)
    #expect(rig.decoder.decodes.count == 30)
  }

  @Test func B27_B28_B133_aVisibleRequestHurriesAPrefetchAndItFallsBackWithoutIt() async throws {
    let rig = PipelineRig()
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let steps = PipelineSteps()
    let request = rig.plain("x")
    _ = rig.loader.pipeline.start(request, ticket: LoadTicket(priority: .low)) { steps.hear($0) }
    await rig.bytes.began.reached(1)
    #expect(rig.bytes.ticket(0)?.priority == .low)
    let visible = LoadTicket(priority: .high)
    let leave = rig.loader.pipeline.start(request, ticket: visible) { _ in }
    #expect(rig.bytes.ticket(0)?.priority == .high)
    visible.priority = .medium
    #expect(rig.bytes.ticket(0)?.priority == .medium)
    leave()
    #expect(rig.bytes.ticket(0)?.priority == .low)
    // B29: of what is over.
    visible.priority = .high
    #expect(rig.bytes.ticket(0)?.priority == .low)
    gate.open()
    await steps.ends.reached(1)
    #expect(visible.observerCount == 0)
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func aPrefetchOntoTheDiskIsTakenOverByWhoWantsThePicture() async throws {
    let rig = PipelineRig()
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let (ahead, visible) = (PipelineSteps(), PipelineSteps())
    let request = rig.plain("x")
    _ = rig.loader.pipeline.start(request, ticket: LoadTicket(priority: .low), destination: .disk) { ahead.hear($0) }
    await rig.bytes.began.reached(1)
    _ = rig.loader.pipeline.start(request, ticket: LoadTicket(priority: .high)) { visible.hear($0) }
    #expect(rig.bytes.ticket(0)?.priority == .high)
    gate.open()
    await ahead.ends.reached(1)
    await visible.ends.reached(1)
    #expect(ahead.told == ["image none"])
    #expect(visible.told == ["image 7"])
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func B131_onTheDiskNothingIsDecoded() async throws {
    let rig = PipelineRig()
    let steps = PipelineSteps()
    _ = rig.loader.pipeline.start(rig.plain("x"), ticket: LoadTicket(), destination: .disk) { steps.hear($0) }
    await steps.ends.reached(1)
    #expect(rig.decoder.decodes.count == 0)
    #expect(rig.memory.keys.isEmpty)
  }

  @Test func B31_B134_I13_suspendedNothingStartsAndThenAllDoes() async throws {
    let rig = PipelineRig()
    let steps = PipelineSteps()
    rig.loader.conditions = .suspended
    for name in ["a", "b", "c"] {
      _ = rig.loader.pipeline.start(rig.plain(name), ticket: LoadTicket()) { steps.hear($0) }
    }
    await rig.clock.advance(by: .seconds(1))
    #expect(rig.bytes.asked.isEmpty)
    rig.loader.conditions = .normal
    await steps.ends.reached(3)
    #expect(rig.bytes.ids.sorted() == ["a", "b", "c"].map(PipelineRig.id))
  }

  @Test func I13_whatDiesWhileSuspendedWasCancelled() async throws {
    let rig = PipelineRig()
    let gate = Gate()
    rig.bytes.hold(by: gate)
    rig.bytes.answer(PipelineRig.id("x"), .failure(ImageError(.network, message: "offline")))
    let loader = rig.loader
    let task = Task { try await loader.image(for: PipelineRig.request("x")) }
    await rig.bytes.began.reached(1)
    loader.conditions = .suspended
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(loader.statistics.cancelled == 1)
    #expect(loader.statistics.failed == 0)
  }

  @Test func I13_suspendedNothingStartsThatWaitsInALaneEither() async throws {
    let rig = PipelineRig()
    let (loader, steps) = (rig.loader, PipelineSteps())
    let gate = await Self.occupy(loader.pipeline.lane)
    _ = loader.pipeline.start(rig.plain("x"), ticket: LoadTicket()) { steps.hear($0) }
    while loader.pipeline.lane.load.waiting < 1 { await Task.yield() }
    loader.conditions = .suspended
    gate.open()
    while loader.pipeline.lane.load.running > 0 { await Task.yield() }
    await rig.clock.advance(by: .seconds(1))
    #expect(rig.decoder.decodes.count == 0)
    loader.conditions = .normal
    await steps.ends.reached(1)
    #expect(rig.decoder.decodes.count == 1)
  }

  /// Takes a lane's one slot until the gate opens.
  private static func occupy(_ lane: LoadScheduler) async -> Gate {
    let gate = Gate()
    Task { try await lane.run { try await gate.pass() } }
    await gate.waiting(atLeast: 1)
    return gate
  }
}

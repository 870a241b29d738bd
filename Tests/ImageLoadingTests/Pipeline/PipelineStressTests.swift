import Foundation
import ImageCodecs
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

/// Many threads at once.
@Suite(.timeLimit(.minutes(10))) struct PipelineStressTests {
  @Test func B16_BUG5_BUG6_aThousandLoadsAndCancelsEndOnceEach() async throws {
    let seed = UInt64.random(in: .min ... .max)
    print("PipelineStressTests seed \(seed)")
    let rig = PipelineRig { $0.maxConcurrentDecodes = 2 }
    for number in 0..<12 { _ = rig.plain("\(number)") }
    rig.bytes.answer(PipelineRig.id("0"), .failure(ImageError(.network, message: "offline")))
    let transforms = PipelineTransforms()
    let (a, b) = (transforms.make("a"), transforms.make("b"))
    let loader = rig.loader
    let callers = try await withThrowingTaskGroup(of: Caller.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          var chance = SeededGenerator(seed: seed &+ UInt64(number))
          var request = PipelineRig.request("\(Int.random(in: 0..<12, using: &chance))")
          request.transforms = [[], [a], [a, b]].randomElement(using: &chance) ?? []
          // Memory would answer all but the first.
          request.cachePolicy.readsMemory = false
          request.cachePolicy.writesMemory = Bool.random(using: &chance)
          return try await Self.load(request, loader, &chance)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(callers.count == 1_000)
    #expect(callers.allSatisfy { $0.ends <= 1 && (!$0.isLeft || $0.ends == 1) })
    let left = loader.pipeline.guarded.withLock { ($0.waiters.count, $0.works.count, $0.state.count, $0.loads.count) }
    #expect(left == (0, 0, 0, 0))
    // Who cancels as its end comes doesn't wait for that to be told.
    while rig.heard.names.count(where: { $0 == "load)" }) < rig.heard.names.count(where: { $0 == "load(" }) {
      try Task.checkCancellation()
      await Task.yield()
    }
    Self.expectOneEndEach(rig, callers)
  }

  /// What the loader counted and told is what its callers saw: each load that began ended once, in one way.
  private static func expectOneEndEach(_ rig: PipelineRig, _ callers: [Caller]) {
    let figures = rig.loader.statistics
    let events = rig.heard.all.filter { $0.name == "load" }
    let (begins, ends) = (events.filter { $0.phase == .begin }, events.filter { $0.phase == .end })
    #expect(begins.count == figures.loads)
    #expect(begins.map(\.id).sorted() == ends.map(\.id).sorted())
    #expect(Set(ends.map(\.id)).count == ends.count)
    func ended(_ outcome: String) -> Int { ends.count { $0.outcome == outcome } }
    #expect(ended("ok") + ended("network") + ended("cancelled") == figures.loads)
    #expect(figures.cancelled == ended("cancelled"))
    #expect(figures.failed == ended("network"))
    // A task that was cancelled before it began asks for nothing; all others are loads.
    #expect(figures.loads <= 1_000)
    #expect(figures.loads >= callers.count { !$0.mayNotHaveBegun })
    // Nobody heard of a picture or a failure that the loader doesn't count, and who wasn't cancelled heard of it.
    #expect(ended("ok") >= callers.count { $0.sees == "picture" })
    #expect(ended("network") >= callers.count { $0.sees == "failure" })
    #expect(figures.cancelled <= callers.count { $0.wasCancelled })
  }

  /// What one of a thousand did, and what it heard.
  private struct Caller {
    var ends = 0
    /// Not cancelled: it must hear its end.
    var isLeft: Bool { !wasCancelled }
    var wasCancelled = false
    var mayNotHaveBegun = false
    var sees = "nothing"
  }

  private static func load(
    _ request: ImageRequest, _ loader: ImageLoader, _ chance: inout SeededGenerator
  ) async throws -> Caller {
    var caller = Caller()
    caller.wasCancelled = Int.random(in: 0..<3, using: &chance) == 0
    let yields = Int.random(in: 0..<20, using: &chance)
    if Bool.random(using: &chance) {
      let task = Task { try await loader.image(for: request) }
      for _ in 0..<yields { await Task.yield() }
      if caller.wasCancelled { task.cancel() }
      caller.ends = 1
      caller.mayNotHaveBegun = caller.wasCancelled
      switch await task.result {
      case .success: caller.sees = "picture"
      case .failure(let error): caller.sees = error is CancellationError ? "cancelled" : "failure"
      }
      #expect(caller.wasCancelled || caller.sees != "cancelled")
      return caller
    }
    let steps = PipelineSteps()
    let ticket = LoadTicket()
    let cancel = loader.pipeline.start(request, ticket: ticket) { steps.hear($0) }
    for _ in 0..<yields { await Task.yield() }
    ticket.priority = .high
    if caller.wasCancelled {
      cancel()
      cancel()
    } else {
      await steps.ends.reached(1)
    }
    for _ in 0..<yields { await Task.yield() }
    caller.ends = steps.ends.count
    if caller.ends > 0 { caller.sees = steps.told.last == "failed" ? "failure" : "picture" }
    return caller
  }

  @Test func BUG29_B53_observersMayCallTheLoaderFromAnyEvent() async throws {
    let events = Tally()
    let box = Mutex<ImageLoader?>(nil)
    let time = ElapsedTime(on: ManualClock())
    let bytes = PipelineBytes()
    bytes.answer(PipelineRig.id("x"), with: PipelineDecoder.plain(2, 2))
    let loader = ImageLoader(
      config: ImageLoaderConfig(), fetcher: bytes, memory: PipelineMemory(), decoders: [PipelineDecoder()],
      interceptors: [], clock: ManualClock(),
      events: ImageEvents(
        observer: { event in
          events.add(1)
          guard event.name != "trim", let loader = box.withLock({ $0 }) else { return }
          _ = loader.statistics
          _ = loader.cachedImage(for: PipelineRig.request("x"))
          loader.conditions = .normal
          loader.trimMemory(.critical)
          loader.invalidate(PipelineRig.request("y"))
        }, now: time.now))
    box.withLock { $0 = loader }
    _ = try await loader.image(for: PipelineRig.request("x"))
    // Four of the load, and one of the trim from inside each of these.
    #expect(events.count == 8)
    box.withLock { $0 = nil }
  }
}

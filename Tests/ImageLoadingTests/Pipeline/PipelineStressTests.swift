import Foundation
import ImageCodecs
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

/// Many threads at once.
@Suite struct PipelineStressTests {
  @Test func B16_BUG5_BUG6_aThousandLoadsAndCancelsEndOnceEach() async throws {
    let seed = UInt64.random(in: .min ... .max)
    print("PipelineStressTests seed \(seed)")
    let rig = PipelineRig { $0.maxConcurrentDecodes = 2 }
    for number in 0..<12 { _ = rig.plain("\(number)") }
    rig.bytes.answer(PipelineRig.id("0"), .failure(ImageError(.network, message: "offline")))
    let transforms = PipelineTransforms()
    let (a, b) = (transforms.make("a"), transforms.make("b"))
    let loader = rig.loader
    let outcomes = try await withThrowingTaskGroup(of: Int.self) { group in
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
      return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(outcomes.values.reduce(0, +) == 1_000)
    #expect(outcomes[2] == nil)
    let left = loader.pipeline.guarded.withLock { ($0.waiters.count, $0.works.count, $0.state.count, $0.loads.count) }
    #expect(left == (0, 0, 0, 0))
    // A task that was cancelled before it began asks for nothing.
    #expect(loader.statistics.loads <= 1_000)
  }

  /// - Returns: How many ends were heard, and 0 also for a load that was cancelled.
  private static func load(
    _ request: ImageRequest, _ loader: ImageLoader, _ chance: inout SeededGenerator
  ) async throws -> Int {
    let isCancelled = Int.random(in: 0..<3, using: &chance) == 0
    let yields = Int.random(in: 0..<20, using: &chance)
    if Bool.random(using: &chance) {
      let task = Task { try await loader.image(for: request) }
      for _ in 0..<yields { await Task.yield() }
      if isCancelled { task.cancel() }
      _ = await task.result
      return 1
    }
    let steps = PipelineSteps()
    let ticket = LoadTicket()
    let cancel = loader.pipeline.start(request, ticket: ticket) { steps.hear($0) }
    for _ in 0..<yields { await Task.yield() }
    ticket.priority = .high
    if isCancelled {
      cancel()
      cancel()
    } else {
      await steps.ends.reached(1)
    }
    for _ in 0..<yields { await Task.yield() }
    return steps.ends.count
  }

  @Test func BUG29_B53_observersMayCallTheLoaderFromAnyEvent() async throws {
    let events = PipelineTally()
    let box = Mutex<ImageLoader?>(nil)
    let time = ElapsedTime(on: ManualClock())
    let bytes = PipelineBytes()
    bytes.answer(PipelineRig.id("x"), with: PipelineDecoder.plain(2, 2))
    let loader = ImageLoader(
      config: ImageLoaderConfig(), fetcher: bytes, memory: PipelineMemory(), decoders: [PipelineDecoder()],
      interceptors: [], clock: ManualClock(),
      events: ImageEvents(
        observer: { event in
          events.add()
          guard event.name != "trim", let loader = box.withLock({ $0 }) else { return }
          _ = loader.statistics
          _ = loader.cachedImage(for: PipelineRig.request("x"))
          loader.conditions = .normal
          loader.trimMemory(.critical)
          loader.invalidate(PipelineRig.request("y"))
        }, now: time.now))
    box.withLock { $0 = loader }
    _ = try await loader.image(for: PipelineRig.request("x"))
    #expect(events.count >= 8)
    box.withLock { $0 = nil }
  }
}

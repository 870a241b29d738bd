public import Paging
import Synchronization

/// A page source that does what a script says: pages, failures, delays, hangs and bad manners.
///
/// Each load is answered by the next step of a list, in the order in which the loads begin, or by a closure that sees
/// what is asked for. Delays pass on a ``ManualClock``, so a test decides when a load returns; a ``Gate`` does so
/// without any time.
///
/// ```swift
/// let source = ScriptedPageSource<Int, SampleItem>(clock: clock, steps: [
///   .page(Page(Sample.items(count: 20), nextKey: 20)),
///   .failure(Offline(), after: .seconds(1)),
/// ])
/// ```
///
/// Every member may be used from any thread. All calls are kept, so memory grows with them.
public final class ScriptedPageSource<Key: Hashable & Sendable, Item: Identifiable & Sendable>: PageSource
where Item.ID: Sendable {
  private let clock: ManualClock
  private let script: @Sendable (Int, LoadParams<Key>) throws -> Step
  private let record = Mutex<[LoadParams<Key>]>([])
  private let begun = Tally()

  /// A source that answers its first load with the first step, and so on.
  ///
  /// A load beyond the last step fails with ``ScriptEnded``, which says which one it was.
  ///
  /// - Parameters:
  ///   - clock: What delays pass on.
  ///   - steps: What the loads do, in the order in which they begin.
  public init(clock: ManualClock, steps: [Step]) {
    self.clock = clock
    script = { call, params in
      guard steps.indices.contains(call - 1) else {
        throw ScriptEnded(call: call, steps: steps.count, type: params.type)
      }
      return steps[call - 1]
    }
  }

  /// A source that asks `step` at every load what to do.
  ///
  /// - Parameters:
  ///   - clock: What delays pass on.
  ///   - step: What a load does, by what it is asked for. Called off the main actor, for several loads at a time.
  public init(clock: ManualClock, _ step: @escaping @Sendable (_ params: LoadParams<Key>) -> Step) {
    self.clock = clock
    script = { _, params in step(params) }
  }

  /// Notes the call and does the next step.
  ///
  /// - Throws: What the step says; ``ScriptEnded`` beyond the last one; `CancellationError` when cancelled, unless the
  ///   step ignores that.
  @concurrent public func load(_ params: LoadParams<Key>) async throws -> Page<Key, Item> {
    let call = record.withLock { calls in
      calls.append(params)
      return calls.count
    }
    begun.add(1)
    return try await script(call, params).run(on: clock)
  }

  /// What was asked for so far, in the order in which the loads began.
  public var calls: [LoadParams<Key>] { record.withLock { $0 } }

  /// Returns when at least `count` loads have begun since the source was made, or when the task that waits is
  /// cancelled.
  public func calls(atLeast count: Int) async {
    await begun.reached(count)
  }
}

/// A scripted source was asked more often than its script has steps.
public struct ScriptEnded: Error, Hashable, CustomStringConvertible {
  /// Which load found no step, counted from 1.
  public let call: Int
  /// How many steps the script has.
  public let steps: Int
  /// Which way that load went.
  public let type: LoadType

  /// What happened and what to do, in one line.
  public var description: String {
    "Load number \(call) (\(type)) is one too many: the script has \(steps) steps. "
      + "Add a step, or look why the code under test loads again."
  }
}

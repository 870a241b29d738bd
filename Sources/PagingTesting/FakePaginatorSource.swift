public import PagingCache
import Synchronization

/// A paginator source with pages by key, which fails, waits and answers as a test says.
///
/// ```swift
/// let source = FakePaginatorSource(FakePaginatorSource.numbered(pages: 10))
/// source.fail("7", with: Offline())
/// source.hold("5", by: gate)
/// ```
///
/// A key without a page fails with ``UnknownPage``. Every member may be used from any thread. All calls are kept, so
/// memory grows with them.
public final class FakePaginatorSource<Item: Sendable>: PaginatorSource {
  private struct Failure {
    let error: any Error
    var timesLeft: Int?
  }

  private struct State {
    var pages: [String: PaginatorPage<Item>]
    var failures: [String: Failure] = [:]
    var gates: [String: Gate] = [:]
    var calls: [PaginatorRequest] = []
    var running = 0
    var mostRunning = 0
  }

  private let state: Mutex<State>
  private let begun = Tally()
  private let ended = Tally()

  /// A source of these pages.
  public init(_ pages: [String: PaginatorPage<Item>] = [:]) {
    state = Mutex(State(pages: pages))
  }

  /// Notes the call, waits where the key is held, and then fails or answers.
  ///
  /// - Throws: What ``fail(_:with:times:)`` said; ``UnknownPage``; `CancellationError` when cancelled while held.
  @concurrent public func page(for request: PaginatorRequest) async throws -> PaginatorPage<Item> {
    let gate = state.withLock { state in
      state.calls.append(request)
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
      return state.gates[request.key]
    }
    begun.add(1)
    defer {
      state.withLock { $0.running -= 1 }
      ended.add(1)
    }
    try await gate?.pass()
    return try state.withLock { state in
      if var failure = state.failures[request.key] {
        if let left = failure.timesLeft {
          failure.timesLeft = left - 1
          state.failures[request.key] = left > 1 ? failure : nil
        }
        throw failure.error
      }
      guard let page = state.pages[request.key] else { throw UnknownPage(key: request.key) }
      return page
    }
  }

  // MARK: - What the test says

  /// Puts a page in place of its key's earlier one.
  public func set(_ page: PaginatorPage<Item>) {
    state.withLock { $0.pages[page.key] = page }
  }

  /// Has a key answer with a page of another key, as a faulty source does.
  public func set(_ page: PaginatorPage<Item>, asAnswerTo key: String) {
    state.withLock { $0.pages[key] = page }
  }

  /// Takes a key's page away.
  public func remove(_ key: String) {
    state.withLock { $0.pages[key] = nil }
  }

  /// Has a key fail.
  ///
  /// - Parameters:
  ///   - key: Which key.
  ///   - error: What to throw; nil: it fails no longer.
  ///   - times: How often; nil: until told otherwise.
  public func fail(_ key: String, with error: (any Error)?, times: Int? = nil) {
    state.withLock { state in
      let isOver = times.map { $0 < 1 } ?? false
      state.failures[key] = isOver ? nil : error.map { Failure(error: $0, timesLeft: times) }
    }
  }

  /// Has the loads of a key wait at a gate that begin from now on; nil: they wait no longer.
  public func hold(_ key: String, by gate: Gate?) {
    state.withLock { $0.gates[key] = gate }
  }

  // MARK: - What the test sees

  /// What was asked for so far, in the order in which the loads began.
  public var calls: [PaginatorRequest] { state.withLock { $0.calls } }

  /// The keys that were asked for so far, in the order in which the loads began.
  public var keys: [String] { calls.map(\.key) }

  /// How many loads were under way at the same time, at most.
  public var mostRunning: Int { state.withLock { $0.mostRunning } }

  /// Returns when at least `count` loads have begun since the source was made, or when the task that waits is
  /// cancelled.
  public func calls(atLeast count: Int) async {
    await begun.reached(count)
  }

  /// Returns when at least `count` loads have ended, well or badly, or when the task that waits is cancelled.
  public func ended(atLeast count: Int) async {
    await ended.reached(count)
  }
}

extension FakePaginatorSource where Item == SampleItem {
  /// Pages "1", "2", … that name each other, with rows of ``Sample``.
  ///
  /// - Parameters:
  ///   - count: How many pages; below zero counts as zero.
  ///   - pageSize: Rows in each; default 20.
  public static func numbered(pages count: Int, pageSize: Int = 20) -> [String: PaginatorPage<SampleItem>] {
    let size = max(1, pageSize)
    let items = Sample.items(count: max(0, count) * size)
    return (0..<max(0, count)).reduce(into: [:]) { pages, index in
      let key = String(index + 1)
      pages[key] = PaginatorPage(
        key: key, items: Array(items[index * size..<(index + 1) * size]),
        previousKey: index > 0 ? String(index) : nil, nextKey: index + 1 < count ? String(index + 2) : nil)
    }
  }
}

/// A fake was asked for a page that it doesn't have.
public struct UnknownPage: Error, Hashable, CustomStringConvertible {
  /// The key that has no page.
  public let key: String

  /// What happened and what to do, in one line.
  public var description: String { "There is no page \"\(key)\"; add it, or look why the code under test asks for it." }
}

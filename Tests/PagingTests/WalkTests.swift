import Paging
import PagingTesting
import Synchronization
import Testing

@Suite struct WalkTests {
  private typealias Source = ScriptedPageSource<Int, SampleItem>
  private struct Offline: Error {}

  private let clock = ManualClock()

  /// A source over `count` rows by offset, whose pages are as long as asked.
  private func rows(_ count: Int) -> Source {
    Source(clock: clock) { params in
      let start = params.key ?? 0
      let end = min(count, start + params.loadSize)
      return .page(Page((start..<end).map { SampleItem(id: $0) }, nextKey: end < count ? end : nil))
    }
  }

  @Test func H11_aWalkGivesEveryRowOnceForEveryPageSize() async throws {
    for pageSize in [1, 2, 3, 7, 99, 100, 101] {
      let source = rows(100)
      var ids: [Int] = []
      for try await item in source.items(pageSize: pageSize) { ids.append(item.id) }
      #expect(ids == Array(0..<100))
      #expect(source.calls.count == (100 + pageSize - 1) / pageSize)
    }
  }

  @Test func H11_theFirstLoadIsARefreshAndTheOthersAreAppends() async throws {
    let source = rows(5)
    for try await _ in source.pages(pageSize: 2) {}
    #expect(
      source.calls == [
        LoadParams(.refresh, key: nil, loadSize: 2, placeholdersEnabled: false),
        LoadParams(.append, key: 2, loadSize: 2, placeholdersEnabled: false),
        LoadParams(.append, key: 4, loadSize: 2, placeholdersEnabled: false),
      ])
    let middle = rows(5)
    for try await _ in middle.pages(from: 3, pageSize: 2) {}
    #expect(middle.calls == [LoadParams(.refresh, key: 3, loadSize: 2, placeholdersEnabled: false)])
  }

  @Test func H11_aFailureKnowsItsPageAndResumingGivesEveryRowOnce() async throws {
    for failing in 0..<4 {
      let calls = Mutex(0)
      let source = CursorPageSource<Int, SampleItem> { params in
        let call = calls.withLock { calls in
          defer { calls += 1 }
          return calls
        }
        if call == failing { throw Offline() }
        let start = params.key ?? 0
        return Page((start..<start + 3).map { SampleItem(id: $0) }, nextKey: start + 3 < 12 ? start + 3 : nil)
      }
      var ids: [Int] = []
      var failure: PageWalkFailure<Int>?
      do throws(PageWalkFailure<Int>) {
        for try await item in source.items(pageSize: 3) { ids.append(item.id) }
      } catch {
        failure = error
      }
      #expect(failure?.cause is Offline)
      #expect(failure?.resumeKey == (failing == 0 ? nil : failing * 3))
      for try await item in source.items(from: failure?.resumeKey, pageSize: 3) { ids.append(item.id) }
      #expect(ids == Array(0..<12))
    }
  }

  @Test func H11_afterAFailureAWalkIsOverAndLoadsNothing() async throws {
    let source = Source(clock: clock, steps: [.failure(Offline())])
    var walk = source.pages().makeAsyncIterator()
    await #expect(throws: PageWalkFailure<Int>.self) { try await walk.next() }
    #expect(try await walk.next() == nil)
    #expect(source.calls.count == 1)
  }

  @Test func H11_countsAreNotBelieved() async throws {
    let source = Source(
      clock: clock,
      steps: [
        .page(Page([SampleItem(id: 0)], nextKey: 1, itemsAfter: 0, total: .exact(1))),
        .page(Page([], nextKey: 2, itemsAfter: 0, total: .exact(0))),
        .page(Page([SampleItem(id: 1)], itemsAfter: 500, total: .exact(9_000))),
      ])
    #expect(try await source.items().collect(atMost: 10).map(\.id) == [0, 1])
  }

  @Test func H11_leavingTheLoopStopsLoading() async throws {
    let source = rows(100)
    for try await item in source.items(pageSize: 10) where item.id == 19 { break }
    #expect(source.calls.count == 2)
    #expect(try await source.items(pageSize: 10).collect(atMost: 20).count == 20)
    #expect(source.calls.count == 4)
    #expect(try await source.items().collect(atMost: 0).isEmpty)
    #expect(try await source.items().collect(atMost: -1).isEmpty)
    #expect(source.calls.count == 4)
    for try await _ in source.pages(pageSize: 10, maxPages: 3) {}
    #expect(source.calls.count == 7)
    for try await _ in source.pages(pageSize: 10, maxPages: 0) {}
    #expect(source.calls.count == 7)
  }

  @Test func P4_emptyPagesAreFollowedUpToTheBudget() async throws {
    let source = Source(clock: clock) { .page(Page([], nextKey: ($0.key ?? 0) + 1)) }
    let failure = await #expect(throws: PageWalkFailure<Int>.self) { try await source.items().collect(atMost: 1) }
    #expect((failure?.cause as? PagingError)?.code == .emptyPages)
    #expect(failure?.resumeKey == 8)
    #expect(source.calls.count == 8)

    let sparse = Source(clock: clock) { params in
      let key = params.key ?? 0
      return .page(Page(key % 8 == 7 ? [SampleItem(id: key)] : [], nextKey: key < 79 ? key + 1 : nil))
    }
    #expect(try await sparse.items().collect(atMost: 100).map(\.id) == (0..<10).map { $0 * 8 + 7 })

    let emptyToTheEnd = Source(clock: clock) { .page(Page([], nextKey: $0.key == 7 ? nil : ($0.key ?? 0) + 1)) }
    #expect(try await emptyToTheEnd.items().collect(atMost: 1).isEmpty)
  }

  @Test(arguments: 0...6, 1...6) func P4_keysThatGoRoundStopTheWalk(tail: Int, loop: Int) async throws {
    @Sendable func key(after key: Int) -> Int { key + 1 < tail + loop ? key + 1 : tail }
    let source = Source(clock: clock) { params in
      .page(Page([SampleItem(id: params.key ?? 0)], nextKey: key(after: params.key ?? 0)))
    }
    let failure = await #expect(throws: PageWalkFailure<Int>.self) { try await source.items().collect(atMost: 1_000) }
    #expect((failure?.cause as? PagingError)?.code == .keyCycle)
    #expect(source.calls.count <= 3 * (tail + loop) + 1)
  }

  @Test func P4_repeatedKeysAreFollowedWhereTheSourceAllowsThem() async throws {
    struct Feed: PageSource {
      let pages = Tape()
      var allowsRepeatedKeys: Bool { true }
      func load(_ params: LoadParams<Int>) async throws -> Page<Int, SampleItem> {
        let number = pages.next()
        return Page([SampleItem(id: number)], nextKey: number < 49 ? 1 : nil)
      }
    }
    #expect(try await Feed().items().collect(atMost: 1_000).count == 50)
  }

  @Test func P21_cancellationIsSaidToBeOneWhateverTheSourceMakesOfIt() async throws {
    for step in [Source.Step.hang, .held(by: Gate(), .invalid)] {
      let source = Source(clock: clock, steps: [.page(Page([SampleItem(id: 0)], nextKey: 1)), step])
      let walk = Task { try await source.items().collect(atMost: 10) }
      await source.calls(atLeast: 2)
      walk.cancel()
      let failure = await #expect(throws: PageWalkFailure<Int>.self) { try await walk.value }
      #expect(failure?.isCancellation == true)
      #expect(failure?.resumeKey == 1)
    }
    let gate = Gate()
    let rude = Source(clock: clock, steps: [.held(by: gate, .failure(Offline())).ignoringCancellation])
    let walk = Task { try await rude.items().collect(atMost: 10) }
    await gate.waiting(atLeast: 1)
    walk.cancel()
    gate.open()
    let failure = await #expect(throws: PageWalkFailure<Int>.self) { try await walk.value }
    #expect(failure?.isCancellation == true)
  }

  @Test func H11_aCancelledWalkStartsNoLoad() async throws {
    let source = rows(10)
    let walk = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await source.items().collect(atMost: 10)
    }
    await #expect(throws: PageWalkFailure<Int>.self) { try await walk.value }
    #expect(source.calls.isEmpty)
  }

  @MainActor @Test func P2_loadsRunOffTheCallersActor() async throws {
    struct Isolated: PageSource {
      let isMain = ActorNotes()
      func load(_ params: LoadParams<Int>) async throws -> Page<Int, SampleItem> {
        isMain.note(isolation: #isolation)
        return Page([])
      }
    }
    let source = Isolated()
    for try await _ in source.pages() {}
    for try await _ in source.items() {}
    #expect(source.isMain.values == [false, false])
  }

  @Test func aPageSizeBelowOneStopsByName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ArrayPageSource<SampleItem>([]).items(pageSize: 0)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("pageSize is 0"))
  }
}

/// Counts from zero.
private final class Tape: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

/// On which actor loads ran.
private final class ActorNotes: Sendable {
  private let notes = Mutex<[Bool]>([])

  var values: [Bool] { notes.withLock { $0 } }

  func note(isolation: (any Actor)?) {
    notes.withLock { $0.append(isolation === MainActor.shared) }
  }
}

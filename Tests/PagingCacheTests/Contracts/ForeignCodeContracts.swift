import Loading
import PagingTesting
import Synchronization
import Testing

@testable import PagingCache

/// What the app's own code may do when a paginator calls it: call the paginator.
@Suite(.timeLimit(.minutes(10))) struct ForeignCodeContracts {
  /// Watches another page when it sees page 5 for the first time after it was armed.
  private final class Watching: PaginatorValidator {
    let paginator = Mutex<Paginator<SampleItem>?>(nil)
    let isArmed = Atomic(false)
    let states = Mutex<AsyncStream<PaginatorPageState<SampleItem>>?>(nil)

    func validate(key: String) -> PageValidity { .valid }

    func validate(_ page: SamplePage) -> PageValidity {
      guard page.key == "5", isArmed.exchange(false, ordering: .relaxed) else { return .valid }
      let stream = paginator.withLock { $0 }?.states(of: "7", pageSize: 3)
      states.withLock { $0 = stream }
      return .valid
    }
  }

  /// A page's state is judged by the validator for all who watch, which must not happen under the watchers' lock.
  @Test func C11_aValidatorMayWatchAPageWhileStatesAreTold() async throws {
    let validator = Watching()
    let paginator = Paginator(validator: validator, source: Kit().source)
    validator.paginator.withLock { $0 = paginator }
    defer { validator.paginator.withLock { $0 = nil } }
    _ = try await paginator.fetch("5", pageSize: 3)
    var five = paginator.states(of: "5", pageSize: 3).makeAsyncIterator()
    #expect(await five.next()?.word == "loaded")
    validator.isArmed.store(true, ordering: .relaxed)
    _ = try await paginator.fetch("7", pageSize: 3)
    let stream = try #require(validator.states.withLock { $0 })
    for await state in stream where state.word == "loaded" { break }
    #expect(paginator.word("7") == "loaded")
  }

  /// The page's neighbours are named when it has been found to be current, and before it is in memory.
  @Test func C11_aPageThatIsClearedInTheMomentInWhichItIsKeptIsGone() async throws {
    let kit = Kit()
    let clearing = Mutex<Paginator<SampleItem>?>(nil)
    let paginator = kit.paginator {
      $0.cacheIdentity = { request in
        guard request.key == "6" else { return "" }
        let paginator = clearing.withLock { paginator in
          defer { paginator = nil }
          return paginator
        }
        paginator?.clear("5")
        return ""
      }
    }
    clearing.withLock { $0 = paginator }
    #expect(try await paginator.fetch("5", pageSize: 3).key == "5", "who waits for it is served still")
    #expect(clearing.withLock { $0 } == nil)
    #expect(paginator.word("5") == "absent")
    _ = try await paginator.fetch("5", pageSize: 3)
    #expect(kit.source.keys == ["5", "5"])
  }

  /// A store that takes its time with clearing is not read before it has done so.
  @Test func C11_aStoreIsNotReadBeforeItHasBeenCleared() async throws {
    let (kit, gate) = (Kit(), Gate())
    kit.store.set(SamplePage(key: "5", items: []), for: PaginatorRequest("5", pageSize: 3))
    kit.store.hold(.removeKey, by: gate)
    let paginator = kit.paginator()
    paginator.clear("5")
    await gate.waiting(atLeast: 1)
    let task = await paginator.fetching("5")
    for _ in 0..<1_000 { await Task.yield() }
    gate.open()
    #expect(try await task.value.items.count == 3, "the source's, not what was cleared")
    #expect(kit.source.keys == ["5"])
  }

  /// Whatever happens at once, the last state that is told is the one that holds.
  @Test func C11_theLastStateThatIsToldHolds() async throws {
    for _ in 0..<30 {
      let kit = Kit()
      let paginator = kit.paginator(stored: false)
      let streams = (1...4).map { paginator.states(of: "\($0)", pageSize: 3) }
      await withTaskGroup(of: Void.self) { group in
        for number in 1...4 {
          group.addTask { for _ in 0..<5 { _ = try? await paginator.reload("\(number)", pageSize: 3) } }
        }
      }
      for stream in streams {
        for await state in stream where state.word == "loaded" { break }
      }
    }
  }
}

import Dispatch
import Paging
import PagingTesting
import Synchronization
import Testing

/// An honest source of numbers by offset that a test plants a fault in.
struct PlantedSource: PageSource {
  typealias Load = @Sendable (LoadParams<Int>, ArrayPageSource<Number>) async throws -> Page<Int, Number>

  let base: ArrayPageSource<Number>
  var kind = KeyKind.offset
  var repeatsKeys = false
  var loading: Load = { try await $1.load($0) }
  var refreshKeys: @Sendable (PagingState<Int, Number>) -> Int? = { _ in nil }
  var keyForIndex: @Sendable (Int) -> Int? = { _ in nil }
  var keyAround: @Sendable (Int) -> Int? = { _ in nil }
  var standIn: @Sendable (Number, [Number]) -> Number? = { _, _ in nil }

  init(count: Int = 40, _ change: (inout PlantedSource) -> Void = { _ in }) {
    base = ArrayPageSource((0..<count).map { Number(id: $0) })
    change(&self)
  }

  @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, Number> { try await loading(params, base) }
  var keyKind: KeyKind { kind }
  var allowsRepeatedKeys: Bool { repeatsKeys }
  func refreshKey(for state: PagingState<Int, Number>) -> Int? { refreshKeys(state) }
  func key(forIndex index: Int) -> Int? { keyForIndex(index) }
  func key(around id: Int) -> Int? { keyAround(id) }
  func survivor(of anchor: Number, among candidates: [Number]) -> Number? { standIn(anchor, candidates) }

  /// A source whose honest pages `edit` spoils.
  static func spoiling(
    _ edit: @escaping @Sendable (LoadParams<Int>, inout Page<Int, Number>) -> Void
  ) -> PlantedSource {
    PlantedSource { source in
      source.loading = { params, base in
        var page = try await base.load(params)
        edit(params, &page)
        return page
      }
    }
  }
}

/// A place where what a test runs gets stuck, cancelled or not, until the test lets it go.
final class Trap: Sendable {
  private let gate = Gate()

  func stayIn() async {
    // A task of its own, since cancellation doesn't reach it.
    await Task { try? await self.gate.pass() }.value
  }

  /// Returns when somebody is stuck.
  func caught() async { await gate.waiting(atLeast: 1) }

  func open() { gate.open() }
}

/// Blocks a thread until a test lets it go.
final class Blockade: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let blocked = Gate()

  func block() {
    blocked.open()
    semaphore.wait()
  }

  /// Returns when a thread is blocked.
  func reached() async { try? await blocked.pass() }

  func open() { semaphore.signal() }
}

/// One fault, and the check that is to find it.
struct SourcePlant: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: VerifierCheck
  let make: @Sendable () -> PlantedSource

  init(_ name: String, _ check: VerifierCheck, _ make: @escaping @Sendable () -> PlantedSource) {
    testDescription = name
    self.check = check
    self.make = make
  }
}

extension SourcePlant {
  static let ofKeys: [SourcePlant] = [
    SourcePlant("the last page fails", .loads) {
      PlantedSource { $0.loading = { if $0.key == 35 { throw Offline() } else { try await $1.load($0) } } }
    },
    SourcePlant("the first page fails", .loads) {
      PlantedSource { $0.loading = { if $0.key == nil { throw Offline() } else { try await $1.load($0) } } }
    },
    SourcePlant("the last page leads back to the second", .keyCycle) {
      .spoiling { if $1.nextKey == nil { $1.nextKey = 5 } }
    },
    SourcePlant("a page leads to itself", .keyCycle) { .spoiling { if $0.key == 10 { $1.nextKey = 10 } } },
    SourcePlant("there always is one page more", .end) {
      .spoiling { params, page in
        let key = params.key ?? 0
        if key >= 40 { page = Page((key..<key + 5).map { Number(id: $0) }) }
        if params.type != .prepend { page.nextKey = key + 5 }
      }
    },
    SourcePlant("nine empty pages before the end", .emptyPages) {
      .spoiling { params, page in
        let key = params.key ?? 0
        if key >= 40, key < 49 { page = Page([], nextKey: key + 1) }
        if key < 40, page.nextKey == nil { page.nextKey = 40 }
      }
    },
    SourcePlant("pages overlap by a row", .uniqueIDs) {
      .spoiling { params, page in page.nextKey = page.nextKey.map { $0 - (params.loadSize > 1 ? 1 : 0) } }
    },
    SourcePlant("a page holds a row twice", .uniqueIDs) {
      .spoiling { params, page in if params.key == 5, let first = page.items.first { page.items.append(first) } }
    },
    SourcePlant("keys are ignored, the source remembers where it is", .repeatability) {
      let position = Counter()
      return PlantedSource {
        $0.loading = { params, base in
          if params.type == .refresh { position.value = 0 }
          let start = position.value
          position.value = min(40, start + params.loadSize)
          return try await base.load(LoadParams(.append, key: start, loadSize: params.loadSize))
        }
      }
    },
    SourcePlant("a refresh always gives the first page", .repeatability) {
      PlantedSource {
        $0.loading = { params, base in
          try await base.load(params.type == .refresh ? LoadParams(.refresh, loadSize: params.loadSize) : params)
        }
      }
    },
    SourcePlant("a prepend gives the rows behind its key", .wayBack) {
      PlantedSource {
        $0.loading = { params, base in
          try await base.load(
            params.type == .prepend ? LoadParams(.append, key: params.key, loadSize: params.loadSize) : params)
        }
      }
    },
    SourcePlant("a page in the middle has no previous key", .wayBack) {
      .spoiling { if $0.key == 20 { $1.previousKey = nil } }
    },
    SourcePlant("the way back is off by a row", .wayBack) {
      .spoiling { $1.previousKey = $1.previousKey.map { max(0, $0 - 1) } }
    },
    SourcePlant("the way back ends too early", .wayBack) {
      .spoiling { if $0.type == .prepend, $1.items.first?.id ?? 0 < 12 { $1.previousKey = nil } }
    },
    SourcePlant("a prepended page has no next key", .wayForward) {
      .spoiling { if $0.type == .prepend { $1.nextKey = nil } }
    },
    SourcePlant("the next key of a prepended page skips one", .wayForward) {
      .spoiling { if $0.type == .prepend { $1.nextKey = $1.nextKey.map { $0 + 5 } } }
    },
  ]

  static let ofSizes: [SourcePlant] = [
    SourcePlant("keys are page numbers, and nobody says so", .loadSize) {
      PlantedSource {
        $0.loading = { params, base in
          let number = params.key ?? 0
          let start = number * params.loadSize
          let page = try await base.load(LoadParams(.append, key: start, loadSize: params.loadSize))
          return Page(page.items, nextKey: start + params.loadSize < 40 ? number + 1 : nil)
        }
      }
    },
    SourcePlant("the server caps the size, and the next key doesn't know", .loadSize) {
      .spoiling { params, page in
        guard params.type != .prepend else { return }
        page.items = Array(page.items.prefix(7))
        page.nextKey = page.nextKey == nil ? nil : (params.key ?? 0) + params.loadSize
      }
    },
    SourcePlant("a short page is taken for the end", .loadSize) {
      .spoiling {
        if $0.loadSize > 7, $0.type != .prepend {
          $1.items = Array($1.items.prefix(7))
          $1.nextKey = nil
        }
      }
    },
    SourcePlant("itemsAfter counts the page too", .counts) {
      .spoiling {
        $1.itemsAfter = $1.itemsAfter.map { $0 + 5 }
        $1.total = nil
      }
    },
    SourcePlant("itemsBefore is always zero", .counts) { .spoiling { $1.itemsBefore = 0 } },
    SourcePlant("the total is the page's", .counts) { .spoiling { $1.total = .exact($1.items.count) } },
    SourcePlant("the least total is too much", .counts) { .spoiling { $1.total = .atLeast(100) } },
  ]

  static let ofAnswers: [SourcePlant] = [
    SourcePlant("a refresh key takes the anchor for a place in the whole list", .refreshKey) {
      PlantedSource { $0.refreshKeys = { state in state.anchorIndex } }
    },
    SourcePlant("a refresh key is that of the page behind", .refreshKey) {
      PlantedSource { $0.refreshKeys = { state in state.anchorIndex.flatMap { state.closestPage(to: $0)?.nextKey } } }
    },
    SourcePlant("an index' key is its page's number", .keyForIndex) { PlantedSource { $0.keyForIndex = { $0 / 5 } } },
    SourcePlant("an item's key is that of the row behind", .keyAround) {
      PlantedSource { $0.keyAround = { min($0 + 1, 39) } }
    },
    SourcePlant("what stands in for a row is the row", .survivor) {
      PlantedSource { $0.standIn = { anchor, _ in anchor } }
    },
    SourcePlant("a cancelled load returns an empty page", .cancellation) {
      PlantedSource { $0.loading = { Task.isCancelled ? Page([]) : try await $1.load($0) } }
    },
    SourcePlant("a load that is cancelled on its way returns what it has", .cancellation) {
      // The load after one that was cancelled before it began is the one that is cancelled on its way: it waits for that.
      let comesNext = Counter()
      return PlantedSource {
        $0.loading = { params, base in
          if comesNext.value == 1 {
            comesNext.value = 0
            do { try await Gate().pass() } catch { return Page([]) }
          }
          if Task.isCancelled {
            comesNext.value = 1
            throw CancellationError()
          }
          return try await base.load(params)
        }
      }
    },
    SourcePlant("a cancelled load is remembered as an empty page", .cancellation) {
      let memory = Memory()
      return PlantedSource {
        $0.loading = { params, base in
          if let page = memory.page(params) { return page }
          if Task.isCancelled {
            memory.keep(Page([]), for: params)
            throw CancellationError()
          }
          return try await base.load(params)
        }
      }
    },
    SourcePlant("loads share a variable", .concurrency) {
      let key = Counter()
      return PlantedSource {
        $0.loading = { params, base in
          key.value = params.key ?? 0
          for _ in 0..<4 { await Task.yield() }
          return try await base.load(LoadParams(params.type, key: key.value, loadSize: params.loadSize))
        }
      }
    },
    SourcePlant("a second load at the same time is refused", .concurrency) {
      let running = Counter()
      return PlantedSource {
        $0.loading = { params, base in
          guard running.next() == 0 else { throw Offline() }
          defer { running.value = 0 }
          for _ in 0..<4 { await Task.yield() }
          return try await base.load(params)
        }
      }
    },
    SourcePlant("an unknown key gives the first page", .invalidKey) {
      PlantedSource {
        $0.loading = { try await $1.load($0.key == 999 ? LoadParams(.refresh, loadSize: $0.loadSize) : $0) }
      }
    },
    SourcePlant("an unknown key gives nothing", .invalidKey) { PlantedSource() },
  ]
}

/// Pages by what was asked for.
private final class Memory: Sendable {
  private let pages = Mutex<[LoadParams<Int>: Page<Int, Number>]>([:])

  func page(_ params: LoadParams<Int>) -> Page<Int, Number>? { pages.withLock { $0[params] } }
  func keep(_ page: Page<Int, Number>, for params: LoadParams<Int>) { pages.withLock { $0[params] = page } }
}

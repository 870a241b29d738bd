import Synchronization

/// A paginator's store, with what is to be cleared brought in order: whoever reads or saves comes after all clearing
/// that was asked for before.
///
/// Clearing is asked for without waiting, and the store works for itself; without an order a read could find what was
/// cleared. Every member may be used from any thread.
final class StoreLine<Item: Sendable>: Sendable {
  private struct State {
    var clearing: Task<Void, Never>?
    var number: UInt64 = 0
  }

  private let store: any PaginatorStore<Item>
  private let failed: @Sendable (_ what: String) -> Void
  private let state = Mutex(State())

  /// - Parameter failed: Told of each failure of the store: `read`, `save` or `remove`.
  init(_ store: any PaginatorStore<Item>, failed: @escaping @Sendable (_ what: String) -> Void) {
    self.store = store
    self.failed = failed
  }

  /// The page of a request; nil where there is none, or the store fails.
  func page(for request: PaginatorRequest) async -> PaginatorPage<Item>? {
    await cleared()
    do {
      return try await store.page(for: request)
    } catch {
      // Whoever reads may have been cancelled: that is no failure of the store.
      if !(error is CancellationError) { failed("read") }
      return nil
    }
  }

  /// Keeps a page, unless it was cleared meanwhile.
  ///
  /// - Returns: Whether the store took it.
  func save(
    _ page: PaginatorPage<Item>, for request: PaginatorRequest, while isCurrent: @Sendable () -> Bool
  ) async -> Bool {
    await cleared()
    guard isCurrent() else { return true }
    do {
      try await store.save(page, for: request)
    } catch {
      failed("save")
      return false
    }
    // Cleared while it was being saved: the clearing may have come before the page.
    if !isCurrent() { await remove(request) }
    return true
  }

  /// Lets one page go.
  func remove(_ request: PaginatorRequest) async {
    do { try await store.remove(request) } catch { failed("remove") }
  }

  /// Has a key's pages go, of every size.
  func clear(_ key: String) {
    inLine { try await $0.removePages(ofKey: key) }
  }

  /// Has all pages go.
  func clearAll() {
    inLine { try await $0.removeAll() }
  }

  /// Returns when all clearing that was asked for so far is done.
  func cleared() async {
    await state.withLock { $0.clearing }?.value
  }

  private func inLine(_ clear: @escaping @Sendable (any PaginatorStore<Item>) async throws -> Void) {
    state.withLock { state in
      state.number += 1
      let (earlier, number) = (state.clearing, state.number)
      state.clearing = Task.detached {
        await earlier?.value
        do { try await clear(self.store) } catch { self.failed("remove") }
        self.state.withLock { if $0.number == number { $0.clearing = nil } }
      }
    }
  }
}

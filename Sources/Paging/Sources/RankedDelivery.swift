import Synchronization

/// What one generation of a ranked list was given. Its keys hold it.
final class RankedDelivery<ID: Hashable & Sendable>: Sendable {
  private struct State {
    var pages = DeliveredPages<ID>()
    var spansSessions = false
  }

  private let state = Mutex(State())

  /// Whether the list goes on in another session than the one it began in.
  var spansSessions: Bool { state.withLock { $0.spansSessions } }

  /// What the page of a key brought; nil: it was never loaded, or is forgotten.
  func page(at key: RankedKey) -> DeliveredPages<ID>.Page? {
    state.withLock { $0.pages.page(at: key) }
  }

  /// The IDs that other pages brought, the latest last.
  func ids(outside key: RankedKey) -> [ID] {
    state.withLock { $0.pages.ids(outside: key) }
  }

  /// Takes what a load brought, and gives the rows that the page shows.
  func take<Item: Identifiable>(
    _ items: [Item], at key: RankedKey, _ page: DeliveredPages<ID>.Page
  ) -> [Item] where Item.ID == ID {
    let ids = items.map(\.id)
    let kept = state.withLock { $0.pages.take(ids, at: key, page) }
    return kept.map { items[$0] }
  }

  func sessionEnded() {
    state.withLock { $0.spansSessions = true }
  }

  /// Back to nothing, for a generation that begins once more.
  func reset() {
    state.withLock { $0 = State() }
  }
}

/// What the newest generation that began without a key was given: its first page, read again, comes without one too.
final class RankedBeginnings<ID: Hashable & Sendable>: Sendable {
  private let newest = Mutex<RankedDelivery<ID>?>(nil)

  /// The first page of a generation came that began without a key.
  func began(_ delivery: RankedDelivery<ID>) {
    newest.withLock { $0 = delivery }
  }

  /// The newest one, or the first.
  func latest() -> RankedDelivery<ID> {
    newest.withLock { newest in
      let latest = newest ?? RankedDelivery<ID>()
      newest = latest
      return latest
    }
  }
}

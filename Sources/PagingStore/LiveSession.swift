/// An unbroken subscription to what happens to a list: made by ``StoredList/liveSession()`` when a connection stands.
///
/// ```swift
/// let session = try chat.liveSession()
/// defer { session.end() }
/// let request = try chat.request(.head)          // after the session began: it proves that the head is current
/// try chat.apply(try await api.newest(), for: request)
/// for try await event in socket.events() { try session.receive([event.message]) }
/// ```
///
/// Until a page of the head that was asked for within the session is applied, nobody knows what was missed: what comes
/// is held, counted or refused, by ``ListPolicy/unprovenLive``. From then on it goes in at the head, until the session
/// ends. End it as soon as the connection breaks: an event that was missed can't be seen otherwise. It ends with its
/// last reference too. May be used from any thread.
public final class LiveSession<Item: StoredItem>: Sendable {
  private let list: StoredList<Item>
  private let number: Int64

  init(_ list: StoredList<Item>, number: Int64) {
    self.list = list
    self.number = number
  }

  deinit { end() }

  /// Takes in items that are new in the list.
  ///
  /// - Parameter items: The items in the order in which they came about, the newest last.
  /// - Throws: ``ListStoreError``, with nothing changed; `wrongState` after the session has ended.
  public func receive(_ items: [Item]) throws(ListStoreError) {
    try list.core.receive(stored(items), by: number, in: list.id, policy: list.policy)
  }

  /// Takes in fresher copies of items. They show wherever the items are stored, and make no row.
  ///
  /// - Parameter items: The items as the server has them now.
  /// - Throws: ``ListStoreError``, with nothing changed; `wrongState` after the session has ended.
  public func receiveUpdates(_ items: [Item]) throws(ListStoreError) {
    try list.core.receiveUpdates(stored(items), by: number, of: list.id)
  }

  /// Takes note of items that the server deleted. They leave all lists, and a page that was asked for before doesn't
  /// bring them back. Edits of them that the server had not taken are kept as failed.
  ///
  /// - Parameter ids: The items' IDs.
  /// - Throws: ``ListStoreError``, with nothing changed; `wrongState` after the session has ended.
  public func receiveDeletions(_ ids: [Item.ID]) throws(ListStoreError) {
    var keys: [ItemKey] = []
    keys.reserveCapacity(ids.count)
    for id in ids { keys.append(try ItemKey(id)) }
    try list.core.receiveDeletions(keys, by: number, of: list.id)
  }

  /// Ends the session: the connection broke, or nobody needs it. Ending it twice does nothing.
  ///
  /// What was held is dropped. A store that can't be written to is reported to its observer; nothing is taken for
  /// current then either.
  public func end() {
    do throws(ListStoreError) {
      try list.core.endLive(number, of: list.id, rule: list.policy.order.rule)
    } catch {
      list.core.report(
        ListStoreReport(kind: .sessionEndUnsaved, list: list.name, count: 0, message: error.message))
    }
  }

  private func stored(_ items: [Item]) throws(ListStoreError) -> [StoreItem] {
    var stored: [StoreItem] = []
    stored.reserveCapacity(items.count)
    for item in items { stored.append(try list.stored(item)) }
    return stored
  }
}

/// A source that can give all IDs of its list at once, and items by their IDs.
///
/// For whoever keeps the whole order and fetches items where they are looked at: a list of IDs has its full length from
/// the start, and a row whose item is missing on the server can be taken out.
public protocol IDListSource<Key, Item>: PageSource {
  /// All IDs, in list order. Of equal ones the first counts.
  ///
  /// Starts off the main actor, unless the source isolates itself. It must not block its thread.
  ///
  /// - Throws: Anything; whoever asks decides what becomes of it. Cancellation is no failure.
  @concurrent func allIDs() async throws -> [Item.ID]

  /// The items of these IDs, in any order; those that don't exist are left out.
  ///
  /// - Parameter ids: Which ones, at least one; as many as the caller likes: the source splits what its server caps.
  /// - Throws: As ``allIDs()``.
  @concurrent func items(withIDs ids: [Item.ID]) async throws -> [Item]
}

extension IDListPageSource: IDListSource {
  /// Calls the closure.
  @concurrent public func allIDs() async throws -> [Item.ID] { try await idsNow() }

  /// Calls the closure as often as `idsPerCall` asks for, one call after the other.
  @concurrent public func items(withIDs ids: [Item.ID]) async throws -> [Item] {
    var items: [Item] = []
    var rest = ids[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let asked = rest.prefix(idsPerCall)
      items += try await itemsNow(Array(asked))
      rest = rest.dropFirst(asked.count)
    }
    return items
  }
}

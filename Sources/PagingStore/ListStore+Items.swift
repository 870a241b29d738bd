extension ListStore {
  /// An item as all lists show it: the server's copy with the local edits over it.
  ///
  /// - Parameters:
  ///   - id: Its ID; one that was created here is found by the ID that it had then, too.
  ///   - type: Its type.
  /// - Returns: The item; nil where it isn't stored, was deleted, or only its ID is known.
  /// - Throws: ``ListStoreError``; `coding` where it no longer decodes.
  public func item<Item: StoredItem>(
    _ id: Item.ID, of type: Item.Type = Item.self
  ) throws(ListStoreError) -> Item? {
    guard let blob = try core.sight(of: try ItemKey(id), kind: Item.storedKind)?.blob else { return nil }
    return try config.coder.decode(Item.self, from: blob)
  }

  /// An item as it is now, and each time that it is another.
  ///
  /// What a reader is too slow for is skipped; the newest comes. A sweep leaves the item alone as long as the stream is
  /// there. For one reader; ask again for another.
  ///
  /// - Parameters:
  ///   - id: Its ID; it need not be stored yet.
  ///   - type: Its type.
  /// - Returns: The item, or nil where there is none at the time. Ends with the task that reads it; throws
  ///   ``ListStoreError`` where the store can't be read or the item no longer decodes.
  public func observe<Item: StoredItem>(
    _ id: Item.ID, of type: Item.Type = Item.self
  ) -> AsyncThrowingStream<Item?, any Error> {
    let coder = config.coder
    let watch = Result { () throws(ListStoreError) in ItemWatch(try ItemKey(id), kind: Item.storedKind, core: core) }
    return AsyncThrowingStream {
      guard let sight = try await watch.get().next() else { return nil }
      guard let blob = sight.blob else { return .some(nil) }
      return .some(try coder.decode(Item.self, from: blob))
    }
  }
}

extension StoredList {
  /// Makes an item here, before the server knows: a message that is being sent.
  ///
  /// It outlives the app and a power cut once this returns. Its row follows the newest row of the list as long as
  /// nothing can be missing between the two: while a ``liveSession()`` has proved the head current, or where nothing
  /// else is stored. Elsewhere it waits unseen until a page brings it. New items that were held back are shown, since
  /// whoever makes an item wants to see it. Where the server's own copy comes before ``LocalEdit/confirm(as:)`` has
  /// told its ID, nothing says that the two are one, and both show until then.
  ///
  /// ```swift
  /// let sending = try chat.insert(Message(id: .local(UUID()), text: text), intent: "send")
  /// try sending.markSending()
  /// let message = try await api.send(text, key: sending.idempotencyKey)
  /// try sending.confirm(as: message)
  /// ```
  ///
  /// - Parameters:
  ///   - item: The item, with an ID that no other has.
  ///   - intent: The app's word for what is to be sent, for ``ListStore/pendingEdits()`` after a restart.
  /// - Returns: The edit that made it, to be told how sending it went.
  /// - Throws: ``ListStoreError``; `wrongState` where an item with that ID is stored, `coding` where it can't be
  ///   encoded.
  @discardableResult
  public func insert(_ item: Item, intent: String = "create") throws(ListStoreError) -> LocalEdit {
    let stored = StoreItem(
      key: try ItemKey(item.id), blob: try coder.encode(item), version: item.version, sortBytes: nil)
    return EditKeeper(core: core, coder: coder).edit(try core.create(stored, in: id, intent: intent))
  }
}

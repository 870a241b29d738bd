/// A change of an item, or a new item, that was made here and that the server has not been seen to know.
///
/// It is kept in the store until then, so that after a restart ``ListStore/pendingEdits()`` says what is still to be
/// sent. The server's copy of the item is never touched by it: every list and screen shows that copy with the edits
/// laid over it.
///
/// ```swift
/// let edit = try store.edit(post.id, of: Post.self, intent: "like") { $0.isLiked = true }
/// try edit.markSending()
/// do {
///   try await api.like(post.id, key: edit.idempotencyKey)
///   try edit.confirm()
/// } catch {
///   try edit.fail()
/// }
/// ```
///
/// A value of one moment: ``state`` is what it was when the value was made. May be used from any thread; keeps its
/// store open.
public struct LocalEdit: Identifiable, Sendable {
  /// How far an edit has come; more may come.
  public struct State: Hashable, Sendable, CustomStringConvertible {
    /// Its name.
    public let description: String

    /// Nobody has begun to send it. A later edit of the same members takes its place.
    public static let queued = State(description: "queued")
    /// It is on its way. After a restart it may have arrived or not: send it again with the same key.
    public static let sending = State(description: "sending")
    /// The server has taken it. It still shows, until a copy of the item arrives that knows of it.
    public static let acknowledged = State(description: "acknowledged")
    /// It could not be sent, or its item was deleted on the server. It still shows until it is sent again or rolled
    /// back.
    public static let failed = State(description: "failed")
    /// It was taken back.
    public static let rolledBack = State(description: "rolledBack")
    /// A copy that knows of it is stored, so that nothing is left of it.
    public static let ended = State(description: "ended")
  }

  /// Its number in the store, never used twice; later edits have larger ones.
  public let id: Int64
  /// What the app called it, to know after a restart what to send.
  public let intent: String
  /// How far it had come.
  public let state: State
  /// The same for every try to send it, so that a server that is told twice does it once.
  public let idempotencyKey: String
  /// How often it was begun to be sent.
  public let tries: Int
  /// The type name of its item, as the store keeps it.
  public let itemKind: String
  /// Whether it made the item, rather than changed one.
  public let isCreation: Bool

  /// The canonical text of the item's ID.
  let itemKey: ItemKey
  let keeper: any EditKeeping

  /// The ID of its item: the server's, once a creation was confirmed.
  ///
  /// - Parameter type: The item's type.
  /// - Throws: ``ListStoreError`` of code `coding` where the item is of another type.
  public func itemID<Item: StoredItem>(of type: Item.Type) throws(ListStoreError) -> Item.ID {
    try keeper.itemID(of: self, type)
  }

  /// Says that it is being sent; from here on no later edit takes its place. Also to send it again.
  ///
  /// - Returns: The edit as it is now.
  /// - Throws: ``ListStoreError``; `wrongState` where it was confirmed, `notFound` where it has ended, was rolled back,
  ///   or a later edit took its place.
  @discardableResult
  public func markSending() throws(ListStoreError) -> LocalEdit { try keeper.change(self, by: .markSending) }

  /// Says that the server has taken it. It ends when a copy of the item is stored that has this version or a later one,
  /// or that was asked for from now on.
  ///
  /// - Parameter version: The version that the item now has on the server, if it says so.
  /// - Returns: The edit as it is now; `ended` where the store has such a copy already.
  /// - Throws: ``ListStoreError``; `notFound` where it has ended, was rolled back, or a later edit took its place.
  @discardableResult
  public func confirm(version: Int64? = nil) throws(ListStoreError) -> LocalEdit {
    try keeper.change(self, by: .confirm(version: version))
  }

  /// Says that the server has taken it, and what the item is there: for creations, whose item gets its ID this way.
  ///
  /// The row stays the same on screen, and the item is found by either ID. Where the server's item has arrived already,
  /// by a page or a live event, the two become one row.
  ///
  /// - Parameter item: The item as the server has it.
  /// - Returns: The edit as it is now, mostly `ended`.
  /// - Throws: ``ListStoreError``; `notFound` as above, `coding` where `item` is of another type.
  @discardableResult
  public func confirm<Item: StoredItem>(as item: Item) throws(ListStoreError) -> LocalEdit {
    try keeper.confirm(self, as: item)
  }

  /// Says that it could not be sent. It stays and shows; ``markSending()`` tries again with the same key.
  ///
  /// - Returns: The edit as it is now.
  /// - Throws: ``ListStoreError``; `wrongState` where it was confirmed, `notFound` where it is no more.
  @discardableResult
  public func fail() throws(ListStoreError) -> LocalEdit { try keeper.change(self, by: .fail) }

  /// Takes it back: the item shows what the server said, with the other edits of it. A created item is gone.
  ///
  /// - Returns: The edit as it is now.
  /// - Throws: ``ListStoreError``; `wrongState` where it was confirmed, `notFound` where it is no more.
  @discardableResult
  public func rollback() throws(ListStoreError) -> LocalEdit { try keeper.change(self, by: .rollback) }
}

extension LocalEdit.State {
  /// What a stored phase is called.
  init(_ phase: EditLife.Phase) {
    self =
      switch phase {
      case .queued: .queued
      case .sending: .sending
      case .acknowledged: .acknowledged
      case .failed: .failed
      }
  }
}

/// What carries out what an edit is told.
protocol EditKeeping: Sendable {
  func change(_ edit: LocalEdit, by event: EditLife.Event) throws(ListStoreError) -> LocalEdit
  func confirm<Item: StoredItem>(_ edit: LocalEdit, as item: Item) throws(ListStoreError) -> LocalEdit
  func itemID<Item: StoredItem>(of edit: LocalEdit, _ type: Item.Type) throws(ListStoreError) -> Item.ID
}

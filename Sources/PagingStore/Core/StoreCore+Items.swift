extension StoreCore {
  /// What became of an item that arrived.
  struct Arrival: Hashable, Sendable {
    /// The item's number.
    var number: Int64
    /// When it became known that the server had deleted it, if that was after it was asked for: it isn't taken in.
    var tombstone: Int64?
    /// Whether readers see something else than before.
    var isFresher: Bool
    /// Whether it was not stored before.
    var isNew = false
  }

  /// What is stored beside items, mostly nothing: looked for once, not for each item of a page.
  struct ItemExtras {
    /// Whether any item has an edit.
    let hasEdits: Bool
    /// Whether any item goes by two IDs.
    let hasAliases: Bool

    init(_ connection: Connection) throws(ListStoreError) {
      hasEdits = try !connection.patches.isEmpty
      hasAliases = try connection.items.hasAliases
    }
  }

  /// Takes in an item's contents, if they are newer than what is stored.
  ///
  /// They are by the server's version, and where there is none, if they were asked for later. An item that was deleted
  /// after they were asked for stays deleted; one that was asked for after that is back. Local edits that the contents
  /// know of end.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - kind: The number of its type.
  ///   - started: The sequence number at which the question for it left.
  ///   - isPushed: Nobody asked for it, so without a version it doesn't prove that it knows of an edit.
  ///   - extras: What is stored beside items, where the caller has looked for many at once; nil: not yet.
  ///   - isLikelyNew: It is stored without a look whether it is known, and that is looked for if it can't be. Only a
  ///     matter of speed.
  func arrived(
    _ item: StoreItem, kind: Int64, asked started: Int64, isPushed: Bool = false, extras: ItemExtras? = nil,
    isLikelyNew: Bool = false, in transaction: WriteTransaction, change: inout StoreChange
  ) throws(ListStoreError) -> Arrival {
    let extras = if let extras { extras } else { try ItemExtras(transaction.connection) }
    // What goes by another ID too must be looked for.
    let arrival = try takeIn(
      item, kind: kind, asked: started, extras, isLikelyNew: isLikelyNew && !extras.hasAliases, in: transaction,
      change: &change)
    guard extras.hasEdits, !arrival.isNew, arrival.tombstone == nil, item.blob != nil else { return arrival }
    if try transaction.endEdits(of: arrival.number, version: item.version, startedAt: isPushed ? nil : started) {
      change.items.insert(arrival.number)
    }
    return arrival
  }

  private func takeIn(
    _ item: StoreItem, kind: Int64, asked started: Int64, _ extras: ItemExtras, isLikelyNew: Bool,
    in transaction: WriteTransaction, change: inout StoreChange
  ) throws(ListStoreError) -> Arrival {
    let items = transaction.connection.items
    var known: ItemRecord?
    if !isLikelyNew { known = try items.find(item.key, kind: kind, orByAlias: extras.hasAliases) }
    if known == nil {
      let record = ItemRecord(
        number: transaction.draw(), kind: kind, key: item.key, base: item.blob, version: item.version,
        baseSequence: item.blob == nil ? 0 : started, usedAt: milliseconds)
      if try items.insertIfNew(record) {
        change.items.insert(record.number)
        return Arrival(number: record.number, isFresher: true, isNew: true)
      }
      known = try items.find(item.key, kind: kind, orByAlias: false)
    }
    guard var known else {
      throw ListStoreError(
        .damaged, message: "Item \(item.key.text) is there and can't be read: recover(to:) saves what can be read.")
    }
    if let deleted = known.deletedSequence, deleted > started {
      return Arrival(number: known.number, tombstone: deleted, isFresher: false)
    }
    let wasDeleted = known.deletedSequence != nil
    known.deletedSequence = nil
    let isFresher = known.isOlder(than: item, asked: started) && known.base != item.blob
    if let blob = item.blob, known.isOlder(than: item, asked: started) {
      let saysNothingNew = known.base == blob && known.version == item.version && known.baseSequence == started
      if saysNothingNew, !wasDeleted { return Arrival(number: known.number, isFresher: false) }
      known.base = blob
      known.version = item.version
      known.baseSequence = started
    } else if !wasDeleted {
      return Arrival(number: known.number, isFresher: false)
    }
    known.usedAt = milliseconds
    try items.updateContents(of: known)
    if isFresher || wasDeleted { change.items.insert(known.number) }
    return Arrival(number: known.number, isFresher: isFresher)
  }
}

extension ItemRecord {
  /// Whether contents that arrived are to take the place of these.
  fileprivate func isOlder(than item: StoreItem, asked started: Int64) -> Bool {
    guard item.blob != nil else { return false }
    guard base != nil else { return true }
    if let ours = version, let theirs = item.version, ours != theirs { return theirs > ours }
    return started >= baseSequence
  }
}

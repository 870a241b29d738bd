#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreCore {
  /// An edit with what names its item.
  struct NamedPatch: Sendable {
    var patch: StoredPatch
    var key: ItemKey
    var kind: String
  }

  /// Keeps a change of an item, durably.
  ///
  /// - Parameters:
  ///   - key: The item's ID.
  ///   - kind: The name of its type.
  ///   - intent: The app's word for the change.
  ///   - isJSON: Whether items are JSON, of which only the changed members are kept.
  ///   - change: The changed item, encoded. Runs outside every lock, and again where the item changed meanwhile and the
  ///     edit is the whole item.
  func edit(
    _ key: ItemKey, kind: String, intent: String, isJSON: Bool,
    change: ([UInt8]) throws(ListStoreError) -> [UInt8]
  ) throws(ListStoreError) -> NamedPatch {
    while true {
      guard let sight = try sight(of: key, kind: kind), let blob = sight.blob else {
        throw ListStoreError(
          .notFound,
          message:
            "There is no \(kind) with ID \(key.text) in the store to edit; an item is edited after it was stored.")
      }
      // An edit that shows nowhere is still an intent.
      let patch = MergePatch(from: blob, to: try change(blob), isJSON: isJSON) ?? .members(MergePatch.Members())
      if let made = try keep(patch, over: blob, of: sight, kind: kind, intent: intent) { return made }
    }
  }

  /// nil: the item has changed, so the change has to be made again.
  private func keep(
    _ patch: MergePatch, over blob: [UInt8], of sight: StoredSight, kind: String, intent: String
  ) throws(ListStoreError) -> NamedPatch? {
    try commit(durably: true) { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      guard let record = try connection.items.find(sight.number), record.deletedSequence == nil else {
        throw ListStoreError(.notFound, message: "The item was deleted while it was being edited.")
      }
      if patch.isWhole, try connection.sight(of: record).blob != blob { return nil }
      for earlier in try connection.patches.patches(of: record.number) where earlier.life.canBeSuperseded {
        guard earlier.list == nil else { continue }
        if let left = earlier.patch.superseded(by: patch) {
          if left != earlier.patch { try connection.patches.setPatch(left, of: earlier.number) }
        } else {
          try connection.patches.delete(earlier.number)
        }
      }
      let made = StoredPatch(
        number: transaction.draw(), item: record.number, list: nil, intent: intent,
        idempotencyKey: UUID().uuidString.lowercased(), patch: patch, seenVersion: record.version,
        madeAt: (transaction.sequence, milliseconds))
      try connection.patches.insert(made)
      change.items.insert(record.number)
      return NamedPatch(patch: made, key: record.key, kind: kind)
    }
  }

  /// What is still to be sent, the first made first: edits and creations that the server isn't known to have taken.
  func pendingEdits() throws(ListStoreError) -> [NamedPatch] {
    try database.read { connection throws(ListStoreError) in
      var edits: [NamedPatch] = []
      var kinds: [Int64: String] = [:]
      for patch in try connection.patches.patches() where patch.life.phase != .acknowledged {
        guard let record = try connection.items.find(patch.item) else { continue }
        if kinds[record.kind] == nil { kinds[record.kind] = try connection.kinds.name(of: record.kind) }
        guard let kind = kinds[record.kind] else { continue }
        edits.append(NamedPatch(patch: patch, key: record.key, kind: kind))
      }
      return edits
    }
  }

  /// Carries out what an edit is told.
  ///
  /// - Returns: How it stands now, and how often it was begun to be sent.
  func changeEdit(
    _ number: Int64, by event: EditLife.Event
  ) throws(ListStoreError) -> (state: LocalEdit.State, tries: Int) {
    try commit(durably: true) { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      let edit = try connection.liveEdit(number)
      switch try edit.life.after(event, at: transaction.sequence) {
      case .rollsBack:
        change.items.insert(edit.item)
        // Of an item that the server has sent meanwhile only what was made here is taken back.
        if edit.list != nil, try connection.items.find(edit.item)?.base == nil {
          try removeCreation(of: edit.item, transaction, &change)
        } else {
          try connection.patches.delete(number)
        }
        return (.rolledBack, edit.life.tries)
      case .becomes(let life):
        if edit.list != nil, life.phase == .acknowledged {
          try settleCreation(edit, as: nil, version: life.version, transaction, &change)
          return (.ended, life.tries)
        }
        try connection.patches.setLife(life, of: number)
        let base = try connection.items.find(edit.item)?.version
        if life.phase == .acknowledged, try transaction.endEdits(of: edit.item, version: base, startedAt: nil) {
          change.items.insert(edit.item)
          if try connection.patches.patch(number) == nil { return (.ended, life.tries) }
        }
        return (LocalEdit.State(life.phase), life.tries)
      }
    }
  }
}

extension Connection {
  /// An edit that isn't over yet.
  func liveEdit(_ number: Int64) throws(ListStoreError) -> StoredPatch {
    if let edit = try patches.patch(number) { return edit }
    throw ListStoreError(
      .notFound,
      message:
        "Edit \(number) is no more: it has ended, was rolled back, or a later edit of the same members took its place.")
  }
}

extension WriteTransaction {
  /// A copy of an item was stored, or has come and was no fresher: edits that it knows of end.
  ///
  /// - Parameters:
  ///   - item: The item's number.
  ///   - version: The copy's version, if it has one.
  ///   - startedAt: The sequence number at which the request for it left; nil: it was pushed.
  /// - Returns: Whether an edit ended, so that readers see the copy's own members.
  @discardableResult
  func endEdits(of item: Int64, version: Int64?, startedAt: Int64?) throws(ListStoreError) -> Bool {
    var hasEnded = false
    for edit in try connection.patches.patches(of: item)
    where edit.life.isKnown(toCopyOf: version, startedAt: startedAt) {
      try connection.patches.delete(edit.number)
      hasEnded = true
    }
    return hasEnded
  }

  /// The server deleted an item: what it had not taken could not be saved, and stays for the app to say so.
  func failEdits(ofDeleted item: Int64) throws(ListStoreError) {
    for edit in try connection.patches.patches(of: item) {
      if let life = edit.life.afterDeletion {
        try connection.patches.setLife(life, of: edit.number)
      } else {
        try connection.patches.delete(edit.number)
      }
    }
  }
}

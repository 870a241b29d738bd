#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreCore {
  /// Keeps an item that was made here, durably. It has no place in the order before the server has it; what is new in
  /// the list and was not shown is shown now, as its maker wants to see it.
  func create(
    _ item: StoreItem, in name: ListName, intent: String
  ) throws(ListStoreError) -> NamedPatch {
    guard let blob = item.blob else {
      throw ListStoreError(.internalFault, message: "An item was to be created without contents.")
    }
    return try commit(durably: true) { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      let list = try openList(name, in: transaction)
      let kind = try connection.kinds.add(name.kind)
      if let known = try connection.items.find(item.key, kind: kind) {
        throw ListStoreError(
          .wrongState,
          message:
            "There is a \(name.kind) with ID \(item.key.text) already (row \(known.number)). Give a new item an ID of its own."
        )
      }
      let record = ItemRecord(number: transaction.draw(), kind: kind, key: item.key, usedAt: milliseconds)
      try connection.items.insert(record)
      let made = StoredPatch(
        number: transaction.draw(), item: record.number, list: list.number, intent: intent,
        idempotencyKey: UUID().uuidString.lowercased(), patch: .whole(blob),
        madeAt: (transaction.sequence, milliseconds))
      try connection.patches.insert(made)
      try connection.sending.insert(record.number, in: list.number, number: made.number)
      change.items.insert(record.number)
      try connection.lists.setShown(nil, of: list.number)
      change.noteTop(of: list.number)
      change.names.insert(name)
      return NamedPatch(patch: made, key: item.key, kind: name.kind)
    }
  }

  /// The server has an edit's item as this one. A creation's item gets its ID, and its place in the order if the head
  /// is current.
  ///
  /// - Returns: How the edit stands now.
  func confirm(
    _ number: Int64, as item: StoreItem, kind: String
  ) throws(ListStoreError) -> LocalEdit.State {
    try commit(durably: true) { transaction, change throws(ListStoreError) in
      let connection = transaction.connection
      let edit = try connection.liveEdit(number)
      guard let record = try connection.items.find(edit.item), try connection.kinds.name(of: record.kind) == kind else {
        throw ListStoreError(.coding, message: "Edit \(number) is not of an item of type \(kind).")
      }
      if edit.list != nil {
        try settleCreation(edit, as: item, version: item.version, transaction, &change)
        return .ended
      }
      guard case .becomes(let life) = try edit.life.after(.confirm(version: item.version), at: transaction.sequence)
      else {
        throw ListStoreError(.internalFault, message: "A confirmed edit was rolled back.")
      }
      try connection.patches.setLife(life, of: number)
      _ = try arrived(item, kind: record.kind, asked: transaction.sequence, in: transaction, change: &change)
      change.items.insert(edit.item)
      return try connection.patches.patch(number) == nil ? .ended : .acknowledged
    }
  }

  /// The server has a created item: its contents are the server's from now on, and the edit that made it is over.
  ///
  /// - Parameter item: The item there; nil: it is as it was made, and has the ID that it was given here.
  func settleCreation(
    _ edit: StoredPatch, as item: StoreItem?, version: Int64?, _ transaction: WriteTransaction,
    _ change: inout StoreChange
  ) throws(ListStoreError) {
    let connection = transaction.connection
    guard var record = try connection.items.find(edit.item), case .whole(let made) = edit.patch else {
      throw ListStoreError(
        .damaged, message: "A created item is missing from the store; recover(to:) saves what can be read.")
    }
    let local = record.key
    let copy = item ?? StoreItem(key: local, blob: made, version: version, sortBytes: nil)
    if copy.key != local {
      if let twin = try connection.items.find(copy.key, kind: record.kind), twin.number != record.number {
        try absorb(twin, into: &record, transaction, &change)
      }
      record.key = copy.key
      try connection.items.update(record)
      try connection.items.addAlias(local, kind: record.kind, to: record.number)
    }
    try connection.patches.delete(edit.number)
    change.items.insert(record.number)
    if record.deletedSequence != nil {
      for list in try connection.sending.remove(record.number) { change.noteTop(of: list) }
      return
    }
    _ = try arrived(copy, kind: record.kind, asked: transaction.sequence, in: transaction, change: &change)
    for list in try connection.sending.lists(of: record.number) {
      if try takesPlace(record.number, sortBytes: copy.sortBytes, in: list, transaction, &change) {
        try connection.sending.remove(record.number, in: list)
        try show(record.number, in: list, connection)
      }
      change.noteTop(of: list)
    }
  }

  /// A created item was taken back: nothing of it stays.
  func removeCreation(
    of item: Int64, _ transaction: WriteTransaction, _ change: inout StoreChange
  ) throws(ListStoreError) {
    let connection = transaction.connection
    for list in try connection.sending.remove(item) { change.noteTop(of: list) }
    for edit in try connection.patches.patches(of: item) { try connection.patches.delete(edit.number) }
    try connection.items.delete(item)
  }

  /// The server's item had come by itself before its maker was told its ID: the two become one, with the maker's row.
  private func absorb(
    _ twin: ItemRecord, into record: inout ItemRecord, _ transaction: WriteTransaction, _ change: inout StoreChange
  ) throws(ListStoreError) {
    let connection = transaction.connection
    for place in try ListOrder.places(of: twin.number, on: connection) {
      if try connection.order(of: place.list).entry(of: record.number) != nil {
        try leave(place.list, [twin.number], transaction, &change)
        continue
      }
      change.lists[place.list, default: ListChange()].touch(place.position)
      try connection.lists.bumpVersion(place.list)
    }
    try connection.moveReferences(from: twin.number, to: record.number)
    try connection.items.moveAliases(from: twin.number, to: record.number)
    try connection.items.delete(twin.number)
    change.items.insert(twin.number)
    record.base = twin.base
    record.version = twin.version
    record.baseSequence = twin.baseSequence
    record.deletedSequence = twin.deletedSequence
  }

  /// A row that was on screen as it was made doesn't leave it by getting its place among those that wait: they are
  /// shown with it.
  private func show(_ item: Int64, in list: Int64, _ connection: Connection) throws(ListStoreError) {
    guard let shown = try connection.lists.find(list)?.shownPosition,
      let entry = try connection.order(of: list).entry(of: item), entry.position > shown
    else { return }
    try connection.lists.setShown(nil, of: list)
  }

  /// Whether an item stands in a list's order, or takes its place at the head now because that is current.
  private func takesPlace(
    _ item: Int64, sortBytes: SortBytes?, in number: Int64, _ transaction: WriteTransaction, _ change: inout StoreChange
  ) throws(ListStoreError) -> Bool {
    let connection = transaction.connection
    let order = connection.order(of: number)
    if try order.entry(of: item) != nil { return true }
    guard let list = try connection.lists.find(number), let name = try connection.name(ofFeed: list.feed),
      let rule = liveRules.rule(of: name), try isHeadCurrent(order.runs(), of: name)
    else { return false }
    let merger = RunMerger(rule)
    let outcome: MergePlan.Outcome = try reorder(list, named: name, in: transaction, change: &change) {
      order, moment, numbers throws(ListStoreError) in
      try merger.liveItemArrived(MergeItem(item, sortBytes: sortBytes), in: order, at: moment, numbers: &numbers)
    }
    switch outcome.live {
    case .appended, .inserted, .known: return true
    case .held, .ignored, nil: return false
    }
  }
}

extension StoreChange {
  /// Who shows the newest row of a list has to look again.
  mutating func noteTop(of list: Int64) { lists[list, default: ListChange()].shownChanged = true }
}

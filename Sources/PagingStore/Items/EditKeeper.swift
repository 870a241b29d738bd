/// Carries out what edits are told, for items of any type.
struct EditKeeper: EditKeeping {
  let core: StoreCore
  let coder: ItemCoder

  /// An edit for the app's hands.
  func edit(_ named: StoreCore.NamedPatch) -> LocalEdit {
    LocalEdit(
      id: named.patch.number, intent: named.patch.intent, state: LocalEdit.State(named.patch.life.phase),
      idempotencyKey: named.patch.idempotencyKey, tries: named.patch.life.tries, itemKind: named.kind,
      isCreation: named.patch.list != nil, itemKey: named.key, keeper: self)
  }

  func change(_ edit: LocalEdit, by event: EditLife.Event) throws(ListStoreError) -> LocalEdit {
    let (state, tries) = try core.changeEdit(edit.id, by: event)
    return edit.now(state, tries: tries)
  }

  func confirm<Item: StoredItem>(_ edit: LocalEdit, as item: Item) throws(ListStoreError) -> LocalEdit {
    let key = try ItemKey(item.id)
    let stored = StoreItem(
      key: key, blob: try coder.encode(item), version: item.version,
      sortBytes: item.sortKey.map { SortBytes($0, tieBreak: key) })
    return edit.now(try core.confirm(edit.id, as: stored, kind: Item.storedKind), tries: edit.tries, key: key)
  }

  func itemID<Item: StoredItem>(of edit: LocalEdit, _ type: Item.Type) throws(ListStoreError) -> Item.ID {
    guard edit.itemKind == Item.storedKind else {
      throw ListStoreError(
        .coding, message: "Edit \(edit.id) is of a \(edit.itemKind), and was asked for the ID of a \(Item.storedKind).")
    }
    return try edit.itemKey.id(as: Item.ID.self)
  }
}

extension LocalEdit {
  /// The same edit, further on.
  fileprivate func now(_ state: State, tries: Int, key: ItemKey? = nil) -> LocalEdit {
    LocalEdit(
      id: id, intent: intent, state: state, idempotencyKey: idempotencyKey, tries: tries, itemKind: itemKind,
      isCreation: isCreation, itemKey: key ?? itemKey, keeper: keeper)
  }
}

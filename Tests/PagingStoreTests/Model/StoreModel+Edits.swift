@testable import PagingStore

/// A local edit as the store should have it.
struct ModelEdit {
  enum Change: Hashable {
    case text(String)
    case liked(Bool)
    case creation(String)
  }
  var handle: LocalEdit?
  let number: Int64
  let key: String
  /// The item; a creation's own ID at first.
  var id: Int
  let change: Change
  var state = LocalEdit.State.queued
  var tries = 0
  /// When the server's word came, and what revision it made.
  var acknowledged: (tick: Int, revision: Int64)?
  /// A copy that knows of it has come, so it may be over.
  var mayBeOver = false
  /// It has to be over.
  var mustBeOver = false

  var isCreation: Bool { if case .creation = change { true } else { false } }

  mutating func copyCame(_ item: ModelItem, asked: Int, isPushed: Bool, isVersioned: Bool) {
    guard let acknowledged else { return }
    if item.revision >= acknowledged.revision {
      mayBeOver = true
      if isVersioned { mustBeOver = true }
    }
    if !isVersioned, !isPushed, asked > acknowledged.tick {
      // Without versions that is all there is to go by, also where a session keeps an older copy.
      mayBeOver = true
      mustBeOver = true
    }
  }

  func laid(over item: ModelItem) -> ModelItem {
    var item = item
    switch change {
    case .text(let text), .creation(let text): item.text = text
    case .liked(let isLiked): item.isLiked = isLiked
    }
    return item
  }

  func isSameMember(_ other: Change) -> Bool {
    switch (change, other) {
    case (.text, .text), (.liked, .liked): true
    default: false
    }
  }
}

extension StoreModel {
  /// What readers should see of an item.
  func visible(_ id: Int) -> ModelItem? {
    guard gone[id] == nil, let item = known[id]?.item else { return nil }
    return edits.filter { $0.id == id && !$0.isCreation }.reduce(item) { $1.laid(over: $0) }
  }

  func edit(_ step: StoreStep) throws {
    guard let id = pick(known.keys.filter { gone[$0] == nil }.sorted(), step.a), let before = visible(id) else {
      return
    }
    let change: ModelEdit.Change = step.b % 2 == 0 ? .liked(!before.isLiked) : .text("e\(tick)")
    let handle = try store.edit(id, of: ModelItem.self, intent: "edit \(tick)") { item in
      switch change {
      case .liked(let isLiked): item.isLiked = isLiked
      case .text(let text), .creation(let text): item.text = text
      }
    }
    edits.removeAll { $0.id == id && $0.isSameMember(change) && $0.state == .queued && $0.tries == 0 }
    edits.append(
      ModelEdit(handle: handle, number: handle.id, key: handle.idempotencyKey, id: id, change: change))
  }

  private func pickEdit(_ step: StoreStep) -> Int? {
    pick(edits.indices.filter { edits[$0].acknowledged == nil }, step.a)
  }

  func send(_ step: StoreStep) throws {
    guard let index = pickEdit(step) else { return }
    try edits[index].handle?.markSending()
    edits[index].state = .sending
    edits[index].tries += 1
  }

  func fail(_ step: StoreStep) throws {
    guard let index = pickEdit(step) else { return }
    try edits[index].handle?.fail()
    edits[index].state = .failed
  }

  func rollBack(_ step: StoreStep) throws {
    guard let index = pickEdit(step) else { return }
    try edits[index].handle?.rollback()
    let edit = edits.remove(at: index)
    if edit.isCreation { for list in lists { list.made.removeAll { $0 == edit.id } } }
  }

  func acknowledge(_ step: StoreStep) throws {
    guard let index = pickEdit(step), let handle = edits[index].handle else { return }
    if case .creation(let text) = edits[index].change { return try confirmCreation(index, text, step) }
    let edit = edits[index]
    guard let changed = server.change(edit.id, { $0 = edit.laid(over: $0) }) else { return try fail(step) }
    emit(.changed(changed))
    edits[index].acknowledged = (tick, changed.revision)
    edits[index].state = .acknowledged
    guard gone[edit.id] == nil else { return }
    if step.b % 3 == 0 {
      try handle.confirm(as: changed)
      learn(changed, asked: tick, isPushed: false)
      // It was asked for with the edit itself.
      edits[index].mayBeOver = true
      edits[index].mustBeOver = true
    } else {
      try handle.confirm(version: changed.version)
      if settings.isVersioned, let base = known[edit.id]?.item, base.revision >= changed.revision {
        edits[index].mayBeOver = true
        edits[index].mustBeOver = true
      }
    }
  }

  /// Makes an item here, which the server hears of later.
  func create(_ step: StoreStep, in list: ModelList) throws {
    let item = ModelItem(id: -tick, place: 0, text: "c\(tick)", isVersioned: settings.isVersioned)
    list.wantsNew = true
    let handle = try inOneTransaction { try list.list.insert(item, intent: list.name) }
    list.made.append(item.id)
    edits.append(
      ModelEdit(
        handle: handle, number: handle.id, key: handle.idempotencyKey, id: item.id, change: .creation(item.text)))
  }

  private func confirmCreation(_ index: Int, _ text: String, _ step: StoreStep) throws {
    let edit = edits[index]
    guard let list = lists.first(where: { $0.name == edit.handle?.intent }) else { return }
    let local = try list.list.rowID(of: edit.id)
    // What is told before is older, which a cursor list can't see.
    try deliverEvents(to: list)
    var item = server.add(isHidden: false)
    item = server.change(item.id) { $0.text = text } ?? item
    emit(.created(item))
    if step.b % 2 == 0 { try deliverEvents(to: list) }
    let wasSeen = try reader.read(self).lists[list.name]?.sending.contains(edit.id) ?? false
    list.wantsNew = true
    _ = try inOneTransaction { try edit.handle?.confirm(as: item) }
    // Events that were told meanwhile may have ended others.
    edits.removeAll { $0.number == edit.number }
    learn(item, asked: tick)
    list.made = list.made.map { $0 == edit.id ? item.id : $0 }
    if wasSeen, let seen = try reader.read(self).lists[list.name], !(seen.sending + seen.shown).contains(item.id) {
      breaches.append("S10: the made row \(item.id) left the screen when the server had it: \(seen.text)")
    }
    if try list.list.rowID(of: item.id) != local || local == nil {
      breaches.append("S10: a created row \(edit.id) became another one as \(item.id)")
    }
  }

  /// After a restart the app finds its edits again, by what it called them.
  func recoverEdits() throws {
    let pending = try store.pendingEdits()
    let expected = edits.filter { $0.acknowledged == nil }
    if Set(pending.map(\.idempotencyKey)) != Set(expected.map(\.key)) {
      breaches.append("Q8: after a restart \(pending.map(\.intent)) are to be sent, not \(expected.map(\.change))")
    }
    for index in edits.indices {
      edits[index].handle = pending.first { $0.idempotencyKey == edits[index].key }
      if let handle = edits[index].handle, handle.state != edits[index].state || handle.tries != edits[index].tries {
        breaches.append("Q8: after a restart \(handle.intent) is \(handle.state), not \(edits[index].state)")
      }
    }
  }
}

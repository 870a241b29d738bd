@testable import PagingStore

extension StoreModel {
  /// What is wrong now, in words.
  func broken() throws -> [String] {
    let sight = try reader.read(self)
    let change = takeTold()
    var broken = brokenItems(sight, change)
    for list in lists {
      guard let seen = sight.lists[list.name], let record = seen.record else { continue }
      broken += list.generations.broken(list.seen.named, seen.named)
      broken += brokenOrder(of: list, seen)
      broken += brokenWindow(of: list, seen, record, change)
      broken += brokenHeld(of: list, seen) + brokenWaiting(of: list, seen, record)
      broken += try brokenSlice(of: list, seen) + brokenGaps(of: list, seen, record)
      list.seen = seen
    }
    if let current = session.current, let seen = sight.session, let order = session.orders[current] {
      if seen.number != current || seen.previous != session.previous {
        broken.append("S9: another session is shown")
      } else if seen.ids != order.ids {
        broken.append("Q5: the session shows \(seen.ids), and was given \(order.ids)")
      }
    }
    return broken
  }

  // MARK: Items and edits

  private func brokenItems(_ sight: StoreSight, _ change: StoreChange) -> [String] {
    var broken: [String] = []
    for (id, known) in known where gone[id] == nil {
      guard let item = sight.items[id] else {
        broken.append("S1: item \(id) is lost")
        continue
      }
      if item.base != known.item {
        broken.append("S1: \(id) is \(String(describing: item.base)), the server's last word is \(known.item)")
      }
    }
    for id in gone.keys where !(sight.items[id]?.isDeleted ?? false) {
      broken.append("S1: the deletion of \(id) is forgotten")
    }
    let patches = Dictionary(uniqueKeysWithValues: sight.patches.map { ($0.number, $0) })
    for edit in edits {
      let patch = patches[edit.number]
      if patch == nil, edit.acknowledged == nil || !edit.mayBeOver {
        broken.append("Q8: \(edit.change) of \(edit.id) is lost, \(edit.state)")
      }
      if let patch {
        if LocalEdit.State(patch.life.phase) != edit.state || patch.life.tries != edit.tries {
          broken.append("Q8: \(edit.change) of \(edit.id) is \(patch.life), not \(edit.state)")
        }
        if edit.mustBeOver { broken.append("Q8: \(edit.change) of \(edit.id) outlives the copy that knows of it") }
      }
    }
    let numbers = Set(edits.map(\.number))
    for patch in sight.patches where !numbers.contains(patch.number) {
      broken.append("Q8: edit \(patch.intent) is back")
    }
    edits.removeAll { patches[$0.number] == nil }
    broken += unheard(sight, change)
    return broken
  }

  /// INV12: what a reader sees of an item changes only with word of it.
  private func unheard(_ sight: StoreSight, _ change: StoreChange) -> [String] {
    var broken: [String] = []
    var seen: [Int: ModelItem] = [:]
    for (id, item) in sight.items where id > 0 {
      guard let visible = visible(id) else { continue }
      seen[id] = visible
      if let before = sights[id], before != visible, !change.items.contains(item.number) {
        broken.append("INV12: nobody is told that \(id) changed from \(before) to \(visible)")
      }
    }
    sights = seen
    return broken
  }

  // MARK: Order

  private func brokenOrder(of list: ModelList, _ seen: SeenList) -> [String] {
    var broken = seen.order.broken(settings.rule).map { "\($0) in \(list.name)" }
    var order = seen.order
    let wasLive = list.seen.order.stored.first?.newer.state == .live
    if list.session == nil, order.stored.first?.newer.state == .live, !wasLive {
      broken.append("INV5: the head of \(list.name) became live while nobody listened")
    }
    // Without a connection nobody takes the head for current, whatever is written there.
    if list.session == nil, order.stored.first?.newer.state == .live { order.stored[0].newer.state = .open }
    let excused = list.excused.union(list.waiting).union(seen.held)
    broken += ServerTruth(server: server.places, excused: excused, waiting: []).broken(order)
    for row in seen.rows {
      if row.id == -1 { broken.append("INV9: a row without an item in \(list.name)") }
      if gone[row.id] != nil { broken.append("INV4: \(row.id) was deleted and stands in \(list.name)") }
    }
    return broken
  }

  private func brokenWindow(
    of list: ModelList, _ seen: SeenList, _ record: ListRecord, _ change: StoreChange
  ) -> [String] {
    var broken: [String] = []
    let visibleRows = seen.rows.filter { row in record.shownPosition.map { row.position <= $0 } ?? true }
    if seen.shown != visibleRows.map(\.id) { broken.append("Q2: \(seen.shown) is shown of \(visibleRows.map(\.id))") }
    for row in seen.window?.rows ?? [] {
      guard let blob = row.blob, let item = try? reader.decode(blob) else {
        broken.append("INV9: a row without contents in \(list.name)")
        continue
      }
      if item.id > 0, let visible = visible(item.id), visible != item {
        broken.append("INV10: \(list.name) shows \(item), not \(visible)")
      }
    }
    let isCurrent = list.session != nil && seen.order.stored.first?.newer.state == .live
    list.made.removeAll { id in seen.rows.contains { $0.id == id } }
    let sending = isCurrent || seen.order.stored.allSatisfy(\.isEmpty) ? list.made : []
    if seen.sending != sending.reversed() { broken.append("S10: \(seen.sending) are being sent, not \(sending)") }
    guard let before = list.seen.record, before.number == record.number else { return broken }
    let isOther = list.seen.rows != seen.rows || list.seen.shown != seen.shown
    if isOther, record.version <= before.version {
      broken.append("INV12: \(list.name) changed and has its old version")
    }
    if isOther || list.seen.sending != seen.sending, change.lists[record.number]?.isEmpty ?? true {
      broken.append("INV12: nobody is told that \(list.name) changed from \(list.seen.text) to \(seen.text)")
    }
    return broken
  }

  /// Q2: what is read somewhere in the list is what the whole of it has there.
  private func brokenSlice(of list: ModelList, _ seen: SeenList) throws -> [String] {
    guard let whole = seen.window, let row = pick(whole.rows.filter { seen.positions.contains($0.position) }, tick),
      let index = whole.rows.firstIndex(of: row)
    else { return [] }
    let (before, after) = (tick % 4, 1 + tick % 3)
    let key = ListKey(side: .around, item: row.item, stood: nil)
    guard let window = try store.core.window(of: list.list.id, at: .around(key), before: before, after: after) else {
      return ["Q2: nothing is found around \(row.item)"]
    }
    let slice = Array(whole.rows[max(0, index - before)..<min(whole.rows.count, index + after)])
    var broken: [String] = []
    if window.rows != slice { broken.append("Q2: a window is no slice of the whole: \(window.rows) \(slice)") }
    let hasNewer = index - before > 0
    if window.hasNewer != hasNewer || window.hasOlder != (index + after < whole.rows.count) {
      broken.append("Q2: a window's ends: newer \(window.hasNewer) older \(window.hasOlder), row \(index)")
    }
    return broken
  }

  /// Q6: a gap that can be asked for says how, and one that can't says so.
  private func brokenGaps(of list: ModelList, _ seen: SeenList, _ record: ListRecord) throws -> [String] {
    var broken: [String] = []
    let runs = seen.order.stored
    for (upper, lower) in zip(runs, runs.dropFirst()) {
      let gap = list.list.gap(above: lower, below: upper, in: record.number, beside: nil)
      let isKeyed = settings.rule == .keyed
      let above = upper.older.state == .open && (upper.older.token != nil || isKeyed)
      let below = lower.newer.state == .open && (lower.newer.token != nil || isKeyed)
      let sides: [GapSide] = upper.older.state == .serverEnd ? [] : (above ? [.above] : []) + (below ? [.below] : [])
      if gap.fillableSides != sides { broken.append("Q6: a gap says \(gap.fillableSides), not \(sides)") }
      for side in sides {
        let request = try list.list.request(side == .above ? .older(than: gap) : .newer(than: gap))
        if request.boundary == nil || request.bound == nil || (request.token == nil && !isKeyed) {
          broken.append("Q6: nothing to ask for a gap with: \(request)")
        }
      }
    }
    if let shown = seen.window, record.shownPosition == nil, shown.gaps.count != max(0, runs.count - 1) {
      broken.append("Q6: \(shown.gaps.count) gaps are shown of \(runs.count - 1)")
    }
    return broken
  }
}

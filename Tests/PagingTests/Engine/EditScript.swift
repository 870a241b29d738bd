import Loading

@testable import Paging

/// A long random script of edits and of what the source does meanwhile.
struct EditScript {
  private var harness: EditHarness
  private var chance: SeededGenerator
  private var nextID = 1_000
  private var trace: [String] = []
  /// Snapshots that a slow screen may still show.
  private var older: [PagingSnapshot<Entry>] = []

  init(seed: UInt64) throws {
    chance = SeededGenerator(seed: seed)
    let capped = Bool.random(using: &chance)
    var config =
      capped
      ? try PagingConfig(pageSize: 3, prefetchDistance: 2, initialLoadSize: 4, maxSize: 9)
      : PagingConfig(pageSize: 3, prefetchDistance: 2, initialLoadSize: 4)
    if Bool.random(using: &chance) { config.duplicates = .replaceEarlier }
    let rows = (0..<Int.random(in: 0...30, using: &chance)).map { Entry(id: $0) }
    harness = EditHarness(config: config, server: rows)
    harness.counts = Bool.random(using: &chance)
    harness.goesBack = Bool.random(using: &chance)
    harness.observe()
  }

  /// - Returns: What was wrong; nil: nothing.
  mutating func play(events: Int) -> String? {
    for _ in 0..<events {
      let before = harness
      let (name, isEdit) = step()
      trace.append(name)
      let problem =
        harness.problem ?? harness.problem(comingFrom: before.latest, isEdit: isEdit)
        ?? older.lazy.compactMap { [harness] in harness.problem(comingFrom: $0) }.first
      if let problem { return "\(problem) after \(trace.suffix(14).joined(separator: ", "))" }
      if Int.random(in: 0..<10, using: &chance) == 0 { older = (older + [harness.latest]).suffix(2) }
    }
    return nil
  }

  private mutating func step() -> (String, isEdit: Bool) {
    switch Int.random(in: 0..<24, using: &chance) {
    case 0..<6 where !harness.pending.isEmpty:
      harness.load(at: Int.random(in: harness.pending.indices, using: &chance))
      return ("load", false)
    case 6 where !harness.pending.isEmpty:
      harness.fail(at: 0)
      return ("fail", false)
    case 7:
      harness.refresh(Bool.random(using: &chance) ? .start : .anchor)
      return ("refresh", false)
    case 8: return (changeServer(), false)
    case 9: return (refreshItems(), false)
    case 10..<13: return (give(), true)
    case 13..<15: return (insert(), true)
    case 15..<19: return (end(), true)
    case 19:
      harness.perform { $0.retryAsked(nil, 1, now: .zero) }
      return ("retry", false)
    default: return (look(), false)
    }
  }

  /// An item that is there, or was, or will be.
  private mutating func someItem() -> Int {
    let shown = harness.latest.items.map(\.id)
    let all = shown + shown + harness.server.map(\.id) + harness.aliases.map(\.row) + [5_000]
    return all.randomElement(using: &chance) ?? 0
  }

  private mutating func give() -> String {
    let item = someItem()
    if Int.random(in: 0..<3, using: &chance) == 0 {
      harness.edit(item, .remove)
      return "remove \(item)"
    }
    let word = ["a", "b", "c", "d"].randomElement(using: &chance) ?? ""
    harness.edit(item, .patch(word))
    return "patch \(item) \(word)"
  }

  private mutating func insert() -> String {
    let isNew = Int.random(in: 0..<4, using: &chance) > 0
    let id = isNew ? nextID : someItem()
    if isNew { nextID += 1 }
    let other = someItem()
    let points: [InsertionPoint<Int>] = [.start, .end, .before(other), .after(other)]
    let point = points.randomElement(using: &chance) ?? .start
    harness.edit(id, .insert(Entry(id: id, text: "i"), point))
    return "insert \(id) \(point)"
  }

  private mutating func end() -> String {
    guard let edit = harness.edits.randomElement(using: &chance) else { return "nothing" }
    if Int.random(in: 0..<3, using: &chance) == 0 {
      harness.rollBack(edit.number)
      return "roll \(edit.number) back"
    }
    guard case .insert(let entry, _) = edit.kind, Bool.random(using: &chance) else {
      harness.confirm(edit.number)
      return "confirm \(edit.number)"
    }
    nextID += 1
    let sent = Entry(id: nextID, text: entry.text + "s")
    nextID += 1
    // The server may have it by now.
    if Bool.random(using: &chance) {
      harness.server.insert(sent, at: Int.random(in: 0...harness.server.count, using: &chance))
    }
    harness.confirm(edit.number, as: sent)
    return "confirm \(edit.number) (\(edit.item)) as \(sent.id)"
  }

  private mutating func changeServer() -> String {
    switch Int.random(in: 0..<4, using: &chance) {
    case 0 where !harness.server.isEmpty:
      let gone = harness.server.remove(at: Int.random(in: harness.server.indices, using: &chance))
      return "server loses \(gone.id)"
    case 1:
      let inserted = harness.edits.compactMap { edit in
        if case .insert(let entry, _) = edit.kind { entry } else { nil }
      }
      guard let entry = inserted.randomElement(using: &chance), !harness.server.contains(where: { $0.id == entry.id })
      else { return "nothing" }
      harness.server.insert(entry, at: Int.random(in: 0...harness.server.count, using: &chance))
      return "server takes \(entry.id)"
    case 2:
      harness.server.insert(Entry(id: nextID), at: Int.random(in: 0...harness.server.count, using: &chance))
      nextID += 1
      return "server gets \(nextID - 1)"
    default:
      for position in harness.server.indices { harness.server[position].text = "\(trace.count)." }
      return "server writes"
    }
  }

  private mutating func refreshItems() -> String {
    // A candidate may hold a copy that another load brought, which this one would not tell.
    guard harness.state.candidate == nil, let row = harness.base.randomElement(using: &chance) else {
      return "nothing"
    }
    var fresh = row
    fresh.text = "fresh."
    let page = OpaquePage(Page<Int, Entry>([fresh]))
    harness.perform { $0.sourceRefreshed(page, now: .zero) }
    return "fresher \(row.id)"
  }

  private mutating func look() -> String {
    let old = Int.random(in: 0..<4, using: &chance) == 0 ? older.last : nil
    let snapshot = old ?? harness.latest
    let count = snapshot.count
    let lower = Int.random(in: 0...max(0, count), using: &chance)
    let rows = lower..<max(lower, min(count, lower + 4))
    harness.look(at: rows, in: snapshot)
    return "look at \(rows)\(old == nil ? "" : " of an older one")"
  }
}

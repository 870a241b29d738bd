import Loading
import Paging

/// What a user has changed and the source has not said yet.
struct ModelEdit {
  enum Kind {
    case patch(String)
    case remove
    case insert(title: String, at: InsertionPoint<Int>)
  }

  let number: UInt64
  var item: Int
  var kind: Kind
  /// How many loads had begun when it was confirmed; nil: it is open.
  var confirmed: Int?
}

/// A row where edits are: one of the generation's own, hidden or not, or one that an edit inserted.
struct ModelElement {
  let item: Int
  var title: String
  /// The coordinate of an own row.
  var own: Int?
  var isVisible = true
}

// Edits, and the rows that come of them: all looked at anew whenever anything may have changed.
extension PagerModel {
  mutating func give(_ number: UInt64, _ item: Int, _ kind: ModelEdit.Kind) {
    var edit = ModelEdit(number: number, item: item, kind: kind)
    if case .insert(let title, let point) = kind {
      aliases.removeAll { $0.row == item }
      switch point {
      case .start, .end: break
      case .before(let target): edit.kind = .insert(title: title, at: .before(resolved(target)))
      case .after(let target): edit.kind = .insert(title: title, at: .after(resolved(target)))
      }
    } else {
      edit.item = resolved(item)
    }
    edits.append(edit)
    advance()
  }

  /// `sent`: what the server calls an inserted item, and has made of it.
  mutating func confirm(_ number: UInt64, as sent: (item: Int, title: String)? = nil) {
    defer { advance() }
    guard let position = edits.firstIndex(where: { $0.number == number && $0.confirmed == nil }) else { return }
    edits[position].confirmed = loadsBegun
    guard let sent, case .insert(_, let point) = edits[position].kind else { return }
    edits[position].kind = .insert(title: sent.title, at: point)
    let former = edits[position].item
    if former != sent.item { rename(former, sent, since: number) }
  }

  mutating func rollBack(_ number: UInt64) {
    edits.removeAll { $0.number == number && $0.confirmed == nil }
    advance()
  }

  /// What was said of an item since it was inserted holds of the one that it has become.
  private mutating func rename(_ former: Int, _ sent: (item: Int, title: String), since number: UInt64) {
    let row = aliases.first { $0.item == former }?.row ?? former
    aliases.removeAll { $0.item == sent.item || $0.item == former || $0.row == row }
    if sent.item != row { aliases.append((sent.item, row)) }
    for position in edits.indices {
      if edits[position].item == former, edits[position].number >= number {
        edits[position].item = sent.item
        if case .insert(_, let point) = edits[position].kind {
          edits[position].kind = .insert(title: sent.title, at: point)
        }
      }
      switch edits[position].kind {
      case .insert(let title, .before(former)): edits[position].kind = .insert(title: title, at: .before(sent.item))
      case .insert(let title, .after(former)): edits[position].kind = .insert(title: title, at: .after(sent.item))
      default: break
      }
    }
  }

  /// Who asks for a row by what it goes by means its item.
  func resolved(_ item: Int) -> Int { aliases.last { $0.row == item }?.item ?? item }

  // MARK: - What is shown

  /// Ends edits that the source has caught up with, and applies the others.
  mutating func presentEdits() {
    guard !edits.isEmpty else { return order = nil }
    var standing: Set<Int> = []
    edits.removeAll { edit in
      if let confirmed = edit.confirmed {
        if case .patch = edit.kind {
          let load = shown?.pages.first { $0.rows.contains(edit.item) }?.load
          if !standing.contains(edit.item), let load, load > confirmed { return true }
        } else if (shown?.firstLoad ?? 0) > confirmed {
          return true
        }
      }
      standing.insert(edit.item)
      return false
    }
    order = shown.map(elements)
  }

  private struct Item {
    var title: String
    var patches = ""
    var insertion: UInt64?
    var isVisible: Bool
  }

  private func elements(of list: ModelList) -> [ModelElement] {
    let base = list.rows
    var items: [Int: Item] = [:]
    for edit in edits {
      var item = items[edit.item] ?? Item(title: "", isVisible: base.contains(edit.item))
      switch edit.kind {
      case .patch(let word): if item.isVisible { item.patches += word }
      case .remove: item.isVisible = false
      case .insert(let title, _):
        if !item.isVisible { item = Item(title: title, insertion: edit.number, isVisible: true) }
      }
      items[edit.item] = item
    }
    let insertions = edits.filter { edit in
      if case .insert = edit.kind { items[edit.item]?.insertion == edit.number } else { false }
    }
    func inserted(at point: InsertionPoint<Int>) -> [Int] {
      insertions.filter { edit in
        if case .insert(_, point) = edit.kind { true } else { false }
      }.map(\.item)
    }
    func expand(_ id: Int, own: Int? = nil) -> [ModelElement] {
      let item = items[id]
      let element = ModelElement(
        item: id, title: item.map { $0.title + $0.patches } ?? "", own: own, isVisible: item?.isVisible ?? true)
      if insertions.isEmpty { return [element] }
      return inserted(at: .before(id)).flatMap { expand($0) } + [element]
        + inserted(at: .after(id)).reversed().flatMap { expand($0) }
    }
    var order: [ModelElement] = []
    if list.prepend.next == .end { order += inserted(at: .start).reversed().flatMap { expand($0) } }
    for row in base {
      if items[row]?.insertion == nil {
        order += expand(row, own: row - list.base)
      } else {
        // Inserted elsewhere after its removal: it has taken with it what is at it.
        order.append(ModelElement(item: row, title: "", own: row - list.base, isVisible: false))
      }
    }
    if list.append.next == .end { order += inserted(at: .end).flatMap { expand($0) } }
    return order.filter { $0.isVisible || $0.own != nil }
  }

  // MARK: - Places

  /// The coordinates of the loaded rows as screens see them.
  var presentedLoaded: Range<Int> {
    let loaded = shown?.loaded ?? 0..<0
    guard let order else { return loaded }
    return loaded.lowerBound..<loaded.lowerBound + order.count(where: \.isVisible)
  }

  /// Where screens see a row, or what follows it where it is hidden.
  func presented(_ coordinate: Int) -> Int {
    guard let order, let loaded = shown?.loaded, coordinate >= loaded.lowerBound else { return coordinate }
    guard coordinate < loaded.upperBound else { return coordinate + presentedLoaded.count - loaded.count }
    return loaded.lowerBound + order.prefix { $0.own != coordinate }.count(where: \.isVisible)
  }

  /// Whether rows have come or gone by edits.
  var isRearranged: Bool { order?.contains { !$0.isVisible || $0.own == nil } == true }

  /// The viewport as screens see it. What follows a hidden last row has come up in its place.
  var presentedViewport: ModelViewport? {
    guard let viewport, isRearranged else { return viewport }
    let lower = presented(viewport.lower)
    let upper = viewport.lower == viewport.upper ? lower : presented(viewport.upper - 1) + 1
    return ModelViewport(lower: lower, upper: max(lower, upper))
  }

  /// The viewport from its first row on that no edit hides; where all are hidden, from the nearest that shows.
  var anchoringViewport: ModelViewport? {
    guard let viewport, let order, let loaded = shown?.loaded else { return viewport }
    let start = max(viewport.lower, loaded.lowerBound)
    guard loaded.contains(start), start < max(viewport.upper, viewport.lower + 1) else { return viewport }
    let visible = order.filter(\.isVisible).compactMap(\.own)
    guard let stays = visible.first(where: { $0 >= start }) ?? visible.last, stays != start else { return viewport }
    return ModelViewport(lower: stays, upper: max(viewport.upper, stays + 1))
  }

  /// What of the rows on screen are the generation's own.
  func ownRows(of seen: ModelViewport) -> ModelViewport {
    guard let order, let loaded = shown?.loaded, isRearranged else { return seen }
    let visible = order.indices.filter { order[$0].isVisible }
    /// The own coordinate at a place; nil for an inserted row.
    func own(_ place: Int) -> Int? {
      if place < loaded.lowerBound { return place }
      let index = place - loaded.lowerBound
      return index < visible.count ? order[visible[index]].own : place - visible.count + loaded.count
    }
    /// The own row that an inserted one stands in front of.
    func behind(_ place: Int) -> Int {
      order[visible[place - loaded.lowerBound]...].lazy.compactMap(\.own).first ?? loaded.upperBound
    }
    guard let first = (seen.lower..<max(seen.upper, seen.lower + 1)).lazy.compactMap({ own($0) }).first else {
      guard !loaded.isEmpty else { return ModelViewport(lower: loaded.lowerBound, upper: loaded.lowerBound) }
      let nearest = min(behind(seen.lower), loaded.upperBound - 1)
      return ModelViewport(lower: nearest, upper: nearest + 1)
    }
    guard seen.upper > seen.lower else { return ModelViewport(lower: first, upper: first) }
    let last = (seen.lower..<seen.upper).last { own($0) != nil }
    let upper = last.flatMap { own($0) }.map { $0 + 1 } ?? first
    return ModelViewport(lower: first, upper: max(first, upper))
  }
}

/// The edits of loaded rows that the source has not said itself yet, and what they make of a generation.
///
/// A generation stays what the source said. What screens see is the generation with the edits applied: the same pages,
/// but for those that an edit touches. Nothing here changes a generation, and none is needed for an edit to be kept.
struct EditOverlay {
  /// Where an inserted row goes.
  enum Point: Sendable {
    case start, end
    case before(SoughtItem), after(SoughtItem)
  }

  enum Change: Sendable {
    case patch(PatchNode)
    case removal
    /// `row` is a page of one row.
    case insertion(row: PageNode, at: Point)
  }

  struct Edit: Sendable {
    let number: UInt64
    var item: SoughtItem
    var change: Change
    /// The number that was drawn when it was confirmed: loads that began later have larger ones.
    var confirmed: UInt64?
    /// Another one where the item that it inserted became another.
    var stamp: UInt64 = 0
  }

  /// In the order in which they were given.
  private(set) var edits: [Edit] = []
  private(set) var aliases = RowAliases()
  /// Edits that are neither confirmed nor rolled back.
  private(set) var openCount = 0
  private var made: UInt64 = 0
  /// Rises with every change of what is kept here.
  private var version: UInt64 = 0

  /// What is shown instead of the generation's own pages; nil: those.
  private(set) var presented: EditPresentation?
  private var presentedFor: Basis?
  private var footing: EditFooting?
  /// Rises whenever rows come or go between others.
  private(set) var layout: UInt64 = 0
  /// Rises whenever an edited page became another one.
  private(set) var replacements: UInt64 = 0

  /// How many edits may be open at once.
  static var openLimit: Int { 1000 }
  /// How many confirmed edits are kept until the source has said the same.
  static var confirmedLimit: Int { 10_000 }

  /// What a presentation was made of.
  private struct Basis: Equatable {
    let generation: UInt64
    let revision: UInt64
    let version: UInt64
  }

  // MARK: - What is told

  /// Takes an edit on.
  ///
  /// - Returns: Its number; nil where too many are open.
  mutating func add(_ item: SoughtItem, _ change: Change) -> UInt64? {
    guard openCount < Self.openLimit else { return nil }
    made += 1
    version += 1
    openCount += 1
    var edit = Edit(number: made, item: item, change: change)
    if case .insertion(let row, let point) = change {
      aliases.release(item)
      edit.change = .insertion(row: row, at: resolved(point))
    } else {
      edit.item = resolved(item)
    }
    edits.append(edit)
    return made
  }

  /// Confirms an open edit. `replacement` is what an inserted item has become.
  mutating func confirm(_ number: UInt64, as replacement: (row: PageNode, item: SoughtItem)?, drawn: UInt64) {
    guard let position = position(ofOpen: number) else { return }
    version += 1
    openCount -= 1
    edits[position].confirmed = drawn
    if let replacement, case .insertion(_, let point) = edits[position].change {
      let former = edits[position].item
      edits[position].change = .insertion(row: replacement.row, at: point)
      edits[position].stamp = drawn
      if former.key != replacement.item.key { rename(former, to: replacement, since: position, drawn) }
    }
    if edits.count - openCount > Self.confirmedLimit, let oldest = edits.firstIndex(where: { $0.confirmed != nil }) {
      edits.remove(at: oldest)
    }
  }

  /// Takes an open edit back.
  mutating func rollBack(_ number: UInt64) {
    guard let position = position(ofOpen: number) else { return }
    version += 1
    openCount -= 1
    edits.remove(at: position)
  }

  private func position(ofOpen number: UInt64) -> Int? {
    let position = position(of: number)
    return position < edits.count && edits[position].number == number && edits[position].confirmed == nil
      ? position : nil
  }

  /// Where the edit of that number is, or the first later one.
  private func position(of number: UInt64) -> Int {
    var low = 0
    var high = edits.count
    while low < high {
      let middle = (low + high) / 2
      if edits[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - Identities

  /// An inserted item has got another identity: what was said of it since holds of that one.
  private mutating func rename(
    _ former: SoughtItem, to new: (row: PageNode, item: SoughtItem), since first: Int, _ drawn: UInt64
  ) {
    let item = new.item
    aliases.add(item, goesBy: former)
    for position in edits.indices {
      if position >= first, edits[position].item.key == former.key {
        edits[position].item = item
        // Inserted twice: the second is not to come up as a row of its own once the first has another identity.
        if case .insertion(_, let point) = edits[position].change {
          edits[position].change = .insertion(row: new.row, at: point)
          edits[position].stamp = drawn
        }
      }
      if case .insertion(let row, let point) = edits[position].change {
        switch point {
        case .before(let target) where target.key == former.key:
          edits[position].change = .insertion(row: row, at: .before(item))
        case .after(let target) where target.key == former.key:
          edits[position].change = .insertion(row: row, at: .after(item))
        default: continue
        }
      }
    }
  }

  /// Who asks for a row by the identity that it goes by means its item.
  func resolved(_ item: SoughtItem) -> SoughtItem { aliases.item(of: item) ?? item }

  private func resolved(_ point: Point) -> Point {
    switch point {
    case .start, .end: point
    case .before(let target): .before(resolved(target))
    case .after(let target): .after(resolved(target))
    }
  }

  // MARK: - What is shown

  /// Whether what is presented was made of something else. Costs nothing where there are no edits.
  func isStale(for generation: Generation) -> Bool {
    guard !edits.isEmpty || !aliases.isEmpty || presented != nil else { return false }
    return basis(generation) != presentedFor
  }

  private func basis(_ generation: Generation) -> Basis {
    Basis(generation: generation.number, revision: generation.revision, version: version)
  }

  /// The edit of that number, while it lasts.
  func edit(_ number: UInt64) -> Edit? {
    let position = position(of: number)
    return position < edits.count && edits[position].number == number ? edits[position] : nil
  }

  /// Ends edits that the source has caught up with, and applies the others.
  ///
  /// - Parameters:
  ///   - generation: What the source said, as it stands.
  ///   - oldestLoad: The smallest number of the loads whose pages are still to be shown; nil where there are none.
  ///   - hasCandidate: Whether another generation is being built, which may hold older copies of rows.
  mutating func present(_ generation: Generation, oldestLoad: UInt64?, hasCandidate: Bool) {
    guard isStale(for: generation) else { return }
    let former = presentedFor
    presentedFor = basis(generation)
    if edits.count > openCount { endConfirmed(generation, oldestLoad: oldestLoad, hasCandidate: hasCandidate) }
    let stands = EditFooting(edits, aliases, on: generation)
    defer { footing = stands }
    if former?.version == version, stands == footing {
      // Pages came or went where no edit is: the same pages are edited in the same way.
      guard let presented else { return }
      if let same = presented.rebased(on: generation) {
        self.presented = same
        return
      }
    }
    let plan = generation.number == 0 ? EditPlan() : EditPlan(edits, aliases, on: generation)
    let next = plan.isEmpty ? nil : EditPresentation(plan, of: generation, edits, reusing: presented)
    let structure = (old: presented?.coordinates ?? EditCoordinates(), new: next?.coordinates ?? EditCoordinates())
    let aliased = (old: presented?.aliased ?? [], new: next?.aliased ?? [])
    if structure.old != structure.new || aliased.old != aliased.new { layout += 1 }
    let hasSamePages = next.map { $0.hasSamePages(as: presented) } ?? (presented == nil)
    if !hasSamePages { replacements += 1 }
    presented = next
  }

  private mutating func endConfirmed(_ generation: Generation, oldestLoad: UInt64?, hasCandidate: Bool) {
    // Items of which an edit stands.
    var standing: Set<ItemKey> = []
    edits.removeAll { edit in
      let key = edit.item.key
      if let confirmed = edit.confirmed {
        let hasEnded =
          switch edit.change {
          case .removal, .insertion: generation.firstLoad > confirmed
          case .patch where standing.contains(key): false
          case .patch:
            if let address = generation.address(of: edit.item) {
              generation.load(of: address) > confirmed
            } else {
              // What brings the item one day is a load that has not begun yet.
              !hasCandidate && (oldestLoad ?? .max) > confirmed
            }
          }
        if hasEnded { return true }
      }
      standing.insert(key)
      return false
    }
  }
}

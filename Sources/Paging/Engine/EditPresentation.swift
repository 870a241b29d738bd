/// A generation as screens see it: with its edits applied.
///
/// Pages that no edit touches are the generation's own. Those that one touches are made once, and kept as long as
/// neither the page nor its edits change, so that snapshots share them.
struct EditPresentation {
  let pages: PageTree
  let coordinates: EditCoordinates
  /// The aliases that rows go by, in the order of the list.
  let aliased: [UInt64]
  private let edited: [Int: EditedPage]

  private struct EditedPage {
    /// The page that was edited; nil for one that stands where the generation has none.
    let base: PageNode?
    let marks: [Mark]
    let page: SizedPageNode
  }

  /// One thing that is done to a page. Equal marks on one page make equal pages.
  private struct Mark: Equatable {
    enum Kind { case inserted, hidden, patched, alias }

    let kind: Kind
    /// Of the row; for inserted ones, of the row behind them.
    let offset: Int
    let number: UInt64
    var stamp: UInt64 = 0
  }

  /// Applies a plan. Costs the pages that it touches, and of them only those that `former` hasn't edited the same way.
  init(_ plan: EditPlan, of generation: Generation, _ edits: [EditOverlay.Edit], reusing former: EditPresentation?) {
    var (tree, coordinates, aliased) = (generation.pages, EditCoordinates(), [UInt64]())
    var edited: [Int: EditedPage] = [:]
    let count = generation.pages.pageCount
    let (first, last) = (generation.firstOrdinal, generation.firstOrdinal + max(0, count - 1))
    var ordinals = Set(plan.rows.keys)
    if !plan.start.isEmpty { ordinals.insert(first) }
    if !plan.end.isEmpty { ordinals.insert(last) }
    for ordinal in ordinals.sorted() {
      let base = count == 0 ? nil : generation.page(at: ordinal - first)
      let start =
        base == nil ? generation.firstCoordinate : generation.coordinate(at: RowAddress(ordinal: ordinal, offset: 0))
      var work = PageWork(
        base: base, count: base.map { generation.access.hashes(of: $0).count } ?? 0, rows: plan.rows[ordinal] ?? [:],
        start: ordinal == first ? plan.start : [], end: ordinal == last ? plan.end : [])
      work.survey(edits, from: start, into: &coordinates, &aliased)
      let known = former?.edited[ordinal]
      let page: SizedPageNode
      if let known, known.base === base, known.marks == work.marks {
        page = known.page
      } else {
        let recipe = work.recipe(edits)
        page = SizedPageNode(node: generation.access.page(of: recipe), rows: recipe.count)
      }
      edited[ordinal] = EditedPage(base: base, marks: work.marks, page: page)
      if base == nil { tree.append(page) } else { tree.replace(pageAt: ordinal - first, with: page) }
    }
    (pages, self.coordinates, self.aliased, self.edited) = (tree, coordinates, aliased, edited)
  }

  private init(pages: PageTree, like other: EditPresentation) {
    (self.pages, coordinates, aliased, edited) = (pages, other.coordinates, other.aliased, other.edited)
  }

  /// The same edited pages among those of a generation that has others now; nil where one of them is not there any
  /// more.
  func rebased(on generation: Generation) -> EditPresentation? {
    var tree = generation.pages
    let first = generation.firstOrdinal
    for (ordinal, page) in edited {
      guard let base = page.base, ordinal >= first, ordinal - first < tree.pageCount,
        generation.page(at: ordinal - first) === base
      else { return nil }
      tree.replace(pageAt: ordinal - first, with: page.page)
    }
    return EditPresentation(pages: tree, like: self)
  }

  /// Whether the same pages are edited, and look the same.
  func hasSamePages(as other: EditPresentation?) -> Bool {
    guard let other, edited.count == other.edited.count else { return false }
    return edited.allSatisfy { ordinal, page in other.edited[ordinal]?.page.node === page.page.node }
  }

  // MARK: - One page

  private struct PageWork {
    let base: PageNode?
    let count: Int
    let rows: [Int: EditPlan.RowWork]
    let start: [EditPlan.Inserted]
    let end: [EditPlan.Inserted]
    private(set) var marks: [Mark] = []

    init(
      base: PageNode?, count: Int, rows: [Int: EditPlan.RowWork], start: [EditPlan.Inserted],
      end: [EditPlan.Inserted]
    ) {
      self.base = base
      self.count = count
      self.rows = rows
      self.start = start
      self.end = end
    }

    /// Notes what is done to the page, and which rows come and go by it.
    mutating func survey(
      _ edits: [EditOverlay.Edit], from first: Int, into coordinates: inout EditCoordinates, _ aliased: inout [UInt64]
    ) {
      func inserted(_ rows: [EditPlan.Inserted], at offset: Int, _ marks: inout [Mark]) {
        for row in rows {
          let edit = edits[row.edit]
          coordinates.append(
            EditCoordinates.Entry(base: first + offset, isInserted: true, edit: edit.number, stamp: edit.stamp))
          marks.append(Mark(kind: .inserted, offset: offset, number: edit.number, stamp: edit.stamp))
          note(row.patches, row.alias, at: offset, &marks)
        }
      }
      func note(_ patches: [EditPlan.Patch], _ alias: RowAliases.Alias?, at offset: Int, _ marks: inout [Mark]) {
        for patch in patches { marks.append(Mark(kind: .patched, offset: offset, number: patch.edit)) }
        guard let alias else { return }
        marks.append(Mark(kind: .alias, offset: offset, number: alias.number))
        aliased.append(alias.number)
      }
      inserted(start, at: 0, &marks)
      for (offset, row) in rows.sorted(by: { $0.key < $1.key }) {
        inserted(row.before, at: offset, &marks)
        if row.isHidden {
          coordinates.append(EditCoordinates.Entry(base: first + offset, isInserted: false, edit: 0, stamp: 0))
          marks.append(Mark(kind: .hidden, offset: offset, number: 0))
        } else {
          note(row.patches, row.alias, at: offset, &marks)
        }
        inserted(row.after, at: offset + 1, &marks)
      }
      inserted(end, at: count, &marks)
    }

    /// The rows of the page.
    func recipe(_ edits: [EditOverlay.Edit]) -> [RowRecipe] {
      var recipe: [RowRecipe] = []
      func insert(_ rows: [EditPlan.Inserted]) {
        for row in rows {
          guard case .insertion(let page, _) = edits[row.edit].change else { continue }
          recipe.append(
            RowRecipe(page: page, offset: 0, patches: row.patches.map(\.node), alias: row.alias?.row.id))
        }
      }
      insert(start)
      if let base {
        for offset in 0..<count {
          guard let row = rows[offset] else {
            recipe.append(RowRecipe(page: base, offset: offset))
            continue
          }
          insert(row.before)
          if !row.isHidden {
            recipe.append(
              RowRecipe(page: base, offset: offset, patches: row.patches.map(\.node), alias: row.alias?.row.id))
          }
          insert(row.after)
        }
      }
      insert(end)
      return recipe
    }
  }
}

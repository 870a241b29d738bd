/// A page, or a chunk of pages, whichever its level in the tree says: 0 for a page.
///
/// The tree keeps its nodes without their types, so that its code is compiled once and not for every kind of item.
@usableFromInline typealias PageNode = any AnyObject & Sendable

/// The one place where a node gets its type back. It is right because a tree is only ever reached through a
/// ``PageSequence``, which puts pages of one type in, and because chunks are made in this file, for levels above 0.
///
/// Always inlined: as a call it would look the metadata of `type` up, which costs more than all the rest.
@inlinable @inline(__always) func typed<Object: AnyObject>(_ node: PageNode, as type: Object.Type) -> Object {
  unsafeDowncast(node, to: type)
}

/// A node and the number of rows in it.
struct SizedPageNode: Sendable {
  let node: PageNode
  let rows: Int
}

/// A place in a tree: a page, and a row in it.
struct PageTreePlace: Sendable {
  let pageIndex: Int
  /// The row's place in the page.
  let offset: Int
  /// Rows in front of the page.
  let rowsBefore: Int
  let page: PageNode
}

/// At most 32 nodes of one level, with running totals of their rows.
struct PageRun: Sendable {
  private(set) var nodes: [PageNode] = []
  /// `ends[i]` is how many rows the nodes up to and including the i-th have.
  private(set) var ends: [Int] = []

  var count: Int { nodes.count }
  var rows: Int { ends.last ?? 0 }
  var isFull: Bool { nodes.count == PageTree.fanOut }

  func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

  func sized(at index: Int) -> SizedPageNode {
    SizedPageNode(node: nodes[index], rows: ends[index] - start(of: index))
  }

  /// The node that holds `row`, which must be one of the run's.
  ///
  /// Where all have the same number of rows, as full pages and chunks of them do, it is the first that is looked at.
  func index(ofRow row: Int) -> Int {
    var low = 0
    var high = ends.count - 1
    let guess = min(high, row / max(1, ends[0]))
    if row < ends[guess], row >= start(of: guess) { return guess }
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > row { high = middle } else { low = middle + 1 }
    }
    return low
  }

  mutating func append(_ element: SizedPageNode) {
    ends.append(rows + element.rows)
    nodes.append(element.node)
  }

  mutating func prepend(_ element: SizedPageNode) {
    for index in ends.indices { ends[index] += element.rows }
    ends.insert(element.rows, at: 0)
    nodes.insert(element.node, at: 0)
  }

  mutating func removeLast() -> SizedPageNode {
    let removed = sized(at: count - 1)
    nodes.removeLast()
    ends.removeLast()
    return removed
  }

  mutating func removeFirst() -> SizedPageNode {
    let removed = sized(at: 0)
    nodes.removeFirst()
    ends.removeFirst()
    for index in ends.indices { ends[index] -= removed.rows }
    return removed
  }

  mutating func replace(at index: Int, with element: SizedPageNode) {
    let growth = element.rows - (ends[index] - start(of: index))
    nodes[index] = element.node
    if growth != 0 {
      for later in index..<ends.count { ends[later] += growth }
    }
  }
}

/// A full run as one node of the level above.
private final class PageChunk: Sendable {
  let run: PageRun

  init(_ run: PageRun) {
    self.run = run
  }
}

extension PageRun {
  /// The page that holds a row of this run, whose nodes are of `level`, and the row's place in it.
  fileprivate func page(ofRow row: Int, level: Int) -> (page: PageNode, offset: Int) {
    let index = index(ofRow: row)
    let rest = row - start(of: index)
    if level == 0 { return (nodes[index], rest) }
    return typed(nodes[index], as: PageChunk.self).run.page(ofRow: rest, level: level - 1)
  }
}

/// Pages in order, as a value that shares what it can with its copies.
///
/// Each level has a run of nodes at the front and one at the back; a node of level k holds exactly 32ᵏ pages. Read in
/// order: the fronts from level 0 up, then the backs down to level 0. Only the two ends of a level are ever changed, so
/// inner nodes stay full, and a change at an end of a copied tree copies the run at that end: now and then, when a run
/// is full or used up, one a level. Everything else is shared.
@usableFromInline struct PageTree: Sendable {
  /// The most nodes in a run.
  static let fanOut = 32
  private static let shift = 5

  private struct Level: Sendable {
    var front = PageRun()
    var back = PageRun()

    var isEmpty: Bool { front.count == 0 && back.count == 0 }
  }

  private var levels: [Level] = []
  private(set) var pageCount = 0
  private(set) var rowCount = 0

  /// How many levels there are.
  var height: Int { levels.count }

  /// How many pages a node of `level` holds.
  static func pages(inNodeOfLevel level: Int) -> Int { 1 << (level * shift) }

  // MARK: - Changing

  mutating func append(_ page: SizedPageNode) {
    pageCount += 1
    rowCount += page.rows
    append(page, level: 0)
  }

  private mutating func append(_ element: SizedPageNode, level: Int) {
    if level == levels.count { levels.append(Level()) }
    if levels[level].back.isFull {
      let full = levels[level].back
      levels[level].back = PageRun()
      append(SizedPageNode(node: PageChunk(full), rows: full.rows), level: level + 1)
    }
    levels[level].back.append(element)
  }

  mutating func prepend(_ page: SizedPageNode) {
    pageCount += 1
    rowCount += page.rows
    prepend(page, level: 0)
  }

  private mutating func prepend(_ element: SizedPageNode, level: Int) {
    if level == levels.count { levels.append(Level()) }
    if levels[level].front.isFull {
      let full = levels[level].front
      levels[level].front = PageRun()
      prepend(SizedPageNode(node: PageChunk(full), rows: full.rows), level: level + 1)
    }
    levels[level].front.prepend(element)
  }

  mutating func removeLast() -> SizedPageNode? {
    guard let removed = removeLast(level: 0) else { return nil }
    pageCount -= 1
    rowCount -= removed.rows
    trim()
    return removed
  }

  private mutating func removeLast(level: Int) -> SizedPageNode? {
    guard level < levels.count else { return nil }
    if levels[level].back.count == 0 {
      guard let chunk = removeLast(level: level + 1) else {
        return levels[level].front.count == 0 ? nil : levels[level].front.removeLast()
      }
      levels[level].back = typed(chunk.node, as: PageChunk.self).run
    }
    return levels[level].back.removeLast()
  }

  mutating func removeFirst() -> SizedPageNode? {
    guard let removed = removeFirst(level: 0) else { return nil }
    pageCount -= 1
    rowCount -= removed.rows
    trim()
    return removed
  }

  private mutating func removeFirst(level: Int) -> SizedPageNode? {
    guard level < levels.count else { return nil }
    if levels[level].front.count == 0 {
      guard let chunk = removeFirst(level: level + 1) else {
        return levels[level].back.count == 0 ? nil : levels[level].back.removeFirst()
      }
      levels[level].front = typed(chunk.node, as: PageChunk.self).run
    }
    return levels[level].front.removeFirst()
  }

  private mutating func trim() {
    while let last = levels.last, last.isEmpty { levels.removeLast() }
  }

  /// Puts a page in the place of another; it may have more rows than that one, fewer, or none.
  mutating func replace(pageAt index: Int, with page: SizedPageNode) {
    precondition(index >= 0 && index < pageCount, "There is no page \(index) among \(pageCount).")
    var rest = index
    for level in levels.indices {
      let pages = levels[level].front.count << (level * Self.shift)
      if rest < pages {
        rowCount += Self.replace(&levels[level].front, level: level, page: rest, with: page)
        return
      }
      rest -= pages
    }
    for level in levels.indices.reversed() {
      let pages = levels[level].back.count << (level * Self.shift)
      if rest < pages {
        rowCount += Self.replace(&levels[level].back, level: level, page: rest, with: page)
        return
      }
      rest -= pages
    }
  }

  /// - Returns: By how many rows the run has grown.
  private static func replace(_ run: inout PageRun, level: Int, page: Int, with element: SizedPageNode) -> Int {
    let index = page >> (level * shift)
    let before = run.rows
    if level == 0 {
      run.replace(at: index, with: element)
    } else {
      var inner = typed(run.nodes[index], as: PageChunk.self).run
      _ = replace(&inner, level: level - 1, page: page - index << (level * shift), with: element)
      run.replace(at: index, with: SizedPageNode(node: PageChunk(inner), rows: inner.rows))
    }
    return run.rows - before
  }

  // MARK: - Finding

  /// The page that holds `row`, which must be below ``rowCount``.
  func place(ofRow row: Int) -> PageTreePlace {
    precondition(row >= 0 && row < rowCount, "There is no row \(row) among \(rowCount).")
    var rows = 0
    var pages = 0
    for level in 0..<levels.count {
      let end = rows + levels[level].front.rows
      if row < end { return Self.find(row, in: levels[level].front, level: level, rows: rows, pages: pages) }
      rows = end
      pages += levels[level].front.count << (level * Self.shift)
    }
    for level in (1..<levels.count).reversed() {
      let end = rows + levels[level].back.rows
      if row < end { return Self.find(row, in: levels[level].back, level: level, rows: rows, pages: pages) }
      rows = end
      pages += levels[level].back.count << (level * Self.shift)
    }
    return Self.find(row, in: levels[0].back, level: 0, rows: rows, pages: pages)
  }

  private static func find(_ row: Int, in run: PageRun, level: Int, rows: Int, pages: Int) -> PageTreePlace {
    let index = run.index(ofRow: row - rows)
    let rows = rows + run.start(of: index)
    let pages = pages + index << (level * shift)
    if level == 0 {
      return PageTreePlace(pageIndex: pages, offset: row - rows, rowsBefore: rows, page: run.nodes[index])
    }
    return find(
      row, in: typed(run.nodes[index], as: PageChunk.self).run, level: level - 1, rows: rows, pages: pages)
  }

  /// The page that holds `row`, which must be below ``rowCount``, and the row's place in it: no more than a reader
  /// wants.
  func page(ofRow row: Int) -> (page: PageNode, offset: Int) {
    precondition(row >= 0 && row < rowCount, "There is no row \(row) among \(rowCount).")
    var rest = row
    for level in 0..<levels.count {
      if rest < levels[level].front.rows { return levels[level].front.page(ofRow: rest, level: level) }
      rest -= levels[level].front.rows
    }
    for level in (1..<levels.count).reversed() {
      if rest < levels[level].back.rows { return levels[level].back.page(ofRow: rest, level: level) }
      rest -= levels[level].back.rows
    }
    return levels[0].back.page(ofRow: rest, level: 0)
  }

  /// The run of level 0 that holds the page at `index`, and where it begins.
  struct Leaf: Sendable {
    let run: PageRun
    /// Where the page is in the run.
    let index: Int
    /// Rows in front of the run.
    let rowsBefore: Int
  }

  /// The run that holds the page at `index`, which must be below ``pageCount``.
  func leaf(ofPage index: Int) -> Leaf {
    precondition(index >= 0 && index < pageCount, "There is no page \(index) among \(pageCount).")
    var rest = index
    var rows = 0
    for level in 0..<levels.count {
      let pages = levels[level].front.count << (level * Self.shift)
      if rest < pages { return Self.leaf(rest, in: levels[level].front, level: level, rows: rows) }
      rest -= pages
      rows += levels[level].front.rows
    }
    for level in (1..<levels.count).reversed() {
      let pages = levels[level].back.count << (level * Self.shift)
      if rest < pages { return Self.leaf(rest, in: levels[level].back, level: level, rows: rows) }
      rest -= pages
      rows += levels[level].back.rows
    }
    return Leaf(run: levels[0].back, index: rest, rowsBefore: rows)
  }

  private static func leaf(_ page: Int, in run: PageRun, level: Int, rows: Int) -> Leaf {
    if level == 0 { return Leaf(run: run, index: page, rowsBefore: rows) }
    let index = page >> (level * shift)
    return leaf(
      page - index << (level * shift), in: typed(run.nodes[index], as: PageChunk.self).run, level: level - 1,
      rows: rows + run.start(of: index))
  }

  /// The node of `level` that begins with the page at `index`; nil where none does.
  func node(beginningAt index: Int, level wanted: Int) -> SizedPageNode? {
    var rest = index
    for level in 0..<levels.count {
      let pages = levels[level].front.count << (level * Self.shift)
      if rest < pages { return Self.node(rest, in: levels[level].front, level: level, wanted: wanted) }
      rest -= pages
    }
    for level in (0..<levels.count).reversed() {
      let pages = levels[level].back.count << (level * Self.shift)
      if rest < pages { return Self.node(rest, in: levels[level].back, level: level, wanted: wanted) }
      rest -= pages
    }
    return nil
  }

  private static func node(_ page: Int, in run: PageRun, level: Int, wanted: Int) -> SizedPageNode? {
    guard wanted <= level else { return nil }
    let index = page >> (level * shift)
    let rest = page - index << (level * shift)
    if level == wanted { return rest == 0 ? run.sized(at: index) : nil }
    return node(rest, in: typed(run.nodes[index], as: PageChunk.self).run, level: level - 1, wanted: wanted)
  }
}

// MARK: - Going over the pages

extension PageTree {
  /// Goes over the pages, at constant cost for each.
  ///
  /// Inlinable but for what is done once for 32 pages.
  @usableFromInline struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline let tree: PageTree
    @usableFromInline var nodes: [PageNode] = []
    @usableFromInline var offset = 0
    @usableFromInline var nextPage: Int

    init(_ tree: PageTree, from page: Int) {
      self.tree = tree
      nextPage = page
    }

    @inlinable @inline(__always) mutating func next() -> PageNode? {
      if offset == nodes.count, !advance() { return nil }
      offset += 1
      return nodes[offset - 1]
    }

    /// Goes on to the next run; false at the end.
    @usableFromInline mutating func advance() -> Bool {
      guard nextPage < tree.pageCount else { return false }
      let leaf = tree.leaf(ofPage: nextPage)
      nodes = leaf.run.nodes
      offset = leaf.index
      nextPage += nodes.count - offset
      return true
    }
  }
}

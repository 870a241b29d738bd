extension PageTree {
  /// A stretch of pages that two trees share.
  struct SharedNode {
    let pages: Int
    let rows: Int
  }

  /// The largest node that both trees have where one has the page at `index` and the other that at `otherIndex`.
  func node(sharedWith other: PageTree, at index: Int, _ otherIndex: Int) -> SharedNode? {
    for level in (0..<Swift.min(height, other.height)).reversed() {
      if let mine = node(beginningAt: index, level: level),
        let theirs = other.node(beginningAt: otherIndex, level: level), mine.node === theirs.node
      {
        return SharedNode(pages: Self.pages(inNodeOfLevel: level), rows: mine.rows)
      }
    }
    return nil
  }

  /// All pages, in order.
  var allPages: [PageNode] {
    var pages: [PageNode] = []
    pages.reserveCapacity(pageCount)
    while pages.count < pageCount {
      let leaf = leaf(ofPage: pages.count)
      pages.append(contentsOf: leaf.run.nodes[leaf.index...])
    }
    return pages
  }
}

extension PageSequence {
  /// What screens know all rows by.
  var identities: RowIdentities<Item.ID> {
    // An array of no capacity is the one that all threads share, and the initializer below writes to what it gets.
    guard rowCount > 0 else { return RowIdentities(hashes: [], ids: []) }
    let pages = tree.allPages
    var hashes: [Int] = []
    hashes.reserveCapacity(rowCount)
    var hasAliases = false
    for page in pages {
      let box = typed(page, as: PageBox<Item>.self)
      hashes.append(contentsOf: box.hashes)
      if box.aliases != nil { hasAliases = true }
    }
    var ids = [Item.ID](unsafeUninitializedCapacity: rowCount) { ids, count in
      guard let base = ids.baseAddress else { return }
      for page in pages {
        typed(page, as: PageBox<Item>.self).items.withUnsafeBufferPointer { items in
          for index in 0..<items.count { (base + count + index).initialize(to: items[index].id) }
          count += items.count
        }
      }
    }
    if hasAliases {
      var start = 0
      for page in pages {
        let box = typed(page, as: PageBox<Item>.self)
        for (offset, id) in box.aliases ?? [:] {
          hashes[start + offset] = id.hashValue
          ids[start + offset] = id
        }
        start += box.count
      }
    }
    return RowIdentities(hashes: hashes, ids: ids)
  }

  /// Appends to `updates` the numbers of those new rows that have a match and differ from it.
  func compareContent(with new: PageSequence, matched: IdentityDiff, into updates: inout [Int]) {
    let comparison = ContentComparison<Item>()
    let oldPages = tree.allPages
    var oldStarts: [Int] = []
    oldStarts.reserveCapacity(oldPages.count + 1)
    var rows = 0
    for page in oldPages {
      oldStarts.append(rows)
      rows += typed(page, as: PageBox<Item>.self).count
    }
    oldStarts.append(rows)

    var oldPage = 0
    var start = 0
    for box in new {
      let end = start + box.count
      var row = start
      while row < end {
        let old = Int(matched.oldIndices[row])
        guard old >= 0 else {
          row += 1
          continue
        }
        if old < oldStarts[oldPage] || old >= oldStarts[oldPage + 1] {
          oldPage = Self.page(ofRow: old, in: oldStarts)
        }
        let limit = Swift.min(end - row, oldStarts[oldPage + 1] - old)
        var count = 1
        while count < limit, Int(matched.oldIndices[row + count]) == old + count { count += 1 }
        comparison.appendDifferences(
          from: typed(oldPages[oldPage], as: PageBox<Item>.self), at: old - oldStarts[oldPage], to: box,
          at: row - start, count: count, first: row, into: &updates)
        row += count
      }
      start = end
    }
  }

  private static func page(ofRow row: Int, in starts: [Int]) -> Int {
    var low = 0
    var high = starts.count - 2
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= row { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

import Paging

// The list from end to end: what everything else is compared with.
extension SourceTrial {
  /// Walks from the source's own start to both ends.
  ///
  /// - Returns: Whether there is a list to go on with.
  mutating func walk() async -> Bool {
    guard !findings.isOver else { return false }
    for check in [VerifierCheck.returns, .loads, .keyCycle, .end, .emptyPages, .uniqueIDs] { findings.begin(check) }
    guard let first = await page(firstParams, from: source, in: .loads) else { return false }
    guard let after = await pages(.append, after: first), let before = await pages(.prepend, after: first) else {
      return false
    }
    steps = before.reversed() + [Step(params: firstParams, page: first)] + after
    for number in steps.indices {
      steps[number].start = list.count
      list += steps[number].ids
    }
    findUniqueness()
    return true
  }

  private mutating func pages(_ type: LoadType, after first: SourcePage) async -> [Step]? {
    var found: [Step] = []
    var keys: Set<Key> = []
    var empty = first.items.isEmpty ? 1 : 0
    var next = key(type, of: first)
    while let key = next {
      if !source.allowsRepeatedKeys, !keys.insert(key).inserted {
        findings.fail(
          .keyCycle,
          "Page \(found.count + 1) (\(type)) leads to key \(key), which was loaded before: the list goes round. "
            + "Give nil at the end of the list; a source whose keys may repeat says so by allowsRepeatedKeys.")
        return nil
      }
      guard found.count < maxPages else {
        findings.fail(
          .end,
          "After \(found.count) pages (\(type)) there still is a key, \(key). Only a nil key ends a list. "
            + "For a list that is longer than that, raise maxPages or take a shorter one.")
        return nil
      }
      if empty == PagingConfig().emptyPageBudget {
        findings.fail(
          .emptyPages,
          "\(empty) pages in a row are empty and have a key (\(type), the last key is \(key)): a pager stops there. "
            + "Skip empty pages in the source, or give nil where nothing follows.")
      }
      let params = Params(type, key: key, loadSize: pageSize)
      guard let page = await page(params, from: source, in: .loads) else { return nil }
      found.append(Step(params: params, page: page))
      empty = page.items.isEmpty ? empty + 1 : 0
      next = self.key(type, of: page)
    }
    return found
  }

  func key(_ type: LoadType, of page: SourcePage) -> Key? {
    type == .prepend ? page.previousKey : page.nextKey
  }

  private mutating func findUniqueness() {
    var places: [ID: Step] = [:]
    for step in steps {
      for id in step.ids {
        if let other = places[id] {
          findings.fail(
            .uniqueIDs,
            other.params == step.params
              ? "\(text(step.params)) brings the ID \(id) twice."
              : "\(text(step.params)) brings the ID \(id) again, which \(text(other.params)) has brought.")
        }
        places[id] = places[id] ?? step
      }
    }
  }

  // MARK: - The same list again

  /// Walks in other sizes: a size is a hint, and the list is the same whatever the borders.
  mutating func checkLoadSizes() async {
    let small = max(1, pageSize / 3)
    var sizes = [(first: small, other: small), (pageSize * 2 + 1, pageSize * 2 + 1)]
    // A pager asks a source of page numbers for one size only, and any other for a longer first page.
    if source.keyKind != .pageNumber { sizes.append((pageSize * 3, pageSize)) }
    for (first, other) in sizes {
      guard !findings.isOver else { return }
      findings.begin(.loadSize)
      guard let ids = await ids(first: first, other: other) else { return }
      guard ids != list else { continue }
      let place = zip(ids, list).enumerated().first { $1.0 != $1.1 }?.offset ?? min(ids.count, list.count)
      let here = ids.indices.contains(place) ? "\(ids[place])" : "missing"
      let there = list.indices.contains(place) ? "\(list[place])" : "missing"
      findings.fail(
        .loadSize,
        "With a first loadSize of \(first) and then \(other) the list has \(ids.count) rows, with \(pageSize) it has "
          + "\(list.count). Row \(place) is \(here) and was \(there). Keys must say where a page begins, whatever its "
          + "size; a source of page numbers says so by keyKind.")
    }
  }

  private mutating func ids(first: Int, other: Int) async -> [ID]? {
    let source = makeSource()
    guard let page = await page(Params(.refresh, loadSize: first), from: source, in: .loadSize) else { return nil }
    var ids = page.items.map(\.id)
    for type in [LoadType.append, .prepend] {
      var next = key(type, of: page)
      // A list that doesn't end in this size is told by its length.
      var left = (maxPages + 2) * (pageSize / other + 2)
      while let key = next, left > 0, ids.count <= list.count {
        left -= 1
        let params = Params(type, key: key, loadSize: other)
        guard let page = await self.page(params, from: source, in: .loadSize) else { return nil }
        let more = page.items.map(\.id)
        ids = type == .append ? ids + more : more + ids
        next = self.key(type, of: page)
      }
    }
    return ids
  }

  // MARK: - Counts

  /// Compares counts and totals with the rows that there are.
  mutating func checkCounts() {
    guard !findings.isOver else { return }
    let counted = steps.filter { $0.page.itemsBefore != nil || $0.page.itemsAfter != nil || $0.page.total != nil }
    guard !counted.isEmpty else { return findings.skip(.counts) }
    findings.begin(.counts)
    for step in counted {
      let after = list.count - step.start - step.page.items.count
      if let count = step.page.itemsBefore, count >= 0, count != step.start {
        findings.fail(.counts, "\(text(step.params)) says itemsBefore \(count), and \(step.start) rows precede it.")
      }
      if let count = step.page.itemsAfter, count >= 0, count != after {
        findings.fail(.counts, "\(text(step.params)) says itemsAfter \(count), and \(after) rows follow it.")
      }
      guard let total = step.page.total else { continue }
      if total.isExact, total.count != list.count {
        findings.fail(.counts, "\(text(step.params)) says there are \(total.count) rows, and there are \(list.count).")
      } else if total.isLowerBound, total.count > list.count {
        findings.fail(
          .counts, "\(text(step.params)) says there are \(total.count) rows or more, and there are \(list.count).")
      }
    }
  }
}

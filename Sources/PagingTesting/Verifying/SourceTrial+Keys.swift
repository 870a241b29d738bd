import Paging

// Keys: the same one again, the ones that lead back, and those for refreshes and jumps.
extension SourceTrial {
  /// Loads pages again: from the same source, from a new one, and as a refresh.
  mutating func checkRepeatability() async {
    guard !source.allowsRepeatedKeys else { return findings.skip(.repeatability) }
    findings.begin(.repeatability)
    let fresh = makeSource()
    for step in sample(steps.count, 8).map({ steps[$0] }) {
      var asked = [(step.params, source, "again"), (step.params, fresh, "from a new source")]
      if step.params.type == .append {
        let refresh = Params(.refresh, key: step.params.key, loadSize: step.params.loadSize)
        asked.append((refresh, source, "as a refresh, which a pager begins with the key of the rows on screen"))
      }
      for (params, source, how) in asked {
        guard let page = await page(params, from: source, in: .repeatability) else { continue }
        if let difference = mismatch(page, step) {
          findings.fail(.repeatability, "\(text(params)), asked \(how), gave \(difference).")
        }
      }
    }
  }

  // MARK: - The way back

  mutating func checkWayBack() async {
    guard !findings.isOver, !source.allowsRepeatedKeys, let last = filled.last,
      steps.contains(where: { $0.page.previousKey != nil })
    else {
      findings.skip(.wayBack)
      return findings.skip(.wayForward)
    }
    findings.begin(.wayBack)
    for step in filled where step.start > 0 && step.page.previousKey == nil {
      findings.fail(
        .wayBack,
        "\(text(step.params)) has no previousKey, though \(step.start) rows precede it and other pages have one: "
          + "after a refresh there the list would begin with it.")
    }
    let back = await pagesBack(from: last)
    for step in sample(filled.count, 8).map({ filled[$0] }) where step.start > 0 {
      guard let key = step.page.previousKey else { continue }
      let params = Params(.prepend, key: key, loadSize: pageSize)
      guard let page = await page(params, from: source, in: .wayBack) else { return }
      if let difference = mismatch(page.items.map(\.id), at: step.start - page.items.count) {
        findings.fail(
          .wayBack, "\(text(params)) should give the rows in front of those of \(text(step.params)): \(difference).")
      }
    }
    await checkWayForward(from: back)
  }

  /// Goes back from the last page to the start.
  private mutating func pagesBack(from last: Step) async -> [Step] {
    var found: [Step] = []
    var keys: Set<Key> = []
    var start = last.start
    var next = last.page.previousKey
    while let key = next {
      let params = Params(.prepend, key: key, loadSize: pageSize)
      guard keys.insert(key).inserted, found.count <= 2 * maxPages else {
        findings.fail(
          .keyCycle, "On the way back from the end, \(text(params)) comes again: the previous keys go round.")
        return found
      }
      guard let page = await page(params, from: source, in: .wayBack) else { return found }
      start -= page.items.count
      if let difference = mismatch(page.items.map(\.id), at: start) {
        findings.fail(
          .wayBack,
          "On the way back, \(text(params)) should give the rows that end before row \(start + page.items.count): \(difference)."
        )
        return found
      }
      found.append(Step(params: params, page: page, start: start))
      next = page.previousKey
    }
    if start > 0 {
      let end = found.last.map { text($0.params) } ?? text(last.params)
      findings.fail(.wayBack, "The way back ends with \(end), which has no previousKey, and \(start) rows precede it.")
    }
    return found
  }

  private mutating func checkWayForward(from back: [Step]) async {
    let filled = back.filter { !$0.page.items.isEmpty }
    guard !filled.isEmpty, !findings.isOver else { return findings.skip(.wayForward) }
    findings.begin(.wayForward)
    for step in sample(filled.count, 8).map({ filled[$0] }) {
      let end = step.start + step.page.items.count
      guard let key = step.page.nextKey else {
        findings.fail(
          .wayForward,
          "\(text(step.params)) has no nextKey, though \(list.count - end) rows follow it: "
            + "after pages at the end were dropped, the list would end there.")
        continue
      }
      let params = Params(.append, key: key, loadSize: pageSize)
      guard let page = await page(params, from: source, in: .wayForward) else { return }
      if let difference = mismatch(page.items.map(\.id), at: end) {
        findings.fail(
          .wayForward, "\(text(params)) should give the rows behind those of \(text(step.params)): \(difference).")
      }
    }
  }

  // MARK: - Refreshes and jumps

  /// First pages that are as short as others, so that a key that is a little off is noticed.
  private var config: PagingConfig { PagingConfig(pageSize: pageSize, initialLoadSize: pageSize) }

  private func refresh(_ key: Key) -> Params { Params(.refresh, key: key, loadSize: config.initialLoadSize) }

  /// Asks where a refresh starts, with all pages and with a few in the middle, for rows at their ends and between.
  mutating func checkRefreshKeys() async {
    guard !findings.isOver else { return }
    _ = source.refreshKey(for: PagingState(pages: [], anchorIndex: nil, config: config))
    _ = source.refreshKey(for: PagingState(pages: [], anchorIndex: 3, config: config))
    var answers = 0
    let middle = filled.count / 3..<max(filled.count / 3, filled.count - filled.count / 3)
    for window in [filled[...], filled[middle]] {
      guard let start = window.first?.start, let last = window.last else { continue }
      let count = last.start + last.page.items.count - start
      _ = source.refreshKey(for: PagingState(pages: window.map(\.page), anchorIndex: nil, config: config))
      for anchor in sample(count, 6) {
        let state = PagingState(pages: window.map(\.page), anchorIndex: anchor, config: config)
        guard !findings.isOver, let key = source.refreshKey(for: state) else { continue }
        answers += 1
        findings.begin(.refreshKey)
        let params = refresh(key)
        guard let page = await page(params, from: source, in: .refreshKey) else { continue }
        if !page.items.contains(where: { $0.id == list[start + anchor] }) {
          findings.fail(
            .refreshKey,
            "With rows \(start)..<\(start + count) loaded and the anchor at index \(anchor) of them (\(list[start + anchor])), "
              + "refreshKey(for:) gave \(key), and \(text(params)) gave rows \(sketch(page.items.map(\.id))) without it."
          )
        }
      }
    }
    if answers == 0 { findings.skip(.refreshKey) }
  }

  /// Asks for the keys of indices and of items.
  mutating func checkJumps() async {
    for index in [-1, list.count, list.count + 100, .max, .min] { _ = source.key(forIndex: index) }
    for (check, call) in [(VerifierCheck.keyForIndex, "key(forIndex:"), (.keyAround, "key(around:")] {
      for index in sample(list.count, 6) {
        let key = check == .keyForIndex ? source.key(forIndex: index) : source.key(around: list[index])
        guard !findings.isOver, let key else { continue }
        findings.begin(check)
        let params = refresh(key)
        guard let page = await page(params, from: source, in: check) else { continue }
        if !page.items.contains(where: { $0.id == list[index] }) {
          findings.fail(
            check,
            "\(call) \(check == .keyForIndex ? "\(index)" : "\(list[index])")) gave \(key), and \(text(params)) gave rows "
              + "\(sketch(page.items.map(\.id))) without row \(index), which is \(list[index]).")
        }
      }
      findings.skip(check)
    }
  }

  /// Takes a row away and asks for one that stands in for it.
  mutating func checkSurvivor() {
    let items = filled.flatMap(\.page.items)
    guard !findings.isOver, items.count > 1 else { return findings.skip(.survivor) }
    findings.begin(.survivor)
    for index in sample(items.count, 4) {
      let others = items.enumerated().filter { $0.offset != index }.map(\.element)
      guard let survivor = source.survivor(of: items[index], among: others) else { continue }
      if !others.contains(where: { $0.id == survivor.id }) {
        findings.fail(
          .survivor, "survivor(of: \(items[index].id), among:) gave \(survivor.id), which is none of the candidates.")
      }
    }
  }
}

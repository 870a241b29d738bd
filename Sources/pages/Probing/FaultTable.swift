/// What an API shows besides the signals of a list on a screen: caps, keys, ends and refusals. All of it happened, so
/// all is observed, unless a row says otherwise.
enum FaultTable {
  static let rules: [SignalRule] = sizes + keys + lives + ends + others

  // MARK: - Page sizes

  private static let sizes: [SignalRule] = [
    SignalRule("size.capped", "more rows are asked for than come", "a page-size cap, applied in silence", .observed) {
      guard let (asked, rows) = $0.largestAnswered, rows < asked, $0.knows(atLeast: rows + 1) else { return nil }
      return "\(grouped(asked)) asked for by \(quotedList([$0.size?.parameter ?? ""])), \(grouped(rows)) came."
    },
    SignalRule("size.refused", "a large page is refused", "a page-size cap, enforced", .observed) { seen in
      guard let trial = seen.size, let refused = trial.asked.first(where: { $0.rows == nil }) else { return nil }
      let served = trial.asked.compactMap { $0.rows == nil ? nil : $0.size }.max()
      return "\(grouped(refused.size)) asked for by \(quotedList([trial.parameter ?? ""])) and refused"
        + (served.map { "; \(grouped($0)) served." } ?? ".")
    },
    SignalRule("size.open", "as many rows come as are asked for", "no page-size cap within reach", .observed) { seen in
      guard let (asked, rows) = seen.largestAnswered, seen.size?.asked.contains(where: { $0.rows == nil }) == false,
        rows >= asked || !seen.knows(atLeast: rows + 1)
      else { return nil }
      return "\(grouped(asked)) asked for by \(quotedList([seen.size?.parameter ?? ""])), \(grouped(rows)) came"
        + (rows < asked ? ": all there are, as it seems." : ".")
    },
    SignalRule("size.fixed", "no parameter changes the page size", "a size of the server's own", .speculative) { seen in
      guard let trial = seen.size, trial.parameter == nil, !trial.tried.isEmpty else { return nil }
      return "\(quotedList(trial.tried)) changed nothing; other names were not tried."
    },
  ]

  // MARK: - Bad keys

  private static let keys: [SignalRule] = [
    SignalRule("key.refused", "a bad key is refused", "a client can tell, and start again", .observed) {
      $0.badKeys { if case .refused(let status) = $0 { "status \(status)" } else { nil } }
    },
    SignalRule(
      "key.refusedInBody", "a bad key is refused in a reply of success", "look into the body before the status",
      .observed, isFault: true
    ) { $0.badKeys { $0 == .refusedInBody ? "errors with status 200" : nil } },
    SignalRule(
      "key.fails", "a bad key makes the server fail", "on a further page, a 500 may be a bad key", .observed,
      isFault: true
    ) { $0.badKeys { if case .failed(let status) = $0 { "status \(status)" } else { nil } } },
    SignalRule(
      "key.restarts", "a bad key gives the first page", "a list that starts again in silence", .observed, isFault: true
    ) { seen in seen.badKeys(but: .empty) { $0 == .firstPage ? "page 1" : nil } },
    SignalRule(
      "key.missing", "a missing key gives the first page", "an empty key is the start of the list", .observed
    ) { seen in seen.badKeys[.empty] == .firstPage ? "An empty key: page 1." : nil },
    SignalRule(
      "key.ends", "a bad key gives no rows", "a list that ends in silence", .observed, isFault: true
    ) { $0.badKeys { $0 == .noRows ? "no rows" : nil } },
    SignalRule(
      "key.ignored", "a bad key gives rows all the same", "keys are not checked", .observed, isFault: true
    ) {
      $0.badKeys {
        switch $0 {
        case .samePage: "the page of the good key"
        case .otherRows: "other rows"
        default: nil
        }
      }
    },
    SignalRule("key.unreadable", "a bad key gives no page that can be read", "a broken reply", .observed, isFault: true)
    {
      $0.badKeys { $0 == .unreadable ? "unreadable" : nil }
    },
  ]

  // MARK: - Lives of keys

  private static let lives: [SignalRule] = [
    SignalRule(
      "key.once", "a key works only once", "keys are used up; a retry needs a new walk", .observed, isFault: true
    ) {
      seen in
      guard let answer = seen.keyAgain, answer != .samePage, seen.isStable, !answer.isRows else { return nil }
      return "The second page, asked for again at once: \(answer.words)."
    },
    SignalRule(
      "key.expires", "a key is refused later on", "keys expire; start again around the rows on screen",
      .observed, isFault: true
    ) { seen in
      guard let later = seen.keyLater, seen.keyAgain == .samePage || seen.keyAgain == nil, !later.answer.isRows else {
        return nil
      }
      return "After \(seconds(later.seconds)) the key that had worked: \(later.answer.words)."
    },
    SignalRule("key.lives", "a key works later on", "keys live at least so long", .observed) { seen in
      guard let later = seen.keyLater, later.answer.isRows else { return nil }
      return "After \(seconds(later.seconds)) the second page came by the same key."
    },
    SignalRule(
      "key.moves", "the same key gives other rows", "keys name places and not rows, or the list is ranked",
      .speculative, isFault: true
    ) { seen in
      guard case .otherRows(let count)? = seen.keyAgain else { return nil }
      return "The second page, asked for again at once, had \(rows(count)), and others."
    },
  ]

  // MARK: - Ends

  private static let ends: [SignalRule] = [
    SignalRule(
      "end.round", "the next page is one that was before", "an end that is none: the list goes round",
      .observed, isFault: true
    ) { seen in
      if seen.goesRound { return "Page \(seen.pages.count) names a page that was named before." }
      if let answer = seen.pastEnd, answer.isRows { return "Far behind the end: \(answer.words)." }
      return nil
    },
    SignalRule(
      "end.past", "a place behind the end is answered", "asking past the end is harmless, or the end itself",
      .observed
    ) { seen in
      guard let answer = seen.pastEnd, !answer.isRows else { return nil }
      return "Far behind the end: \(answer.words)."
    },
    SignalRule(
      "pages.empty", "a page without rows that is not the last", "no rows is not the end", .observed,
      isFault: true
    ) { seen in
      if case .otherRows? = seen.behindEmpty {
        return "Page \(seen.pages.count) is empty, and the one behind it isn't."
      }
      return seen.shortPages.first { $0.count == 0 }.map { "Page \($0.number) is empty and names a next one." }
    },
    SignalRule(
      "pages.overlap", "rows of one page come again on the next", "overlapping pages, or no unique order",
      .speculative, isFault: true
    ) { seen in
      guard seen.isStable, !seen.goesRound else { return nil }
      var known: Set<RowID> = []
      for (index, page) in seen.pages.enumerated() {
        let repeats = page.rows.count { known.contains($0) }
        if repeats > 0 { return "Page \(index + 1) has \(rows(repeats)) that came before, and nothing was put in." }
        known.formUnion(page.rows)
      }
      return nil
    },
  ]

  // MARK: - Others

  private static let others: [SignalRule] = [
    SignalRule(
      "entry.since", "what is newer than a row can be asked for", "a refresh needn't load what is there",
      .observed
    ) { seen in
      guard let trial = seen.newer, let name = trial.found else { return nil }
      return "\"\(name)\" with a row's ID gave the \(rows(trial.rows)) above it."
    },
    SignalRule("server.waits", "the server asks to wait", "a limit of requests", .observed, isFault: true) { seen in
      guard seen.throttles.count > 0 else { return nil }
      let times = seen.throttles.count == 1 ? "Once" : "\(seen.throttles.count) times"
      return times + (seen.throttles.seconds > 0 ? ", for up to \(seconds(seen.throttles.seconds))." : ".")
    },
    SignalRule(
      "server.breaksOff", "a page fails in the course of the walk", "pages that can't be had", .observed,
      isFault: true
    ) { seen in
      seen.brokeOff.map { "Page \($0.page) failed" + ($0.status.map { " with status \($0)." } ?? ".") }
    },
  ]

  private static func seconds(_ count: Int) -> String {
    count == 0 ? "less than a second" : count == 1 ? "1 second" : "\(count) seconds"
  }
}

extension ProbeObservations {
  /// The largest size that was asked for and served, with what came.
  fileprivate var largestAnswered: (asked: Int, rows: Int)? {
    guard let trial = size, trial.parameter != nil else { return nil }
    let served = trial.asked.compactMap { asked in asked.rows.map { (asked.size, $0) } }
    return served.max { $0.0 < $1.0 }
  }

  /// Whether the list is known to have that many rows.
  fileprivate func knows(atLeast count: Int) -> Bool {
    if let whole = wholeCount { return whole >= count }
    if let total = totals.first { return total.count >= count }
    // The page names a next one, so there are more rows than came.
    return true
  }

  /// The bad keys with an answer that `words` knows, with its words; nil where there are none.
  fileprivate func badKeys(but other: BadKey? = nil, _ words: (Answer) -> String?) -> String? {
    let found = BadKey.allCases.compactMap { key in
      if key == other { return nil as String? }
      // Of a list whose order does not last, other rows may be those of any page.
      guard let answer = badKeys[key], isStable || !answer.isOtherRows, let said = words(answer) else { return nil }
      return "a \(key.words) one: \(said)"
    }
    return found.isEmpty ? nil : found.joined(separator: "; ").capitalizedFirst + "."
  }
}

extension ProbeObservations.BadKey {
  /// As an adjective.
  var words: String {
    switch self {
    case .garbled: "garbled"
    case .cut: "cut"
    case .empty: "missing"
    }
  }
}

extension ProbeObservations.Answer {
  /// Whether rows came that are neither those of the first page nor of the one that was asked for.
  var isOtherRows: Bool {
    if case .otherRows = self { true } else { false }
  }

  /// Whether rows came.
  var isRows: Bool {
    switch self {
    case .firstPage, .samePage, .otherRows: true
    default: false
    }
  }

  /// What it was, in words.
  var words: String {
    switch self {
    case .refused(let status), .failed(let status): "status \(status)"
    case .refusedInBody: "errors with a status of success"
    case .noRows: "no rows"
    case .firstPage: "the rows of page 1"
    case .samePage: "the same rows"
    case .otherRows(let count): rows(count)
    case .unreadable: "a reply that can't be read"
    }
  }
}

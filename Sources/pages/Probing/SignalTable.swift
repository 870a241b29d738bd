/// The signals that an API alone can show, of those that a list on a screen shows: what each points to and how surely.
enum SignalTable {
  static let rules: [SignalRule] = pages + changes + refreshes + totals + ends + entries

  // MARK: - Pages

  private static let pages: [SignalRule] = [
    SignalRule("pages.numbered", "page numbers, or a jump to any page", "offset paging", .speculative) { seen in
      let style = PagingStyle(seen)
      return style.counts && style.kind != .hiddenOffset ? style.reason.capitalizedFirst : nil
    },
    SignalRule("pages.constant", "the same number of rows in every page", "fixed page size", .observed) { seen in
      let sizes = seen.innerPages.map(\.rows.count)
      guard sizes.count >= 2, Set(sizes).count == 1, let size = sizes.first, size > 0 else { return nil }
      return "\(grouped(size)) rows in each of \(sizes.count) pages."
    },
    SignalRule(
      "pages.smallFirst", "a smaller first page, then a constant larger one", "small first page", .inferred
    ) { seen in
      let sizes = seen.innerPages.map(\.rows.count)
      guard hasSmallFirst(sizes) else { return nil }
      return "\(sizes[0]) rows, then \(sizes[1]) in each of \(sizes.count - 1) pages."
    },
    SignalRule(
      "pages.vary", "the number varies", "filtered after fetching, joined from sources, or sized by the client",
      .speculative
    ) { seen in
      let sizes = seen.innerPages.map(\.rows.count)
      guard sizes.count >= 2, Set(sizes).count > 1, !hasSmallFirst(sizes) else { return nil }
      return "Rows in the pages, the last one left out: \(sizes.map(String.init).joined(separator: ", "))."
    },
  ]

  private static func hasSmallFirst(_ sizes: [Int]) -> Bool {
    guard let first = sizes.first, sizes.count >= 3 else { return false }
    return first > 0 && Set(sizes.dropFirst()).count == 1 && sizes[1] > first
  }

  // MARK: - Inserts and deletes

  private static let changes: [SignalRule] = [
    SignalRule(
      "insert.repeats", "rows repeat on the next page after inserts above", "offset paging, no check by ID", .inferred,
      isFault: true
    ) { seen in
      guard let trial = judged(seen), trial.repeats > 0 else { return nil }
      return "\(rows(trial.count)) put in above: \(rows(trial.repeats)) of page 1 came again on page 2."
    },
    SignalRule(
      "insert.shorter", "no repeat, but the next page is shorter by the number inserted",
      "offset paging, repeats dropped by the client", .speculative, isFault: true
    ) { seen in
      guard let trial = judged(seen), trial.repeats == 0, let size = fullSize(seen),
        trial.second.count == size - trial.count
      else { return nil }
      return "\(rows(trial.count)) put in above: page 2 had \(trial.second.count) rows, not \(size)."
    },
    SignalRule(
      "insert.none", "no repeat, full page, after inserts above", "cursor or keyset (they can't be told apart)",
      .inferred
    ) { seen in
      guard let trial = judged(seen), trial.repeats == 0, let size = fullSize(seen), trial.second.count >= size else {
        return nil
      }
      return "\(rows(trial.count)) put in above: page 2 had \(trial.second.count) rows, none of page 1."
    },
    SignalRule(
      "delete.skips", "rows that exist never come, after deletes above",
      "offset paging; no client can hide it without overlap", .inferred, isFault: true
    ) { seen in
      guard let trial = seen.delete, trial.skipped > 0 else { return nil }
      return "\(rows(trial.count)) deleted above: \(rows(trial.skipped)) moved up to page 1 and "
        + "\(trial.skipped == 1 ? "is" : "are") on no page that comes after."
    },
    SignalRule(
      "changes.none", "neither repeats nor skips while the list changes", "cursor or keyset, or offset with overlap",
      .inferred
    ) { seen in
      guard let insert = judged(seen), insert.repeats == 0, let delete = seen.delete, delete.skipped == 0,
        fullSize(seen).map({ insert.second.count >= $0 }) ?? true
      else { return nil }
      return "\(rows(insert.count)) put in and \(delete.count) deleted above page 2, which stayed what it was."
    },
  ]

  private static func judged(_ seen: ProbeObservations) -> ProbeObservations.InsertTrial? {
    seen.insert.flatMap { $0.cameOnTop ? $0 : nil }
  }

  /// How many rows page 2 has while nothing changes.
  private static func fullSize(_ seen: ProbeObservations) -> Int? {
    seen.pages.count > 1 ? seen.pages[1].rows.count : nil
  }

  // MARK: - Refreshes

  private static let refreshes: [SignalRule] = [
    SignalRule(
      "refresh.same", "same rows in the same order on refresh", "time-ordered, or a cached ranking", .inferred
    ) { seen in
      let all = likenesses(seen)
      guard !all.isEmpty, all.allSatisfy(\.keepsOrder) else { return nil }
      let new = all.compactMap(\.newInOrder).max() ?? 0
      return "The first page came \(all.count + 1) times, "
        + (new == 0 ? "each time the same." : "with up to \(rows(new)) that were new, the others as before.")
    },
    SignalRule(
      "refresh.reordered", "mostly the same rows in another order", "ranked anew over the same candidates", .inferred,
      isFault: true
    ) { seen in
      guard let first = seen.pages.first?.rows, !hasOther(seen) else { return nil }
      let kept = likenesses(seen).compactMap(\.keptReordered)
      guard let least = kept.min() else { return nil }
      return "Of \(rows(first.count)) of the first page, \(least) came again, in another order."
    },
    SignalRule(
      "refresh.other", "mostly other rows each time", "ranked, what was shown is held back", .inferred, isFault: true
    ) { seen in
      guard hasOther(seen), let first = seen.pages.first?.rows else { return nil }
      let kept = likenesses(seen).compactMap(\.keptAmongOthers)
      return "Of \(rows(first.count)) of the first page, \(kept.max() ?? 0) came again."
    },
  ]

  private static func likenesses(_ seen: ProbeObservations) -> [Likeness] {
    guard let first = seen.pages.first?.rows, !first.isEmpty else { return [] }
    return seen.refreshes.map { Likeness(of: $0, to: first) }
  }

  private static func hasOther(_ seen: ProbeObservations) -> Bool {
    likenesses(seen).contains { $0.keptAmongOthers != nil }
  }

  // MARK: - Totals

  private static let totals: [SignalRule] = [
    SignalRule(
      "total.known", "placeholders throughout, an indicator of constant size", "total or all IDs known in advance",
      .inferred
    ) { seen in
      guard let total = seen.totals.first, doubt(seen) == nil else { return nil }
      return "\(total.place) says \(grouped(total.count))"
        + (seen.totalIsExact == true ? ", and so many rows there are." : ", so a client can keep places for all rows.")
    },
    SignalRule("total.unknown", "the indicator shrinks as pages come", "total unknown", .inferred) { seen in
      !seen.pages.isEmpty && seen.totals.isEmpty ? "No reply says how many rows there are." : nil
    },
    SignalRule(
      "total.estimated", "a total with a plus sign, or rounded", "estimated or capped count", .inferred, isFault: true
    ) { doubt($0) },
  ]

  /// Why a total is none to rely on; nil where there is none, or no doubt.
  private static func doubt(_ seen: ProbeObservations) -> String? {
    guard let total = seen.totals.first else { return nil }
    if let mark = seen.totals.lazy.compactMap(\.mark).first { return "\(total.place) is marked: \(printable(mark))." }
    let counts = seen.totals.map(\.count)
    if Set(counts).count > 1, seen.isStable {
      return "\(total.place) differs from page to page: \(counts.map(grouped).joined(separator: ", "))."
    }
    // Where more are said than came, a short last page may be the false one.
    if let whole = seen.wholeCount, whole > total.count || whole < total.count && !seen.endsShort {
      return "\(total.place) says \(grouped(total.count)), and the list has \(grouped(whole)) rows."
    }
    if seen.totalIsExact == false { return "\(total.place) says \(grouped(total.count)), and the list ends elsewhere." }
    if seen.totalIsExact == nil, seen.wholeCount == nil, total.count >= 1000, total.count % 1000 == 0 {
      return "\(total.place) says \(grouped(total.count)), a round number."
    }
    return nil
  }

  // MARK: - Ends

  private static let ends: [SignalRule] = [
    SignalRule(
      "end.none", "the list ends, a refresh shows more", "a short filtered page was read as the end", .speculative,
      isFault: true
    ) { seen in
      if let answer = seen.behindEmpty, case .otherRows(let count) = answer {
        return "A page came empty, and the one behind it has \(rows(count))."
      }
      if let again = seen.lastAgain, let last = seen.pages.last, !last.goesOn, seen.isStable {
        if again.goesOn { return "The last page, asked for again, names a next one." }
        let known = Set(seen.pages.flatMap(\.rows))
        let new = again.rows.count { !known.contains($0) }
        if new > 0 { return "The last page, asked for again, has \(rows(new)) more." }
      }
      if let whole = seen.wholeCount, let total = seen.totals.first, total.mark == nil, total.count > whole,
        let last = seen.pages.last, seen.endsShort
      {
        return "The list ended after \(rows(whole)) at a page of \(last.rows.count); \(total.place) says "
          + "\(grouped(total.count))."
      }
      guard let short = seen.shortPages.first, let size = seen.usualSize else { return nil }
      return "Page \(short.number) had \(rows(short.count)) where \(size) is usual, and the list went on."
    }
  ]

  // MARK: - Ways in

  private static let entries: [SignalRule] = [
    SignalRule(
      "entry.window", "an old row opens in its place and both sides load", "paging around an anchor", .inferred
    ) { seen in
      guard let trial = seen.windows, let name = trial.found else { return nil }
      return "\"\(name)\" with a row's ID gave \(rows(trial.rows)) with it among them."
    },
    SignalRule("entry.none", "an old row opens alone", "no anchored entry", .observed) { seen in
      guard let trial = seen.windows, trial.found == nil, !trial.tried.isEmpty else { return nil }
      return "\(quotedList(trial.tried)) gave no rows around a row; other names were not tried."
    },
    SignalRule(
      "entry.newer", "a control that announces new rows, nothing moves", "counts polled or pushed, not merged",
      .observed
    ) { seen in
      guard let newer = seen.newerCount else { return nil }
      return "\(newer.place) counts the rows above one: \(newer.count)."
    },
  ]
}

extension ProbeObservations {
  /// Every total that a page said, in order, and that of a HEAD.
  var totals: [SeenTotal] { pages.compactMap(\.total) + (headTotal.map { [$0] } ?? []) }

  /// How many rows the list has, where the walk came to its end.
  var wholeCount: Int? {
    guard let last = pages.last, !last.goesOn, brokeOff == nil, behindEmpty.map({ !$0.isRows }) ?? true else {
      return nil
    }
    return Set(pages.flatMap(\.rows)).count
  }

  /// Whether the last page has fewer rows than those before it.
  var endsShort: Bool {
    guard let last = pages.last, let size = usualSize else { return false }
    return !last.goesOn && last.rows.count < size
  }

  /// Inner pages with fewer rows than the usual one, empty ones too.
  var shortPages: [(number: Int, count: Int)] {
    guard let size = innerPages.map(\.rows.count).max() else { return [] }
    return pages.enumerated().compactMap { index, page in
      // A smaller first page that is followed by larger ones is another signal.
      page.goesOn && page.rows.count < size && index > 0 ? (index + 1, page.rows.count) : nil
    }
  }
}

extension ProbeObservations.InsertTrial {
  /// How many rows of the first page came again on the second.
  var repeats: Int {
    let known = Set(first)
    return second.count { known.contains($0) }
  }
}

extension ProbeObservations.DeleteTrial {
  /// How many rows of the second page went missing from it and are now on the first one.
  var skipped: Int {
    let after = Set(secondAfter)
    let moved = Set(firstAfter)
    return second.count { !after.contains($0) && moved.contains($0) }
  }
}

/// So many rows, in words.
func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(grouped(count)) rows" }

/// Names in quotes, with commas between them.
func quotedList(_ names: [String]) -> String { names.map { "\"\(printable($0))\"" }.joined(separator: ", ") }

extension String {
  /// With its first letter as a capital.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

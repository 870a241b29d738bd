import Loading
import Testing

@testable import Paging

/// Long random scripts of pages that come, go and change, against lists that are made anew of every snapshot.
@Suite struct TransformScriptTests {
  private static let seeds = UInt64(1)...60

  private func isIncluded(_ note: Note) -> Bool { note.id % 3 != 0 && !note.text.hasPrefix("v0++") }

  /// Separators by tens, so that equal ones stand at many places, and at both ends.
  private func separator(_ before: Note?, _ after: Note?) -> Int? {
    guard let after else { return before == nil ? 500 : 400 }
    guard let before else { return 300 }
    return before.id / 5 == after.id / 5 ? nil : after.id / 10
  }

  private func play(
    _ seed: UInt64, edits: Bool = true, _ check: (inout EndedModel, inout SeededGenerator) throws -> Void
  ) -> String? {
    var chance = SeededGenerator(seed: seed)
    var model = EndedModel()
    model.list.append(model.list.fresh(5))
    let issues = IssueCount()
    for _ in 0..<60 {
      let steps = (0..<Int.random(in: 1...3, using: &chance)).map { _ in model.step(using: &chance, edits: edits) }
      issues.trace.append(steps.joined(separator: " + "))
      do {
        try check(&model, &chance)
      } catch {
        return "seed \(seed): \(issues.trace.suffix(8))"
      }
    }
    return nil
  }

  private final class IssueCount {
    var trace: [String] = []
  }

  private struct Differs: Error {}

  @Test(arguments: seeds) func P31_filteredRowsAreThoseOfAFilteredList(seed: UInt64) throws {
    var checker = TransformChecker(RowFilter(isIncluded: isIncluded)) { $0.shown }
    let problem = play(seed) { model, chance in
      let above = model.snapshot()
      let snapshot = try checker.next(above, using: &chance)
      let naive = above.items.filter(isIncluded).map { Shown(id: $0.id, text: $0.text) }
      if snapshot.shown != naive { throw Differs() }
      if snapshot.total != nil || snapshot.placeholdersBefore + snapshot.placeholdersAfter > 0 { throw Differs() }
    }
    #expect(problem == nil)
  }

  @Test(arguments: seeds) func P31_mappedRowsAreThoseOfAMappedList(seed: UInt64) throws {
    @Sendable func mapped(_ note: Note) -> Note { Note(id: note.id * 2 + 1, text: note.text + "!") }
    var checker = TransformChecker(RowMap(mapped)) { $0.shown }
    let problem = play(seed) { model, chance in
      let above = model.snapshot()
      let snapshot = try checker.next(above, using: &chance)
      let naive = above.map { $0.item.map(mapped) }.map { Shown(id: $0?.id, text: $0?.text ?? "") }
      if snapshot.shown != naive || snapshot.total != .exact(1_000) { throw Differs() }
    }
    #expect(problem == nil)
  }

  @Test(arguments: seeds) func P31_separatorsAreThoseOfTheWholeList(seed: UInt64) throws {
    var checker = TransformChecker(SeparatorInsertion(separator)) { $0.shown }
    let problem = play(seed) { model, chance in
      let above = model.snapshot()
      let snapshot = try checker.next(above, using: &chance)
      let naive = naiveSeparators(
        above.map(\.item), startsHere: model.startsHere && model.list.before == 0,
        endsHere: model.endsHere && model.list.after == 0, separator)
      if snapshot.plain != naive { throw Differs() }
    }
    #expect(problem == nil)
  }

  @Test(arguments: seeds) func P31_separatorsBehindAFilterStandBetweenTheRowsThatStay(seed: UInt64) throws {
    var filter = TransformChecker(RowFilter(isIncluded: isIncluded)) { $0.shown }
    var checker = TransformChecker(SeparatorInsertion(separator)) { $0.shown }
    let problem = play(seed) { model, chance in
      let above = model.snapshot()
      let snapshot = try checker.next(try filter.next(above, using: &chance), using: &chance)
      let naive = naiveSeparators(
        above.items.filter(isIncluded), startsHere: model.startsHere, endsHere: model.endsHere, separator)
      if snapshot.plain != naive { throw Differs() }
    }
    #expect(problem == nil)
  }

  @Test(arguments: seeds) func P31_aFilterBehindSeparatorsSeesThemToo(seed: UInt64) throws {
    @Sendable func keeps(_ row: Separated) -> Bool { row.item.map(isIncluded) ?? ((row.separator ?? 0) % 2 == 0) }
    var separators = TransformChecker(SeparatorInsertion(separator)) { $0.shown }
    var checker = TransformChecker(RowFilter(isIncluded: keeps)) { $0.shown }
    let problem = play(seed) { model, chance in
      let above = model.snapshot()
      let all = try separators.next(above, using: &chance)
      let snapshot = try checker.next(all, using: &chance)
      if snapshot.shown != all.compactMap(\.item).filter(keeps).map({ Shown($0) }) { throw Differs() }
    }
    #expect(problem == nil)
  }

  @Test(arguments: seeds) func P31_twoLevelsOfSeparators(seed: UInt64) throws {
    typealias Twice = SeparatedRow<Separated, Int>
    @Sendable func outer(_ before: Separated?, _ after: Separated?) -> Int? {
      guard before?.item != nil || after?.item == nil else { return nil }
      return after?.separator.map { $0 / 2 }
    }
    func shown(_ snapshot: PagingSnapshot<Twice>) -> [Shown] {
      snapshot.map { row in
        switch row.item {
        case .item(let inner): Shown(inner)
        case .separator(let value): Shown(id: -10_000 - value, text: "outer")
        case nil: Shown(id: nil, text: "")
        }
      }
    }
    var inner = TransformChecker(SeparatorInsertion(separator)) { $0.shown }
    var checker = TransformChecker(SeparatorInsertion(outer), shown: shown)
    let problem = play(seed) { model, chance in
      let above = model.snapshot()
      let once = try inner.next(above, using: &chance)
      let twice = try checker.next(once, using: &chance)
      var naive: [String] = []
      var before: Separated?
      let loaded = once.compactMap(\.item)
      let starts = model.startsHere && model.list.before == 0
      let ends = model.endsHere && model.list.after == 0
      if loaded.isEmpty, starts, ends, once.isEmpty, let value = outer(nil, nil) { naive.append("o\(value)") }
      for (index, row) in loaded.enumerated() {
        if index > 0 || starts, let value = outer(before, row) { naive.append("o\(value)") }
        naive.append("\(Shown(row))")
        before = row
      }
      if ends, let before, let value = outer(before, nil) { naive.append("o\(value)") }
      let rows = twice.compactMap(\.item).map { row -> String in
        row.separator.map { "o\($0)" } ?? "\(Shown(row.item))"
      }
      if rows != naive { throw Differs() }
    }
    #expect(problem == nil)
  }
}

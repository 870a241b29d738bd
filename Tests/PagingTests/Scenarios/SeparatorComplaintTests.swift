import Loading
import Paging
import PagingTesting
import Testing

/// What Paging 3 gets wrong where rows are transformed, and what is said of transformations elsewhere in the catalogue
/// of `Documentation/PagingScenarios.md`. What is shown as pages come and go is in `SeparatorScenarios`.
@Suite(.timeLimit(.minutes(10))) struct SeparatorComplaintTests {
  typealias Separated = SeparatedRow<Row, String>

  /// Rows and separators in words; a placeholder is a dash.
  private func words(_ snapshot: PagingSnapshot<Separated>) -> [String] {
    snapshot.map { $0.item?.separator ?? $0.item?.item.map { "\($0.id)" } ?? "-" }
  }

  /// Between two rows stands the number of the second in brackets.
  private func separated(_ pager: Pager<Int, Row>) -> TransformedContent<Separated> {
    pager.insertingSeparators { before, after in
      before.flatMap { _ in after.map { "(\($0.id))" } }
    }
  }

  @Test func DEF_03_aLateReaderSeesWhatIsLeftAfterDrops() async throws {
    var config = try PagingConfig(pageSize: 1, prefetchDistance: 0, initialLoadSize: 1, maxSize: 2)
    config.placeholders = false
    let pager = Pager(config: config, source: ListServer(count: 10).source(pageSize: 1))
    let list = separated(pager)
    var early = list.snapshots().makeAsyncIterator()
    await list.settled()
    var seen = [words(list.snapshot)]
    for _ in 0..<3 {
      try await list.load(.append).finished()
      seen.append(words(list.snapshot))
    }
    let expected = ["2", "(3)", "3"]
    #expect(seen == [["0"], ["0", "(1)", "1"], ["1", "(2)", "2"], expected])
    var late = list.snapshots().makeAsyncIterator()
    for next in [await early.next(), await late.next()] { #expect(next.map(words) == expected) }
    // And from the other side.
    for expected in [["1", "(2)", "2"], ["0", "(1)", "1"]] {
      try await list.load(.prepend).finished()
      #expect(words(list.snapshot) == expected)
    }
  }

  @Test func DEF_11_asMuchIsReadAheadWithSeparatorsAsWithout() async throws {
    for separates in [false, true] {
      let config = PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 5)
      let pager = Pager(config: config, source: ListServer(count: 100).source(counts: true, pageSize: 3))
      let list = pager.insertingSeparators { _, _ in separates ? "separator" : nil }
      await list.settled()
      let index = try #require(list.snapshot.firstIndex { $0.item?.item?.id == 2 })
      list.viewportChanged(to: index..<index + 1, of: list.snapshot)
      await list.settled()
      #expect(pager.snapshot.items.map(\.id) == Array(0..<8))
    }
  }

  @Test func CMP_27_separatorsAndACapGoTogether() async throws {
    let config = try PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 3, maxSize: 9)
    let pager = Pager(config: config, initialKey: 48, source: ListServer(count: 99).source(counts: true, pageSize: 3))
    let list = pager.insertingSeparators { before, after in
      after.flatMap { after in before.map { $0.id / 10 } == after.id / 10 ? nil : "(\(after.id / 10))" }
    }
    await list.settled()
    for target in [0, 98, 0] {
      for _ in 0..<60 where !pager.snapshot.ids.contains(target) {
        let rows = list.snapshot
        let loaded = rows.indices.filter { rows[$0].item?.item != nil }
        let end = try #require(target == 0 ? loaded.first : loaded.last)
        list.viewportChanged(to: end..<end + 1, of: rows)
        await list.settled()
        #expect(words(list.snapshot).filter { $0 != "-" } == tens(pager.snapshot))
        #expect(pager.snapshot.items.count <= 12)
      }
      #expect(pager.snapshot.ids.contains(target))
    }
  }

  /// What is to be shown of loaded rows, made of them alone.
  private func tens(_ snapshot: PagingSnapshot<Row>) -> [String] {
    var (shown, before) = ([String](), snapshot.source.prepend.isAtEnd ? -1 : snapshot.ids.first.map { $0 / 10 })
    for id in snapshot.ids {
      if id / 10 != before { shown.append("(\(id / 10))") }
      shown.append("\(id)")
      before = id / 10
    }
    return shown
  }

  @Test func ISF_12_separatorsBeforeEvenNumbers() async throws {
    var config = PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 5)
    config.placeholders = false
    let pager = Pager(config: config, source: ListServer(count: 100).source())
    let list = pager.insertingSeparators { _, after in after.flatMap { $0.id % 2 == 0 ? "-" : nil } }
    await list.settled()
    #expect(words(list.snapshot) == ["-", "0", "1", "-", "2", "3", "-", "4"])
  }

  /// In place of CAC-05.
  @Test func P31_whoWantsOtherRowsMakesATransformationOfItsOwn() async throws {
    let source = ListServer(count: 100).source()
    let pager = Pager(config: PagingConfig(pageSize: 3, initialLoadSize: 3), source: source)
    let quiet = pager.map { Row(id: $0.id, title: "\($0.id)") }
    let loud = pager.map { Row(id: $0.id, title: "\($0.id)!") }
    await quiet.settled()
    await loud.settled()
    #expect(quiet.snapshot.items.map(\.title) == ["0", "1", "2"])
    #expect(loud.snapshot.items.map(\.title) == ["0!", "1!", "2!"])
    #expect(source.calls.count == 1)
  }
}

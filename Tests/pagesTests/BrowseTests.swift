import Foundation
import Paging
import Testing

@testable import pages

@Suite(.timeLimit(.minutes(10))) struct BrowseTests {
  /// A file with `count` rows, gone at the end of `body`.
  private func withFile<R>(_ text: String, _ body: (String) async throws -> R) async throws -> R {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  private func rows(_ count: Int) -> String {
    (0..<count).map { "{\"id\": \($0), \"title\": \"Row \($0)\"}\n" }.joined()
  }

  @Test func aFilePagesBothWaysAndKnowsItsLength() async throws {
    try await withFile("\n" + rows(250) + "  \n") { path in
      let source = FilePageSource(path)
      let first = try await source.load(LoadParams(.refresh, loadSize: 100))
      #expect(first.items.count == 100)
      #expect(first.previousKey == nil)
      #expect(first.itemsAfter == 150)
      let middle = try await source.load(LoadParams(.refresh, key: source.key(forIndex: 130), loadSize: 100))
      #expect(middle.previousKey == 30..<130)
      #expect(middle.nextKey == 230..<250)
      #expect(
        middle.items.first.map { String(decoding: $0.line, as: UTF8.self) } == "{\"id\":130,\"title\":\"Row 130\"}")
    }
  }

  @Test func aLineThatIsNotJSONIsNamed() async throws {
    try await withFile("{}\n{oops\n") { path in
      let error = await #expect(throws: FilePageSource.Fault.self) {
        try await FilePageSource(path).load(LoadParams(.refresh, loadSize: 10))
      }
      #expect(error?.description.contains("row 2") == true)
    }
    await #expect(throws: FilePageSource.Fault.self) {
      try await FilePageSource("/nowhere/rows").load(LoadParams(.refresh, loadSize: 10))
    }
  }

  @Test func theScreenFollowsRowsAndSaysHowTheListEnds() async throws {
    try await withFile(rows(45)) { path in
      let pager = Pager(config: PagingConfig(pageSize: 15), source: FilePageSource(path))
      await pager.settled()
      let layout = BrowseLayout(columns: 80, lines: 11, hasPictures: false)
      var state = BrowseState<RowID>(height: layout.height)
      state.model.listChanged(to: pager.snapshot)
      #expect(state.model.viewport == 0..<10)
      state.model.scroll(by: 10, in: pager.snapshot)
      #expect(state.model.viewport == 10..<20)
      #expect(state.model.selected == 10)
      state.model.move(by: -11, in: pager.snapshot)
      #expect(state.model.viewport == 0..<10)
      state.model.move(to: Int.max, in: pager.snapshot)
      #expect(state.model.selected == 44)
      let picture = BrowsePicture(of: pager.snapshot, state, layout, title: "rows", explain: { "\($0)" })
      #expect(picture.lines.count == 11)
      #expect(picture.lines[8].text.hasPrefix(" Row 44 · 44"))
      #expect(picture.lines[9].text == " — the end —")
      #expect(picture.lines[10].text.contains("37–45 of 45"))
      state.model.move(by: Int.min, in: pager.snapshot)
      #expect(state.model.selected == 0)
    }
  }

  @Test func aRowsTextCannotSteerTheTerminal() {
    let row = Array("{\"id\":7,\"name\":\"a\\u001b[2J\",\"b\":null,\"c\":true,\"d\":[1],\"e\":\"\\u001b]0;x\"}".utf8)
    #expect(RowFace(row).text == "a\\u001b[2J · 7 · c: true · d: [1] · \\u001b]0;x")
  }

  @Test func browseWithoutATerminalIsBadUsage() async throws {
    try await withFile(rows(3)) { path in
      let run = try await Tool.run(["browse", path])
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct DemoTests {
  @Test func withoutATerminalItScrollsByItselfAndTellsWhatCameOfIt() async throws {
    let run = try await Tool.run(["demo"])
    #expect(run.status == 0)
    func figure(_ name: String) -> Int? {
      run.lines.first { $0.hasPrefix("  \(name) ") }?.split(whereSeparator: \.isWhitespace).dropFirst().first
        .flatMap { Int($0.replacing(",", with: "")) }
    }
    #expect(try #require(figure("rows")) >= 2000)
    #expect(try #require(figure("pages")) >= 40)
    #expect(try #require(figure("requests")) >= 40)
    #expect(figure("duplicates") == 0)
    #expect(figure("holes") == 0)
  }

  /// A source that leaves out or repeats a row of those that its server has.
  private struct Faulty: PageSource {
    let order: [Int]
    let rows: ServedRows

    @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, RawRow> {
      let start = params.key ?? 0
      let end = min(order.count, start + 50)
      let items = order[start..<end].enumerated().map { offset, row in
        RawRow(
          id: .unknown(UInt64(start + offset)), line: (try? JSONSlice(checking: Array(rows[row].utf8)))?.compact ?? [])
      }
      return Page(
        items, previousKey: start > 0 ? max(0, start - 50) : nil, nextKey: end < order.count ? end : nil)
    }
  }

  @Test(arguments: [
    (Array(0..<500), 0, 0), (Array(0..<200) + Array(201..<500), 0, 1), (Array(0..<200) + Array(199..<500), 1, 0),
  ])
  func theFiguresSeeARowThatIsMissingOrComesTwice(_ order: [Int], _ duplicates: Int, _ holes: Int) async throws {
    let rows = ServedRows(count: 500) { "{\"id\": \($0)}" }
    var scroll = ScriptedScroll(
      Pager(config: PagingConfig(pageSize: 50), source: Faulty(order: order, rows: rows)), serving: rows)
    try await scroll.run(depth: 300)
    #expect((scroll.figures.duplicates > 0) == (duplicates > 0))
    #expect((scroll.figures.holes > 0) == (holes > 0))
  }
}

import Foundation
import Paging
import Testing

@testable import pages

@Suite(.timeLimit(.minutes(10))) struct BrowsePictureTests {
  private struct Rows: PageSource {
    var rows: [String]
    @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, RawRow> {
      Page(rows.enumerated().map { RawRow(id: .unknown(UInt64($0)), line: Array($1.utf8)) })
    }
  }

  private func snapshot(_ rows: [String]) async -> PagingSnapshot<RawRow> {
    let pager = Pager(source: Rows(rows: rows))
    await pager.settled()
    return pager.snapshot
  }

  private func picture(
    _ snapshot: PagingSnapshot<RawRow>, columns: Int, lines: Int, hasPictures: Bool = false, at row: Int = 0,
    images: @escaping (String) -> BrowsePicture.Image = { _ in .loading }
  ) -> (BrowsePicture, BrowseLayout) {
    let layout = BrowseLayout(columns: columns, lines: lines, hasPictures: hasPictures)
    var state = BrowseState<RowID>(height: layout.height)
    state.model.listChanged(to: snapshot)
    state.model.move(to: row, in: snapshot)
    return (
      BrowsePicture(
        of: snapshot, state, layout, title: "title", pictures: .anywhere, images: images, explain: { "\($0)" }), layout
    )
  }

  private static let rows = BrowseFeed.titles.enumerated().map { index, title in
    "{\"id\":\(index),\"title\":\"\(title)\",\"text\":\"\(String(repeating: "words and 宽 שלום ", count: 9))\""
      + ",\"image\":\"http://a.b/\(index).png\"}"
  }

  private func columns(_ line: BrowsePicture.Line) -> Int {
    TextCells(line.text, limit: .max).columns
  }

  /// Screens of all sizes at which something changes: as many lines as there are, none of them wider than the screen.
  @Test func everySizeOfScreenIsFilledAndNoLineIsTooWide() async {
    let snapshot = await snapshot(Self.rows)
    for columns in Array(0...12) + Array(38...42) + [80, 200] {
      for lines in [0, 1, 2, 3, 5, 9, 10, 11, 14, 40] {
        for hasPictures in [false, true] {
          let (picture, _) = picture(snapshot, columns: columns, lines: lines, hasPictures: hasPictures, at: lines % 10)
          #expect(picture.lines.count == lines)
          #expect(
            picture.lines.allSatisfy { self.columns($0) <= columns }, "\(columns) by \(lines), pictures: \(hasPictures)"
          )
        }
      }
    }
  }

  @Test func nothingInARowSteersTheTerminal() async {
    let (picture, _) = picture(await snapshot(Self.rows), columns: 200, lines: 60)
    let scalars = picture.lines.flatMap(\.parts).flatMap(\.scalars)
    #expect(scalars.allSatisfy { $0 >= 0x20 && !(0x7F...0x9F).contains($0) && !(0x202A...0x202E).contains($0) })
    #expect(picture.lines.contains { $0.text.contains("esc \\u001b[2J") })
    #expect(picture.lines.contains { $0.text.contains("bidi \\u202e evil") })
  }

  @Test func aRowIsAsHighWhetherOrNotItsPictureHasCome() async throws {
    let snapshot = await snapshot([Self.rows[9], "{\"title\":\"none\"}", Self.rows[8]])
    let (loading, layout) = picture(snapshot, columns: 80, lines: 24, hasPictures: true)
    let (failed, _) = picture(snapshot, columns: 80, lines: 24, hasPictures: true, images: { _ in .failed })
    #expect(layout.rowLines == 3)
    for picture in [loading, failed] {
      #expect(picture.lines[0].text.contains("plain"))
      #expect(picture.lines[3].text.contains("none"))
      #expect(picture.lines[6].text.contains("width"))
    }
    #expect(loading.lines[0].text.hasPrefix(" ░░░░░░  plain"))
    #expect(failed.lines[1].text.hasPrefix(" no ima"))
    let tall = BrowseLayout(columns: 200, lines: 60, hasPictures: true)
    #expect(tall.picture == PictureCells.Size(columns: 8, lines: 4))
    #expect(BrowseLayout(columns: 39, lines: 24, hasPictures: true).picture == nil)
  }

  @Test func aFailureIsShownWithTheWayToTryAgain() async throws {
    let pager = Pager(source: FilePageSource("/nowhere/rows"))
    await pager.settled()
    let state = BrowseState<RowID>(height: 5)
    let picture = BrowsePicture(
      of: pager.snapshot, state, BrowseLayout(columns: 100, lines: 6, hasPictures: false), title: "rows",
      explain: { explained($0, last: nil) })
    #expect(picture.lines.first?.text.contains("no such file") == true)
    #expect(picture.lines.first?.text.contains("R tries again") == true)
  }

  @Test func whatIsSaidTakesTheLastLine() async throws {
    let snapshot = await snapshot(Self.rows)
    let layout = BrowseLayout(columns: 80, lines: 24, hasPictures: false)
    var state = BrowseState<RowID>(height: layout.height)
    state.model.listChanged(to: snapshot)
    func last(_ news: BrowseNews) -> String? {
      BrowsePicture(of: snapshot, state, layout, title: "title", news: news, explain: { "\($0)" }).lines.last?.text
    }
    var news = BrowseNews()
    #expect(last(news)?.hasPrefix(" title  10 loaded  ? keys  q quit") == true)
    news.newRows = 3
    #expect(last(news)?.contains("3 new rows (n)") == true)
    news.message = "a word"
    #expect(last(news)?.hasPrefix(" a word ") == true)
    _ = state.press(.character(":"), in: snapshot, .init(), at: .zero)
    _ = state.press(.character("7"), in: snapshot, .init(), at: .zero)
    #expect(last(news)?.hasPrefix(" :7▏") == true)
    #expect(TextCells(BrowseWords<RawRow>.keys, limit: 79).text == BrowseWords<RawRow>.keys)
  }
}

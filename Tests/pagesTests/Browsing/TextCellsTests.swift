import CNcurses
import Testing

@testable import pages

@Suite struct TextCellsTests {
  private static let pieces = ["a", " ", "宽", "e\u{301}", "\u{301}", "ש", "👩‍👩‍👧", "❤️", "👍🏽", "🇩🇪", "ｆ", "\u{AD}", "\u{378}"]

  /// The columns that the C library gives to what is there; nil where a character has none.
  private func columns(_ cells: TextCells) -> Int {
    cells.scalars.reduce(0) { $0 + Int(max(0, nc_width($1))) }
  }

  /// Every text of up to three pieces, at every width: it fits, and takes the columns that it says.
  @Test func everyShortTextFits() {
    var texts = [""]
    for _ in 0..<3 { texts += texts.flatMap { text in Self.pieces.map { text + $0 } } }
    for text in Set(texts) {
      for limit in 0...7 {
        let cells = TextCells(text, limit: limit)
        #expect(cells.columns <= limit, "\(text) in \(limit)")
        #expect(columns(cells) == cells.columns, "\(text) in \(limit)")
        let lines = TextCells.wrapped(text, limit: limit, lines: 2)
        #expect(lines.count <= 2 && lines.allSatisfy { $0.columns <= limit })
      }
    }
  }

  @Test func whatIsCutEndsWithAnEllipsis() {
    #expect(TextCells("abcdef", limit: 6).text == "abcdef")
    #expect(TextCells("abcdefg", limit: 6).text == "abcde…")
    #expect(TextCells("ab宽cd", limit: 4).text == "ab…")
    #expect(TextCells("宽宽宽", limit: 5).text == "宽宽…")
    #expect(TextCells("宽", limit: 1).text == "…")
  }

  @Test func combiningCharactersStayWithTheirsAndAreNotTooMany() {
    let cells = TextCells("e" + String(repeating: "\u{301}", count: 40) + "x", limit: 10)
    #expect(cells.columns == 2)
    #expect(cells.scalars.count == 5)
    #expect(TextCells("\u{301}x", limit: 10).text == " \u{301}x")
  }

  @Test func emojiOfSeveralCharactersAreShownAsParts() {
    #expect(TextCells("👩‍👧", limit: 10).text == "👩👧")
    #expect(TextCells("❤️x👍🏽", limit: 10).text.unicodeScalars.elementsEqual("\u{2764}x\u{1F44D}".unicodeScalars))
  }

  @Test func textFromRightToLeftIsIsolated() {
    for text in ["שלום", "abc שלום", "مرحبا 123"] {
      let cells = TextCells(text, limit: 40)
      #expect(cells.scalars.first == 0x2068)
      #expect(cells.scalars.last == 0x2069)
      #expect(cells.text == text)
      let cut = TextCells(text, limit: 3)
      #expect(cut.scalars.filter { $0 == 0x2068 }.count == cut.scalars.filter { $0 == 0x2069 }.count)
    }
    #expect(!TextCells("abc", limit: 10).scalars.contains(0x2068))
  }

  @Test func textIsBrokenAtSpaces() {
    func lines(_ text: String, _ limit: Int, _ lines: Int) -> [String] {
      TextCells.wrapped(text, limit: limit, lines: lines).map(\.text)
    }
    #expect(lines("the quick brown fox", 10, 3) == ["the quick", "brown fox"])
    #expect(lines("the quick brown fox", 10, 1) == ["the quick…"])
    #expect(lines("abcdefghijklm", 5, 2) == ["abcde", "fghi…"])
    #expect(lines("宽宽宽", 3, 5) == ["宽", "宽", "宽"])
    #expect(lines("", 5, 2).isEmpty)
    #expect(lines("abc", 0, 2).isEmpty)
  }
}

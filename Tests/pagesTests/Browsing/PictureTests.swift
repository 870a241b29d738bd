import ImageCodecs
import Testing

@testable import pages

@Suite struct PicturePlaceTests {
  @Test(arguments: [
    (#"{"id":1,"avatar_url":"https://a.b/1"}"#, "https://a.b/1"),
    (#"{"avatarURL":"https://a.b/1"}"#, "https://a.b/1"),
    (#"{"image":"https://a.b/big.jpg","thumbnail":"https://a.b/small.jpg"}"#, "https://a.b/small.jpg"),
    (#"{"owner":{"avatar_url":"http://a.b/x"}}"#, "http://a.b/x"),
    (#"{"image":{"alt":"http://no.thing/","url":"http://a.b/x"}}"#, "http://a.b/x"),
    (#"{"images":[{"src":"http://a.b/x.png"},{"src":"http://a.b/y.png"}]}"#, "http://a.b/x.png"),
    (#"{"anything":"http://a.b/x.webp"}"#, "http://a.b/x.webp"),
    (#"{"image":"x.png"}"#, nil),
    (#"{"image":"file:///etc/passwd"}"#, nil),
    (#"{"image":"http://user:secret@a.b/x.png"}"#, nil),
    (#"{"image_page":"http://a.b/photo.html"}"#, nil),
    (#"{"url":"http://a.b/page"}"#, nil),
    (#"{"image":5,"icon":null}"#, nil),
    ("[1]", nil), ("\"http://a.b/x.png\"", "http://a.b/x.png"),
  ])
  func aPictureIsFoundByItsNameOrItsEnding(_ row: String, _ url: String?) throws {
    #expect(PicturePlace.anywhere.picture(in: try JSONSlice(checking: Array(row.utf8))) == url)
  }

  @Test func aPlaceIsTakenAtItsWordAndNoneIsNone() throws {
    let row = try JSONSlice(checking: Array(#"{"a":{"b":"http://a.b/c"},"image":"http://a.b/d"}"#.utf8))
    #expect(PicturePlace.at(JSONPath("a.b")).picture(in: row) == "http://a.b/c")
    #expect(PicturePlace.at(JSONPath("a.c")).picture(in: row) == nil)
    #expect(PicturePlace.nowhere.picture(in: row) == nil)
  }

  @Test func aRowsFaceLeavesItsPicturesURLOut() {
    let row = #"{"id":7,"name":"N","image":"http://a.b/d","x":true}"#
    #expect(RowFace(Array(row.utf8), pictures: .anywhere).text == "N · 7 · x: true")
    #expect(RowFace(Array(row.utf8)).text == "N · 7 · http://a.b/d · x: true")
  }
}

@Suite struct PictureCellsTests {
  /// A picture whose left half has one colour and whose right half has another.
  private func halves(_ width: Int, _ height: Int) throws -> DecodedImage {
    let pixels = (0..<height).flatMap { _ in
      (0..<width).flatMap { x -> [UInt8] in x < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255] }
    }
    return try DecodedImage(size: PixelSize(width: width, height: height), rgba: pixels)
  }

  @Test func aPictureFillsItsCellsWithItsColours() throws {
    let cells = PictureCells(try halves(64, 64), size: .init(columns: 8, lines: 4), colors: 256)
    for number in 0..<4 {
      let line = Array(cells.line(number))
      #expect(line.count == 8)
      // 196 and 21 are red and blue in the palette of 256.
      func colors(_ cell: PictureCells.Cell) -> Int16 { cell.scalar == 0x20 ? cell.background : cell.foreground }
      #expect(line.prefix(4).allSatisfy { [$0.foreground, $0.background].contains(196) })
      #expect(line.suffix(4).allSatisfy { [$0.foreground, $0.background].contains(21) })
    }
  }

  @Test func anyProportionsFitAndStandInTheMiddle() throws {
    for (width, height) in [(1, 1), (640, 10), (10, 640), (3, 2), (200, 100)] {
      for size in [PictureCells.Size(columns: 8, lines: 4), .init(columns: 6, lines: 3), .init(columns: 1, lines: 1)] {
        for colors in [0, 8, 256] {
          let cells = PictureCells(try halves(width, height), size: size, colors: colors)
          #expect((0..<size.lines).allSatisfy { cells.line($0).count == size.columns })
        }
      }
    }
    let wide = PictureCells(try halves(640, 10), size: .init(columns: 8, lines: 4), colors: 256)
    #expect(wide.line(0).allSatisfy { $0 == .blank })
    #expect(wide.line(1).contains { $0 != .blank } || wide.line(2).contains { $0 != .blank })
    #expect(PictureCells(try halves(4, 4), size: .init(columns: 0, lines: 3), colors: 256).line(0).isEmpty)
  }

  @Test func withoutColoursItIsDrawnInTheTerminalsOwn() throws {
    let cells = PictureCells(try halves(64, 64), size: .init(columns: 8, lines: 4), colors: 0)
    #expect((0..<4).allSatisfy { cells.line($0).allSatisfy { $0.foreground == -1 && $0.background == -1 } })
  }
}

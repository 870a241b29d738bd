import Foundation
import Testing

@testable import pages

@Suite struct RowReaderTests {
  private func place(_ text: String) throws -> RowPlace.Finding {
    RowPlace.find(in: try JSONSlice(checking: Array(text.utf8)))
  }

  private func reader(items: String? = nil, id: String? = nil) -> RowReader {
    RowReader(items: items.map { JSONPath($0) }, id: id.map { JSONPath($0) }, notes: Notes(to: .standardError))
  }

  private func read(_ reader: RowReader, _ text: String) throws -> RowDocument { try reader.read(Data(text.utf8)) }

  @Test(arguments: [
    ("[1, 2]", "."), (#"{"items": [{}]}"#, "items"), (#"{"meta": {"tags": []}, "rows": [[1]]}"#, "rows"),
    (#"{"x": [{"id": 1}], "columns": ["a"]}"#, "x"), (#"{"data": {"posts": [{}]}}"#, "data.posts"),
    (#"{"suggested_facets": [{}], "rows": [{}], "facets": [{}]}"#, "rows"),
    (#"{"links": [{}], "a": {"b": [{}]}}"#, "a.b"),
    (#"{"things": [{}], "value": [{}]}"#, "value"),
  ])
  func rowsAreFound(_ text: String, _ path: String) throws {
    #expect(try place(text) == .found(JSONPath(path), isSure: true))
  }

  @Test func whereNoListStandsOutItSaysSo() throws {
    #expect(try place(#"{"a": [{}], "b": [{}]}"#) == .ambiguous([JSONPath("a"), JSONPath("b")]))
    #expect(try place(#"{"errors": [{"message": "no"}], "data": null}"#) == .none)
    #expect(try place(#"{"results": []}"#) == .found(JSONPath("results"), isSure: false))
    #expect(try place("{}") == .none)
    #expect(try place("7") == .none)
  }

  @Test func anEmptyFirstPageSettlesNothing() throws {
    let reader = reader()
    #expect(try read(reader, #"{"results": [], "things": []}"#).rows.isEmpty)
    let rows = try read(reader, #"{"results": [], "things": [{"id": 1}]}"#).rows
    #expect(rows.map(\.id) == [.text("1")])
  }

  @Test func aNumberAndItsTextAreTwoIDs() throws {
    let rows = try read(reader(), #"[{"id": 1}, {"id": "1"}]"#).rows
    #expect(rows.map(\.id) == [.text("1"), .text("\"1\"")])
  }

  @Test func aNameIsNoIDUnlessTheContentsAgree() throws {
    let reader = reader()
    let first = try read(reader, #"[{"name": "a", "v": 1}, {"name": "b", "v": 1}]"#).rows
    let second = try read(reader, #"[{"name": "a", "v": 2}, {"name": "b", "v": 1}]"#).rows
    #expect(first[0].id != second[0].id)
    #expect(first[1].id == second[1].id)
  }

  @Test func whatIsNotDistinctInTheFirstPageIsNoID() throws {
    let rows = try read(reader(), #"[{"id": 1, "key": "a"}, {"id": 1, "key": "b"}]"#).rows
    #expect(rows[0].id != rows[1].id)
    let without = try read(reader(), #"[{"x": 1}, {"x": 1}]"#).rows
    #expect(without.map(\.id) == [.unknown(1), .unknown(2)])
  }

  @Test func aGivenIDIsTaken() throws {
    let rows = try read(reader(items: "a", id: "b.c"), #"{"a": [{"b": {"c": [1, 2]}}, {"b": null}]}"#).rows
    #expect(rows.map(\.id) == [.text("[1,2]"), .unknown(2)])
  }

  @Test(arguments: [
    (#"{"items": null}"#, "no list at items"), (#"{"error": "nope"}"#, "nope"), ("<html><body>Hi", "HTML"),
    ("[1, 2", "ends"),
    ("", "nothing"),
  ])
  func aReplyWithoutRowsIsExplained(_ text: String, _ words: String) {
    let error = #expect(throws: ReplyFault.self) { try read(reader(items: "items"), text) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  @Test func aServersWordsAreFound() throws {
    func words(_ text: String) throws -> String? { ServerWords.find(in: try JSONSlice(checking: Array(text.utf8))) }
    #expect(try words(#"{"ok": false, "error": "_size must be <= 1000", "status": 400}"#) == "_size must be <= 1000")
    #expect(try words(#"{"errors": [{"message": "bad\u001b[2J"}]}"#) == "bad\\u001b[2J")
    #expect(try words("[]") == nil)
  }
}

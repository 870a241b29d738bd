import Foundation
import Testing

@testable import pages

/// Rows that their server wraps in something.
@Suite struct RowShapeTests {
  private func lines(_ text: String, items: String? = nil) throws -> [String] {
    let reader = RowReader(items: items.map { JSONPath($0) }, id: nil, notes: Notes(isSilent: true))
    return try reader.read(Data(text.utf8)).rows.map { String(decoding: $0.line, as: UTF8.self) }
  }

  @Test func edgesBecomeTheirNodes() throws {
    let text = #"{"data":{"a":{"edges":[{"cursor":"x","node":{"id":1}},{"node":{"id":2.0}},{"node":null}]}}}"#
    #expect(try lines(text) == [#"{"id":1}"#, #"{"id":2.0}"#])
    #expect(try lines(#"{"edges":[{"node":{"id":1}},{"id":2}]}"#) == [#"{"node":{"id":1}}"#, #"{"id":2}"#])
  }

  @Test func namesOfColumnsStandBesideTheirValues() throws {
    let text = #"{"columns":["id","a\"b"],"rows":[[1, "x"],[2,null]]}"#
    #expect(try lines(text) == [#"{"id":1,"a\"b":"x"}"#, #"{"id":2,"a\"b":null}"#])
    for other in [
      #"{"columns":["id"],"rows":[[1,2]]}"#, #"{"columns":[1,2],"rows":[[1,2]]}"#, #"{"rows":[[1,2]]}"#,
      #"{"columns":["a","b"],"rows":[[1,2]],"x":{"rows":[[1,2]]}}"#,
    ] {
      let expected = other.contains("\"a\",\"b\"") ? #"{"a":1,"b":2}"# : "[1,2]"
      #expect(try lines(other, items: "rows") == [expected], "\(other)")
    }
  }

  @Test func rowsThatAreIDsAreTheirOwn() throws {
    let reader = RowReader(items: nil, id: nil, notes: Notes(isSilent: true))
    let document = try reader.read(Data(#"{"ids":[7,"7"],"next":"x"}"#.utf8))
    #expect(document.rows.map(\.id) == [.text("7"), .text("\"7\"")])
  }
}

import Foundation
import Testing

@testable import pages

@Suite struct JSONSliceTests {
  private func slice(_ text: String) throws -> JSONSlice { try JSONSlice(checking: Array(text.utf8)) }

  @Test(arguments: [
    "0", "-0.5e+10", "\"\"", "\"a\\u00e9\\n\\\"\"", "true", "false", "null", "[]", "{}", "[1,[2,[3]],{\"a\":[]}]",
    " \n{\"a\" : 1 , \"b\" : [ true , null ] }\t", "\"Čeština 北京 🦊\"", "{\"a\":{},\"b\":[{}]}", "\u{FEFF}[1]",
  ])
  func goodTextIsAccepted(_ text: String) throws {
    _ = try slice(text)
    // The judge is somebody else's parser.
    let data = Data(text.utf8.drop { $0 > 0x7F && text.hasPrefix("\u{FEFF}") })
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) }
  }

  @Test(arguments: [
    "", "  ", "[", "{", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "1e",
    "-", "tru", "nulL", "\"", "\"\\", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "[1}", "{\"a\":1]", "[1] x", "1 2",
    "<html>",
    "'a'", "[,1]", "{,}", "[1 2]", "{\"a\" 1}", "\u{0}",
  ])
  func badTextIsRefused(_ text: String) {
    #expect(throws: JSONFault.self) { try slice(text) }
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82], [0x80],
    ] as [[UInt8]])
  func bytesThatAreNotUTF8AreRefused(_ bytes: [UInt8]) {
    #expect(throws: JSONFault.self) { try JSONSlice(checking: [0x22] + bytes + [0x22]) }
  }

  @Test func nestingIsBounded() throws {
    let deepest = JSONScanner.maxDepth
    _ = try slice(String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
    #expect(throws: JSONFault(kind: .tooDeep, offset: deepest)) { try slice(String(repeating: "[", count: 1_000_000)) }
  }

  @Test func everyPrefixOfAGoodTextIsRefusedAndNoneTraps() throws {
    let bytes = Array("{\"a\": [1, -2.5e3, \"x\\u0041é\"], \"b\": {\"c\": null, \"d\": true}}".utf8)
    _ = try JSONSlice(checking: bytes)
    for count in 0..<bytes.count {
      #expect(throws: JSONFault.self) { try JSONSlice(checking: Array(bytes.prefix(count))) }
    }
  }

  @Test func anyByteAnywhereIsReadOrRefused() throws {
    let bytes = Array("{\"a\":[1,\"b\\n\"],\"c\":{\"d\":-0.5}}".utf8)
    for place in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = bytes
        changed[place] = byte
        let isGood = (try? JSONSerialization.jsonObject(with: Data(changed), options: .fragmentsAllowed)) != nil
        guard let slice = try? JSONSlice(checking: changed) else { continue }
        #expect(isGood, "\(String(decoding: changed, as: UTF8.self))")
        for member in slice.members { _ = member.value.elements.map(\.compact) }
      }
    }
  }

  @Test func membersAndElementsComeInOrderWithTheirBytes() throws {
    let slice = try slice(#" { "b" : 1.50 , "a\u0062" : "}" , "c" : [ {"x": [1, 2]} , "," , 1e400 ] } "#)
    #expect(slice.members.map(\.name) == ["b", "ab", "c"])
    #expect(
      slice.members.map { String(decoding: $0.value.compact, as: UTF8.self) } == [
        "1.50", "\"}\"", #"[{"x":[1,2]},",",1e400]"#,
      ])
    let list = try #require(slice.member("c"))
    #expect(list.elements.map(\.kind) == [.object, .string, .number])
  }

  @Test func aRowStaysAsItWasWrittenButForWhiteSpaceBetweenTokens() throws {
    let slice = try slice("{\n  \"n\": 12345678901234567890.10,\r\n\t\"s\": \"two  spaces \\\" \\u00e9\"\n}")
    #expect(
      String(decoding: slice.compact, as: UTF8.self) == #"{"n":12345678901234567890.10,"s":"two  spaces \" \u00e9"}"#)
  }

  @Test func pathsLead() throws {
    let slice = try slice(#"{"a": {"b.c": [10, {"d/e": "x"}]}, "": 1}"#)
    #expect(JSONPath("/a/b.c/1/d~1e").value(in: slice)?.string == "x")
    #expect(JSONPath("/a/b.c/0").value(in: slice)?.integer == 10)
    #expect(JSONPath("a.b").value(in: slice) == nil)
    #expect(JSONPath("/a/b.c/7").value(in: slice) == nil)
    #expect(JSONPath(".").value(in: slice)?.kind == .object)
    for text in ["a.b", "/a/b.c/1/d~1e", ".", "/"] { #expect(JSONPath(JSONPath(text).description) == JSONPath(text)) }
  }
}

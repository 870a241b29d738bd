import Testing

@testable import PagingStore

/// The store's reader of JSON, given what a damaged file may hold.
@Suite struct JSONTreeDamageTests {
  private let text = Array(#"{"a":[1,-2.5e-3,true,null,"x\u00e9\ud83d\ude00\n"],"b":{"c":"ключ","d":[]}}"#.utf8)

  @Test func S13_everyPrefixIsRefusedAndNoneTraps() {
    #expect(JSONTree(text) != nil)
    for count in 0..<text.count { #expect(JSONTree(Array(text[..<count])) == nil) }
  }

  @Test func S13_anyByteAnywhereIsReadOrRefused() {
    var read = 0
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var mangled = text
        mangled[index] = byte
        if JSONTree(mangled) != nil { read += 1 }
      }
    }
    // Most bytes of a string may be others; a brace may not.
    #expect(read > text.count && read < text.count * 200)
  }

  @Test func S13_nestingIsBounded() {
    func nested(_ depth: Int) -> [UInt8] {
      [UInt8](repeating: UInt8(ascii: "["), count: depth) + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(JSONTree(nested(200)) != nil)
    #expect(JSONTree(nested(201)) == nil)
    #expect(JSONTree(nested(1_000_000)) == nil)
  }
}

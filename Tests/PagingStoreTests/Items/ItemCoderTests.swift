import Foundation
import Testing

@testable import PagingStore

@Suite struct ItemCoderTests {
  private struct Note: Codable, Hashable {
    var title: String
    var score: Double = 0
    var tags: [String: Int] = [:]
  }

  @Test func equalValuesHaveEqualBytes() throws {
    let tags = Dictionary(uniqueKeysWithValues: (0..<30).map { ("tag \($0)", $0) })
    let again = Dictionary(uniqueKeysWithValues: (0..<30).reversed().map { ("tag \($0)", $0) })
    let one = try ItemCoder.json.encode(Note(title: "a/b", tags: tags))
    #expect(try one == ItemCoder.json.encode(Note(title: "a/b", tags: again)))
    #expect(try ItemCoder.json.decode(Note.self, from: one) == Note(title: "a/b", tags: tags))
  }

  @Test func numbersThatJSONHasNoWordForAreKept() throws {
    for score in [Double.infinity, -.infinity] {
      let bytes = try ItemCoder.json.encode(Note(title: "", score: score))
      #expect(try ItemCoder.json.decode(Note.self, from: bytes).score == score)
    }
    let bytes = try ItemCoder.json.encode(Note(title: "", score: .nan))
    #expect(try ItemCoder.json.decode(Note.self, from: bytes).score.isNaN)
  }

  @Test func S13_bytesThatDoNotDecodeAreACodingError() throws {
    for bytes in [[], Array("{".utf8), Array("{}".utf8), [0xFF, 0xFE], Array(#"{"title":7}"#.utf8)] as [[UInt8]] {
      let error = #expect(throws: ListStoreError.self) { try ItemCoder.json.decode(Note.self, from: bytes) }
      #expect(error?.code == .coding)
      #expect(error?.cause != nil)
    }
  }

  @Test func aCoderOfOnesOwnIsUsed() throws {
    let coder = ItemCoder(
      encode: { try PropertyListEncoder().encode($0) }, decode: { try PropertyListDecoder().decode($0, from: $1) })
    let bytes = try coder.encode(Note(title: "x", score: 2))
    #expect(bytes != (try ItemCoder.json.encode(Note(title: "x", score: 2))))
    #expect(try coder.decode(Note.self, from: bytes) == Note(title: "x", score: 2))
    #expect(!coder.isJSON && ItemCoder.json.isJSON)
    let liar = ItemCoder(encode: { _ in Data() }, decode: { _, _ in "another type" })
    #expect(throws: ListStoreError.self) { try liar.decode(Note.self, from: []) }
  }

  @Test func aConfigurationOutOfRangeIsNamed() throws {
    try ListStoreConfig().check()
    var configs = [ListStoreConfig(), ListStoreConfig(), ListStoreConfig()]
    configs[0].maxItems = 0
    configs[1].busyTimeout = .seconds(-1)
    configs[2].changeCheckInterval = .zero
    for (config, name) in zip(configs, ["maxItems", "busyTimeout", "changeCheckInterval"]) {
      let error = #expect(throws: ListStoreError.self) { try config.check() }
      #expect(error?.code == .invalidConfig)
      #expect(error?.message.contains(name) == true)
    }
  }
}

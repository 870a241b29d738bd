import PagingTesting
import Testing

@testable import PagingStore

@Suite struct MergePatchTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func patch(_ old: String, _ new: String) throws -> MergePatch {
    try #require(MergePatch(from: bytes(old), to: bytes(new), isJSON: true))
  }

  private func fold(_ patch: MergePatch, over base: String) throws -> JSONTree {
    try #require(JSONTree(patch.folded(over: bytes(base))))
  }

  @Test func S10_anEditAndTheServersChangeOfAnotherMemberBothShow() throws {
    let like = try patch(#"{"id":1,"liked":false,"title":"a"}"#, #"{"id":1,"liked":true,"title":"a"}"#)
    #expect(
      try fold(like, over: #"{"id":1,"liked":false,"title":"b","more":[1]}"#)
        == JSONTree(bytes(#"{"id":1,"liked":true,"title":"b","more":[1]}"#)))
  }

  @Test func S10_nestedObjectsAreMergedAndArraysAreWhole() throws {
    let edit = try patch(
      #"{"a":{"x":1,"y":{"z":1,"w":2}},"tags":[1,2]}"#, #"{"a":{"x":1,"y":{"z":9,"w":2}},"tags":[1,2,3]}"#)
    #expect(
      try fold(edit, over: #"{"a":{"x":5,"y":{"z":1,"w":6}},"tags":[7]}"#)
        == JSONTree(bytes(#"{"a":{"x":5,"y":{"z":9,"w":6}},"tags":[1,2,3]}"#)))
  }

  @Test func S10_nullIsAValueAndAMissingMemberIsNot() throws {
    #expect(
      try fold(patch(#"{"a":1,"b":1}"#, #"{"a":null,"b":1}"#), over: #"{"a":2,"b":2}"#)
        == JSONTree(bytes(#"{"a":null,"b":2}"#)))
    #expect(try fold(patch(#"{"a":1,"b":1}"#, #"{"b":1}"#), over: #"{"a":2,"b":2}"#) == JSONTree(bytes(#"{"b":2}"#)))
  }

  @Test func S10_anEditWithinAnObjectThatIsGoneLeavesNoHalfObject() throws {
    let edit = try patch(#"{"id":1,"author":{"name":"a","age":3}}"#, #"{"id":1,"author":{"name":"b","age":3}}"#)
    #expect(try fold(edit, over: #"{"id":1}"#) == JSONTree(bytes(#"{"id":1}"#)))
    #expect(try fold(edit, over: #"{"id":1,"author":null}"#) == JSONTree(bytes(#"{"id":1,"author":null}"#)))
  }

  @Test func S10_anEnumOfAnotherCaseIsReplacedWhole() throws {
    let edit = try patch(#"{"id":1,"media":{"image":{"url":"u"}}}"#, #"{"id":1,"media":{"none":{}}}"#)
    #expect(try fold(edit, over: #"{"id":1,"media":{"film":{}}}"#) == JSONTree(bytes(#"{"id":1,"media":{"none":{}}}"#)))
  }

  @Test func S10_whatIsNoJSONIsReplacedWhole() throws {
    let edit = try #require(MergePatch(from: [1, 2], to: [3, 4], isJSON: false))
    #expect(edit == .whole([3, 4]))
    #expect(edit.folded(over: [9]) == [3, 4])
    #expect(MergePatch(from: [1, 2], to: [1, 2], isJSON: false) == nil)
    #expect(MergePatch(from: bytes("[1]"), to: bytes("[2]"), isJSON: true) == .whole(bytes("[2]")))
    #expect(MergePatch(from: bytes("{"), to: bytes("{}"), isJSON: true) == .whole(bytes("{}")))
  }

  @Test func S10_theOrderOfMembersIsNoDifference() {
    #expect(MergePatch(from: bytes(#"{"a":1,"b":2}"#), to: bytes(#"{ "b":2,"a":1}"#), isJSON: true) == nil)
  }

  @Test func S10_twoSpellingsOfOneAccentedLetterDiffer() throws {
    let edit = try patch("{\"a\":\"e\u{301}\",\"b\":1}", "{\"a\":\"\u{e9}\",\"b\":1}")
    #expect(try fold(edit, over: "{\"a\":\"e\u{301}\",\"b\":1}") == JSONTree(bytes("{\"a\":\"\\u00e9\",\"b\":1}")))
  }

  @Test func S10_numbersKeepTheirDigits() throws {
    let edit = try patch(#"{"a":1,"b":12345678901234567890.10}"#, #"{"a":2,"b":12345678901234567890.10}"#)
    #expect(
      edit.folded(over: bytes(#"{"a":1,"b":12345678901234567890.10}"#))
        == bytes(#"{"a":2,"b":12345678901234567890.10}"#))
  }

  @Test func S10_aLaterEditTakesThePlaceOfTheSameMembersOnly() throws {
    let both = try patch(#"{"a":1,"b":1,"n":{"x":1,"y":1}}"#, #"{"a":2,"b":2,"n":{"x":2,"y":2}}"#)
    let later = try patch(#"{"a":2,"b":2,"n":{"x":2,"y":2}}"#, #"{"a":3,"b":2,"n":{"x":3,"y":2}}"#)
    let left = try #require(both.superseded(by: later))
    #expect(
      try fold(left, over: #"{"a":0,"b":0,"n":{"x":0,"y":0}}"#) == JSONTree(bytes(#"{"a":0,"b":2,"n":{"x":0,"y":2}}"#)))
    #expect(later.superseded(by: both) == nil)
    #expect(MergePatch.whole([1]).superseded(by: .whole([2])) == .whole([1]), "its intent is not lost")
  }

  @Test(arguments: [
    "", "{", "[1,]", #"{"a"}"#, #"{"a":1,}"#, "tru", "-", #""\x""#, #""\ud800""#, #""\ud800\u0041""#, "\"\u{1}\"",
    "1 2",
    #"{"a":"#, #""\u12"#,
  ])
  func S10_whatIsNoJSONIsNotRead(_ text: String) {
    #expect(JSONTree(bytes(text)) == nil)
  }

  @Test func S10_deepNestingIsRefusedInsteadOfOverrunningTheStack() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(JSONTree(bytes(deep)) == nil)
    #expect(JSONTree(bytes(String(repeating: "[", count: 150) + String(repeating: "]", count: 150))) != nil)
  }

  @Test func S10_escapesAreReadAndWritten() throws {
    let tree = try #require(JSONTree(bytes(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#)))
    #expect(tree == .text("\"\\/\u{8}\u{c}\n\r\t\u{e9}\u{1F600}"))
    #expect(JSONTree(tree.encoded) == tree)
  }

  @Test func S10_aDamagedEditIsAClearError() {
    for text in ["", "[]", #"{"set":1}"#, #"{"what":{}}"#, #"{"drop":[1]}"#, #"{"in":{"a":1}}"#] {
      let error = #expect(throws: ListStoreError.self) { try MergePatch(encoded: bytes(text), isWhole: false) }
      #expect(error?.code == .damaged)
    }
  }
}

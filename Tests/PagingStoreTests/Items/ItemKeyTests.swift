import Foundation
import Testing

@testable import PagingStore

@Suite struct ItemKeyTests {
  private struct Pair: Codable, Hashable {
    var server: String
    var number: Int
  }
  private enum Place: String, Codable { case home, away }
  private struct Wrapped: Codable, Hashable { var rawValue: String }

  private func roundTrip<ID: Codable & Equatable>(_ id: ID, _ text: String) throws {
    let key = try ItemKey(id)
    #expect(key.text == text)
    #expect(try key.id(as: ID.self) == id)
  }

  @Test func anIDHasOneTextAndComesBackFromIt() throws {
    try roundTrip("plain", "plain")
    try roundTrip("", "")
    try roundTrip("7", "7")
    try roundTrip("\"quoted\"\u{0}", "\"quoted\"\u{0}")
    try roundTrip(7, "7")
    try roundTrip(-7, "-7")
    try roundTrip(UInt64.max, "18446744073709551615")
    try roundTrip(Int8.min, "-128")
    try roundTrip(Pair(server: "a/b", number: 1), #"{"number":1,"server":"a/b"}"#)
    try roundTrip(Place.home, "\"home\"")
    try roundTrip(Wrapped(rawValue: "x"), #"{"rawValue":"x"}"#)
    try roundTrip([1, 2], "[1,2]")
    try roundTrip(true, "true")
    try roundTrip(2.5, "2.5")
    try roundTrip(
      try #require(UUID(uuidString: "3F2504E0-4F89-11D3-9A0C-0305E82C3301")), "\"3F2504E0-4F89-11D3-9A0C-0305E82C3301\""
    )
  }

  @Test func anOptionalIDsNilIsNoText() throws {
    let keys = try [String?.none, "null", "x"].map { id in try ItemKey(id) }
    #expect(Set(keys).count == 3)
    #expect(try keys.map { try $0.id(as: String?.self) } == [nil, "null", "x"])
  }

  @Test func textsAreComparedByTheirBytes() throws {
    let one = try ItemKey("\u{E9}")
    let two = try ItemKey("e\u{301}")
    #expect(one != two)
    #expect(Set([one, two]).count == 2)
    #expect(one == ItemKey(text: "\u{E9}"))
  }

  @Test func whatIsNoIDOfTheTypeIsACodingError() throws {
    for text in ["", "x", "1.5", "99999999999999999999", " 7"] {
      #expect(throws: ListStoreError.self) { try ItemKey(text: text).id(as: Int.self) }
    }
    #expect(throws: ListStoreError.self) { try ItemKey(text: "{").id(as: Pair.self) }
    #expect(throws: ListStoreError.self) { try ItemKey(Double.nan) }
  }
}

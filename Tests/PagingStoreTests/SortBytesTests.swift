import Loading
import Testing

@testable import PagingStore

@Suite struct SortBytesTests {
  private func bytes(_ key: ListSortKey, _ id: String = "x") -> SortBytes {
    SortBytes(key, tieBreak: ItemKey(text: id))
  }

  @Test func shorterPrefixComesFirst() {
    #expect(SortBytes(bytes: [1, 2]) < SortBytes(bytes: [1, 2, 0]))
  }

  @Test func B28_numbersInTextCompareAsNumbers() {
    #expect(bytes("9") < bytes("10"))
    #expect(bytes(5, "9") < bytes(5, "10"))
    #expect(bytes(5, "999999999999999999") < bytes(5, "1000000000000000000"))
    #expect(bytes(5, "9223372036854775808") < bytes(5, "18446744073709551615"), "Beyond Int64 as well.")
    #expect(bytes("-10") < bytes("-9") && bytes("-1") < bytes("0"))
    #expect(bytes("10") == bytes(10))
  }

  @Test func B27_equalKeysStandInTheOrderOfTheirIDs() {
    let ids = ["2", "10", "", "a", "a\u{0}", "a\u{0}b", "aa", "b", "é"]
    let sorted = ids.map { bytes(7, $0) }.sorted()
    #expect(sorted == ["2", "10", "", "a", "a\u{0}", "a\u{0}b", "aa", "b", "é"].map { bytes(7, $0) })
    #expect(bytes(7, "b") < bytes(8, "a"))
  }

  @Test func keysOfSeveralFieldsCompareFieldByField() {
    let rising: [ListSortKey] = [
      ListSortKey(.min), -300, -1, 0, 1, 255, 256, ListSortKey(.max), ListSortKey([ListSortKey(.max), 1]), "", "A", "a",
      ListSortKey(["a", 1]), ListSortKey(["a", 2]), ListSortKey(["a", "b"]), "aa",
    ]
    // Whatever the IDs are: the later keys have the smaller ones here.
    for (index, (smaller, larger)) in zip(rising, rising.dropFirst()).enumerated() {
      #expect(bytes(smaller, "\(100 - index)") < bytes(larger, "\(99 - index)"), "\(smaller) \(larger)")
    }
  }

  @Test func differentIDsNeverHaveTheSameBytes() {
    let ids = ["7", "07", "007", "+7", "-7", "-07", "0", "00", "-0", "", " 7", "7 ", "18446744073709551616", "7\u{0}"]
    #expect(Set(ids.map { bytes(1, $0) }).count == ids.count)
  }

  @Test func anyTwoNumbersCompareAsTheyShould() {
    var generator = SeededGenerator(seed: 28)
    for _ in 0..<2000 {
      let shift = Int.random(in: 0..<64, using: &generator)
      let a = Int64.random(in: .min ... .max, using: &generator) >> shift
      let b = Bool.random(using: &generator) ? a &+ 1 : Int64.random(in: .min ... .max, using: &generator) >> shift
      #expect((bytes(ListSortKey(a)) < bytes(ListSortKey(b))) == (a < b), "\(a) \(b)")
      #expect((bytes(ListSortKey("\(a)")) < bytes(ListSortKey("\(b)"))) == (a < b), "\(a) \(b)")
    }
  }
}

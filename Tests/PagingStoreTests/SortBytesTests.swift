import Testing

@testable import PagingStore

@Suite struct SortBytesTests {
  @Test func shorterPrefixComesFirst() {
    #expect(SortBytes(bytes: [1, 2]) < SortBytes(bytes: [1, 2, 0]))
  }
}

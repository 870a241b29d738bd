import Paging
import PagingTesting
import Testing

/// A list with separators, collected while it is scrolled: what is in place of ASN-06, and the halves of ASN-22 and ASN-27
/// that have a separator.
@Suite(.timeLimit(.minutes(10))) struct CollectSeparatorTests {
  private let config = PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 5)

  /// What is collected with a separator behind each row of `numbers` that is not the last; separators are nil.
  private func collect(
    _ config: PagingConfig, from key: Int? = nil, count: Int, after numbers: ClosedRange<Int>,
    _ body: (Scroller<SeparatedRow<Number, Int>>) async throws -> Void = { _ in }
  ) async throws -> [Int?] {
    let pager = Pager(config: config, initialKey: key, source: HundredSource(count: count))
    let list = pager.insertingSeparators { before, after in
      after == nil ? nil : before.flatMap { numbers.contains($0.id) ? $0.id : nil }
    }
    return try await list.collectRows(scrolling: body).map { $0.item?.id }
  }

  @Test func P31_separatorsAreNoRowsAhead() async throws {
    let rows = try await collect(config, count: 30, after: 0...100)
    #expect(rows.compactMap(\.self) == Array(0...7))
    #expect(rows.count == 15)
  }

  @Test func P31_anIndexCountsSeparators() async throws {
    // Row 8 of the list is the number 7; two numbers are ahead of it, so one page more comes.
    let eighth = try await collect(config, count: 100, after: 6...6) { try await $0.scroll(to: 8) }
    #expect(eighth == Array(0...6) + [nil] + Array(7...10))
    let ninth = try await collect(config, count: 100, after: 6...6) { try await $0.scroll(to: 9) }
    #expect(ninth == Array(0...6) + [nil] + Array(7...13))
  }

  @Test func P31_anIndexCountsSeparatorsBehindPlaceholders() async throws {
    let ones = PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 1)
    let rows = try await collect(ones, from: 50, count: 100, after: 49...49) { try await $0.fling(to: 51) }
    #expect(rows == [49, nil, 50, 51])
  }
}

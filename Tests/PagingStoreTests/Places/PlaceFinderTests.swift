import Testing

@testable import PagingStore

/// A list as an array: item `n` stands at position `n * 10`, its key is "n", its sort bytes are `[n]`.
private struct PlaceOrder: OrderReading {
  var entries: [Entry]
  var keyed = true

  init(_ items: [Int64], keyed: Bool = true) {
    entries = items.sorted(by: >).map {
      Entry(position: $0 * 10, item: $0, sortBytes: keyed ? SortBytes(bytes: [UInt8($0)]) : nil, placed: 1)
    }
  }

  func runs() -> [Run] {
    guard let first = entries.first, let last = entries.last else { return [] }
    let edge = RunEdge(state: .open, generation: 1)
    return [Run(number: 1, high: first.position, low: last.position, newer: edge, older: edge)]
  }
  func entry(of item: Int64) -> Entry? { entries.first { $0.item == item } }
  func entry(at position: Position) -> Entry? { entries.first { $0.position == position } }
  func entries(in range: ClosedRange<Position>, limit: Int) -> [Entry] {
    Array(entries.filter { range.contains($0.position) }.prefix(limit))
  }
  func entry(above position: Position) -> Entry? { entries.last { $0.position > position } }
  func entry(below position: Position) -> Entry? { entries.first { $0.position < position } }
  func entry(newerThan key: SortBytes) -> Entry? { entries.last { ($0.sortBytes ?? key) > key } }
  func entry(olderThan key: SortBytes) -> Entry? { entries.first { ($0.sortBytes ?? key) < key } }
}

@Suite struct PlaceFinderTests {
  /// A reader at item 50, whose neighbours are 40, 30 below and 60, 70 above.
  private let place = SavedPlace(
    key: "50", below: ["40", "30"], above: ["60", "70"], sortBytes: SortBytes(bytes: [50]), position: 500, list: 1,
    epoch: 3)

  private func find(
    _ place: SavedPlace, among items: [Int64], list: Int64 = 1, epoch: Int64 = 3, keyed: Bool = true,
    aliases: [String: Int64] = [:]
  ) throws -> FoundPlace? {
    let finder = PlaceFinder(list: list, epoch: epoch) { key in aliases[key] ?? Int64(key) }
    return try finder.find(place, in: PlaceOrder(items, keyed: keyed))
  }

  @Test func S8_theSavedRowComesFirst() throws {
    let found = try find(place, among: [40, 50, 60])
    #expect(found?.way == .exact && found?.entry.item == 50)
  }

  @Test func S8_aRowThatGotAnotherIDIsStillExact() throws {
    let found = try find(place, among: [40, 55, 60], aliases: ["50": 55])
    #expect(found?.way == .exact && found?.entry.item == 55)
  }

  @Test func B57_theNeighbourBelowComesBeforeTheOneAboveAndNearBeforeFar() throws {
    #expect(try find(place, among: [30, 40, 60, 70])?.entry.item == 40)
    #expect(try find(place, among: [30, 60, 70])?.entry.item == 60)
    #expect(try find(place, among: [30, 70])?.entry.item == 30)
    #expect(try find(place, among: [70])?.entry.item == 70)
    #expect(try find(place, among: [70])?.way == .neighbour)
  }

  @Test func B57_whatTheAppNamedComesBeforeWhatTheStoreNoted() throws {
    var place = place
    place.named = ["99", "20"]
    #expect(try find(place, among: [20, 40, 60])?.entry.item == 20)
  }

  @Test func B57_withoutNeighboursTheNearestSortKeyBelowThenAbove() throws {
    let below = try find(place, among: [10, 20, 80, 90])
    #expect(below?.way == .sortKey && below?.entry.item == 20)
    let above = try find(place, among: [80, 90])
    #expect(above?.way == .sortKey && above?.entry.item == 80)
  }

  @Test func B57_withoutKeysTheNearestPositionBelowThenAbove() throws {
    var place = place
    place.sortBytes = nil
    let below = try find(place, among: [10, 20, 80, 90], keyed: false)
    #expect(below?.way == .position && below?.entry.item == 20)
    let above = try find(place, among: [80, 90], keyed: false)
    #expect(above?.way == .position && above?.entry.item == 80)
  }

  @Test func B59_positionsOfAnotherEpochOrListMeanNothing() throws {
    var place = place
    place.sortBytes = nil
    for (list, epoch) in [(Int64(1), Int64(4)), (2, 3)] {
      let found = try find(place, among: [10, 20, 80, 90], list: list, epoch: epoch, keyed: false)
      #expect(found?.way == .head && found?.entry.item == 90)
    }
  }

  @Test func B59_theRowIsFoundInAnotherEpochAndByKeyWhereItIsGone() throws {
    #expect(try find(place, among: [10, 50, 90], epoch: 4)?.way == .exact)
    #expect(try find(place, among: [10, 90], epoch: 4)?.entry.item == 10)
  }

  @Test func B58_whoFollowsTheNewestIsAtTheNewest() throws {
    var place = place
    place.followsNewest = true
    let found = try find(place, among: [50, 80])
    #expect(found?.way == .head && found?.entry.item == 80)
  }

  @Test func S8_anEmptyListHasNoPlace() throws {
    #expect(try find(place, among: []) == nil)
  }
}

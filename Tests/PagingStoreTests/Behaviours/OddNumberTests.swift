import Foundation
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// Numbers that no sound file and no sensible server has: an error or the nearest that makes sense, never a trap.
@Suite struct OddNumberTests {
  private let folder: CoreFolder

  init() throws { folder = try CoreFolder() }

  /// A store with 50…31 and an edit, whose file another program has changed.
  private func store(_ script: String) throws -> ListStore {
    do {
      let store = try ListStore(at: folder.file)
      let list: StoredList<Note> = store.list("list")
      try list.take(notePage(50, 31))
      try list.savePosition(ListPosition(item: 40))
      try store.edit(45, of: Note.self, intent: "x") { $0.text = "edited" }
    }
    try DatabaseFolder.script(folder.file.path(percentEncoded: false), script)
    return try ListStore(at: folder.file)
  }

  private static let large = "9223372036854775807"
  private static let small = "-9223372036854775808"

  @Test(arguments: [large, small]) func S13_aRunThatEndsAtTheLastPositionIsDamage(number: String) throws {
    for column in ["hi", "lo"] where (column == "hi") == (number == Self.large) {
      let list: StoredList<Note> = try store("UPDATE run SET \(column) = \(number)").list("list")
      #expect(storeCode { try list.take(notePage(60, 50)) } == .damaged)
      #expect(storeCode { _ = try list.shape() } == .damaged)
    }
  }

  @Test func S13_moreFailuresThanAnyEdgeCountsAreDamage() throws {
    let list: StoredList<Note> = try store("UPDATE run SET older_fail = \(Self.large)").list("list")
    #expect(storeCode { try list.take(RemotePage([], olderToken: "<31"), for: .olderThanAll) } == .damaged)
  }

  @Test func S13_conflictsAreCountedNoFurtherThanMatters() throws {
    let list: StoredList<Note> = try store("UPDATE list SET conflicts = \(Self.large)").list("list")
    var page = notePage(50, 31)
    page.items.swapAt(3, 9)
    #expect(try list.take(page).hasDrifted)
  }

  @Test func S13_triesAreCountedNoFurtherThanThereAreNumbers() throws {
    let edit = try #require(try store("UPDATE patch SET tries = \(Self.large)").pendingEdits().first)
    #expect(try edit.markSending().tries == .max)
  }

  @Test(arguments: [large, small]) func S13_aPlaceOfAnImpossibleTimeIsAPlace(number: String) throws {
    var policy = ListPolicy()
    policy.staleAfter = .seconds(3600)
    let list: StoredList<Note> = try store("UPDATE place SET saved_at = \(number)").list("list", policy: policy)
    let place = try #require(try list.savedPosition())
    #expect(place.position.item == 40)
    #expect(place.isStale == (number == Self.small))
  }

  @Test func S13_aMarkAboveAllRowsHidesNothingFromASweep() async throws {
    let store = try store("UPDATE list SET shown_pos = \(Self.large)")
    let list: StoredList<Note> = store.list("list", policy: ListPolicy(freshness: .newItemsControl))
    try await store.core.sweep(maxItems: 1)
    #expect(try list.shape() == "50…31")
  }

  @Test func S9_anIndexBeyondAllNumbersHasNoKey() throws {
    let source = IDListPageSource<Note> {
      [1, 2, 3]
    } items: {
      $0.map { Note(id: $0) }
    }
    let list = try ListStore.inMemory().list("top", policy: ListPolicy(order: .ids), remote: source)
    try list.supplant(withIDs: [1, 2, 3], for: list.request(.head))
    let rows = try #require(FetchingSource(list))
    #expect(rows.key(forIndex: 2) != nil)
    #expect([3, .max, -1, .min].allSatisfy { rows.key(forIndex: $0) == nil })
  }

  @Test func S7_aServersCountBeyondAllNumbersIsManyNewItems() throws {
    let store = try ListStore.inMemory()
    let list: StoredList<Note> = store.list("list", policy: ListPolicy(freshness: .newItemsControl))
    try list.take(notePage(50, 41))
    try list.take(notePage(90, 81))
    let newest = try #require(try list.core.pollAnchor(of: list.id)).item
    try list.core.hint(.max, isLowerBound: true, newerThan: newest, in: list.id)
    #expect(try list.currentPendingCount() == PendingCount(count: .max, isLowerBound: true))
  }
}

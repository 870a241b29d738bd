import Testing

@testable import Paging

/// P11: unread changes fold.
@Suite struct UnreadChangesTests {
  private static let sends: [SourceChange<Row>] = [
    .everything, .items([Row(id: 1, title: "a")]), .items([Row(id: 1, title: "b"), Row(id: 2, title: "b")]),
    .items([Row(id: 2, title: "c"), Row(id: 3, title: "c"), Row(id: 2, title: "d")]), .items([]),
  ]

  /// What a list of unread changes comes to, without any cleverness.
  private func naive(_ unread: [SourceChange<Row>]) -> String? {
    var latest: [Int: Row] = [:]
    for change in unread {
      guard case .items(let items) = change.kind else { return "all" }
      for item in items { latest[item.id] = item }
    }
    return latest.isEmpty ? nil : told(.items(Array(latest.values)))
  }

  @Test func P11_everyOrderOfSendsAndReadsGivesWhatWasUnread() {
    var scripts = 0
    /// A nil step reads.
    func play(_ folded: UnreadChanges<Row>, _ unread: [SourceChange<Row>], depth: Int) {
      var reading = folded
      #expect(told(reading.take()) == naive(unread))
      #expect(told(reading.take()) == nil, "what was read is gone")
      scripts += 1
      guard depth > 0 else { return }
      play(reading, [], depth: depth - 1)
      for send in Self.sends {
        var next = folded
        next.fold(send)
        play(next, unread + [send], depth: depth - 1)
      }
    }
    play(UnreadChanges(), [], depth: 5)
    #expect(scripts > 9_000)
  }

  @Test func P11_theFirstPlaceIsKeptAndTheLaterCopyWins() {
    var unread = UnreadChanges<Row>()
    unread.fold(.items([Row(id: 5, title: "old"), Row(id: 3)]))
    unread.fold(.items([Row(id: 4), Row(id: 5, title: "new")]))
    guard case .items(let items) = unread.take()?.kind else {
      Issue.record("items became everything")
      return
    }
    #expect(items == [Row(id: 5, title: "new"), Row(id: 3), Row(id: 4)])
  }

  @Test func P11_moreItemsThanAreKeptBecomeEverything() {
    var unread = UnreadChanges<Row>()
    let limit = UnreadChanges<Row>.limit
    #expect(limit == 1_000)
    unread.fold(.items((0..<limit).map { Row(id: $0) }))
    unread.fold(.items((0..<limit).map { Row(id: $0, title: "fresher") }))
    guard case .items(let items) = unread.take()?.kind else {
      Issue.record("items became everything")
      return
    }
    #expect(items.count == limit && items.allSatisfy { $0.title == "fresher" })
    unread.fold(.items((0..<limit).map { Row(id: $0) }))
    unread.fold(.items([Row(id: 0), Row(id: limit)]))
    unread.fold(.items([Row(id: 0)]))
    #expect(told(unread.take()) == "all")
    #expect(told(unread.take()) == nil)
  }
}

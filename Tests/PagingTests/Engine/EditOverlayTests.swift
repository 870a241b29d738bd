import Loading
import Testing

@testable import Paging

/// P27, on the engine alone: every order of small scripts, and long random ones, against a naive reading.
@Suite struct EditOverlayTests {
  private typealias Event = (name: String, happen: (inout EditHarness) -> Void)

  private static func rows(_ range: Range<Int>) -> [Entry] { range.map { Entry(id: $0) } }

  private func started(
    _ config: PagingConfig? = nil, _ server: [Entry], at key: Int? = nil, counts: Bool = false
  ) -> EditHarness {
    var harness = EditHarness(
      config: config ?? PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2), server: server,
      initialKey: key)
    harness.counts = counts
    harness.observe()
    return harness
  }

  /// Plays all orders of `events`, and in each all ways of when running loads end, to `depth` events.
  private func playAll(_ start: EditHarness, _ events: [Event], depth: Int) -> Int {
    var (ends, failed) = (0, false)
    func play(_ harness: EditHarness, _ left: [Event], _ trace: [String]) {
      if failed { return }
      if let problem = harness.problem {
        Issue.record("\(problem) after \(trace.joined(separator: ", "))")
        failed = true
        return
      }
      if trace.count == depth || (left.isEmpty && harness.pending.isEmpty) {
        ends += 1
        return
      }
      func go(_ next: EditHarness, _ left: [Event], _ name: String) {
        if let problem = next.problem(comingFrom: harness.latest) {
          Issue.record("\(problem) at \((trace + [name]).joined(separator: ", "))")
          failed = true
          return
        }
        play(next, left, trace + [name])
      }
      for position in left.indices {
        // Steps of one name come in their order.
        if left[..<position].contains(where: {
          $0.name.split(separator: " ")[0] == left[position].name.split(separator: " ")[0]
        }) {
          continue
        }
        var (next, rest) = (harness, left)
        let event = rest.remove(at: position)
        event.happen(&next)
        go(next, rest, event.name)
      }
      for position in harness.pending.indices {
        var loaded = harness
        loaded.load(at: position)
        go(loaded, left, "\(harness.pending[position].params.type)")
      }
    }
    play(start, events, [])
    return ends
  }

  /// The steps of one edit, which come in order: it is given, then confirmed or rolled back.
  private func edit(
    _ name: String, _ item: Int, _ kind: EditHarness.Kind, _ number: UInt64, as entry: Entry? = nil,
    confirms: Bool = true
  ) -> [Event] {
    [
      ("\(name) given", { $0.edit(item, kind) }),
      confirms
        ? ("\(name) confirmed", { harness in Self.number(harness, item, kind).map { harness.confirm($0, as: entry) } })
        : ("\(name) rolled back", { harness in Self.number(harness, item, kind).map { harness.rollBack($0) } }),
    ]
  }

  /// The open edit of that kind.
  private static func number(_ harness: EditHarness, _ item: Int, _ kind: EditHarness.Kind) -> UInt64? {
    harness.edits.first { $0.confirmed == nil && "\($0.kind)" == "\(kind)" }?.number
  }

  private static func look(_ harness: inout EditHarness) {
    let count = harness.latest.count
    harness.look(at: max(0, count - 1)..<count)
  }

  @Test func P27_everyOrderOfTwoPatchesARefreshAndLoads() {
    let ends = playAll(
      started(nil, Self.rows(0..<6)),
      edit("a", 1, .patch("a"), 1) + edit("b", 1, .patch("b"), 2) + [
        ("refresh", { $0.refresh() }), ("look", Self.look),
      ], depth: 6)
    #expect(ends > 1000)
  }

  @Test func P27_everyOrderOfARemovalAnInsertionAndARefresh() {
    let draft = Entry(id: 100, text: "draft")
    let ends = playAll(
      started(nil, Self.rows(0..<5)),
      edit("remove", 1, .remove, 1) + edit("insert", 100, .insert(draft, .after(1)), 2) + [
        ("refresh", { $0.refresh() }), ("look", Self.look),
        ("server", { $0.server.removeAll { $0.id == 1 } }),
      ], depth: 6)
    #expect(ends > 1000)
  }

  @Test func P27_everyOrderOfAnInsertionThatGetsItsServerIdentity() {
    let draft = Entry(id: 100, text: "draft")
    let ends = playAll(
      started(nil, Self.rows(0..<4)),
      edit("insert", 100, .insert(draft, .start), 1, as: Entry(id: 7, text: "sent"))
        + edit("patch", 100, .patch("!"), 2)
        + [
          ("server", { $0.server.insert(Entry(id: 7, text: "kept"), at: 0) }),
          ("refresh", { $0.refresh(.start) }), ("look", Self.look),
        ], depth: 6)
    #expect(ends > 1000)
  }

  @Test func P27_everyOrderOfDropsAndReloadsUnderEdits() throws {
    let config = try PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2, maxSize: 4)
    let ends = playAll(
      started(config, Self.rows(0..<9), counts: true),
      edit("patch", 0, .patch("p"), 1) + edit("remove", 1, .remove, 2, confirms: false) + [
        ("look at the end", Self.look), ("look at the end", Self.look), ("look at the start", { $0.look(at: 0..<1) }),
      ], depth: 7)
    #expect(ends > 500)
  }

  @Test func P27_everyOrderOfInsertionsAtOnePoint() {
    let ends = playAll(
      started(nil, Self.rows(0..<2)),
      edit("a", 100, .insert(Entry(id: 100), .start), 1, confirms: false)
        + edit("b", 101, .insert(Entry(id: 101), .before(100)), 2, confirms: false)
        + edit("c", 102, .insert(Entry(id: 102), .start), 3, confirms: false)
        + edit("d", 103, .insert(Entry(id: 103), .after(0)), 4, confirms: false), depth: 6)
    #expect(ends > 1000)
  }

  @Test func P27_longRandomScriptsShowWhatANaiveReadingDoes() throws {
    for seed in UInt64(1)...60 {
      var script = try EditScript(seed: seed)
      if let problem = script.play(events: 250) {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
  }

  // MARK: - What it costs

  private func pages(_ snapshot: PagingSnapshot<Entry>) -> [PageNode] { snapshot.body.pages.tree.allPages }

  @Test func P27_anEditCostsThePageOfItsRowAndNoOther() {
    var harness = started(PagingConfig(pageSize: 20, initialLoadSize: 20), Self.rows(0..<4_000))
    for _ in 0..<150 {
      harness.drain()
      harness.perform { $0.loadAsked(.append, 1, now: .zero) }
    }
    harness.drain()
    #expect(harness.latest.pages.count > 140)
    let applied = Box(0)
    func patch(_ item: Int) {
      let node = RowPatch<Entry> {
        $0.text = "edited"
        applied.change { $0 += 1 }
      }
      harness.perform { $0.editGiven(SoughtItem(item, of: Entry.self), .patch(node), now: .zero).actions }
    }
    let before = harness.latest
    patch(1_000)
    let first = harness.latest
    #expect(zip(pages(before), pages(first)).count { $0 !== $1 } == 1)
    #expect(first.changes(from: before) == ListChanges(updates: [1_000]))
    patch(2_000)
    let second = harness.latest
    #expect(zip(pages(first), pages(second)).count { $0 !== $1 } == 1)
    #expect(second.changes(from: first) == ListChanges(updates: [2_000]))
    harness.perform { $0.loadAsked(.append, 1, now: .zero) }
    harness.drain()
    #expect(harness.latest.pages.count == second.pages.count + 1)
    #expect(zip(pages(second), pages(harness.latest)).count { $0 !== $1 } == 0)
    #expect(applied.value == 2, "an edited page is kept as long as nothing changes in it")
    harness.edit(1_000, .remove)
    #expect(zip(pages(second), pages(harness.latest)).count { $0 !== $1 } == 1)
    #expect(harness.latest.changes(from: second).removals == [1_000])
  }

  @Test func P27_withoutEditsThePagesAreTheGenerationsOwn() {
    var harness = started(nil, Self.rows(0..<6))
    harness.drain()
    let own = harness.state.shown.pages.allPages
    #expect(zip(own, pages(harness.latest)).allSatisfy { $0 === $1 })
    let number = harness.edit(1, .patch("x"))
    number.map { harness.rollBack($0) }
    #expect(harness.state.overlay.presented == nil)
    #expect(zip(own, pages(harness.latest)).allSatisfy { $0 === $1 })
  }

  @Test func P27_confirmedEditsAreKeptForAsLongAsTheyAreNeeded() {
    var harness = started(nil, Self.rows(0..<3))
    harness.drain()
    for item in [1, 900] {
      let number = harness.edit(item, .patch("x"))
      number.map { harness.confirm($0) }
    }
    // The item that is not loaded can only come by a load that begins later.
    #expect(harness.state.overlay.edits.map { $0.item.hash } == [1.hashValue])
  }

  @Test func P27_noMoreThanTenThousandConfirmedEditsAreKept() throws {
    var overlay = EditOverlay()
    for item in 0...EditOverlay.confirmedLimit {
      let added = overlay.add(SoughtItem(item, of: Entry.self), .removal)
      let number = try #require(added)
      overlay.confirm(number, as: nil, drawn: UInt64(item))
    }
    #expect(overlay.edits.count == EditOverlay.confirmedLimit)
    #expect(overlay.edits.first?.number == 2)
    #expect(overlay.openCount == 0)
  }

  @Test func P27_noMoreThanAThousandRowsGoByAnotherIdentity() {
    var aliases = RowAliases()
    for item in 0...RowAliases.limit {
      aliases.add(SoughtItem(item, of: Entry.self), goesBy: SoughtItem(-1 - item, of: Entry.self))
    }
    #expect(aliases.all.count == RowAliases.limit)
    #expect(aliases.item(of: SoughtItem(-1, of: Entry.self)) == nil)
    #expect(aliases.item(of: SoughtItem(-2, of: Entry.self))?.hash == 1.hashValue)
  }
}

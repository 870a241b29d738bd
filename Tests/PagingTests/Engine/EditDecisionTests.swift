import Testing

@testable import Paging

/// What loads, and what stays in place, where rows are edited.
@Suite struct EditDecisionTests {
  private func list(distance: Int, counts: Bool) -> EngineHarness {
    var harness = EngineHarness(
      config: PagingConfig(pageSize: 4, prefetchDistance: distance, initialLoadSize: 4),
      server: StillServer(count: 40, counts: counts))
    harness.observe()
    harness.load()
    return harness
  }

  private func edit(_ list: inout EngineHarness, _ item: Int, _ change: EditOverlay.Change) -> UInt64? {
    var number: UInt64?
    list.perform { state, now in
      let given = state.editGiven(SoughtItem(item, of: Row.self), change, now: now)
      number = given.edit
      return given.actions
    }
    return number
  }

  @Test func P3_whatLoadsAfterARefreshIsDecidedByTheRowsThatItShows() throws {
    var list = list(distance: 2, counts: false)
    for item in 100..<103 {
      let change = EditOverlay.Change.insertion(
        row: PageBox([Row(id: item)]), at: .after(SoughtItem(3, of: Row.self)))
      let number = try #require(edit(&list, item, change))
      list.perform { $0.editConfirmed(number, as: nil, now: $1) }
    }
    list.look(at: 0..<3)
    #expect(list.pending.isEmpty && list.presentedRows.count == 7)
    _ = list.command { $0.refreshAsked(.start, $1, now: $2) }
    list.load()
    // The insertions ended with the refresh: one row is left beyond the viewport.
    #expect(list.presentedRows.count == 4)
    #expect(list.pending.map(\.params.purpose) == [.prefetch])
  }

  @Test func P10_aViewportInPlaceholdersHasNoAnchorWhateverIsEditedElsewhere() throws {
    var list = list(distance: 0, counts: true)
    _ = try #require(edit(&list, 1, .patch(RowPatch<Row> { $0.title = "edited" })))
    list.look(at: 20..<22)
    _ = list.command { $0.refreshAsked(.anchor, $1, now: $2) }
    list.load()
    #expect(list.pending.isEmpty && list.state.candidate == nil && list.rows == [0, 1, 2, 3])
    #expect(list.state.viewports.union == Viewport(lower: 20, upper: 22))
  }
}

import Testing

@testable import PagingStore

@Suite struct EditLifeTests {
  private func life(_ phase: EditLife.Phase, version: Int64? = nil) -> EditLife {
    EditLife(phase: phase, version: version, acknowledgedAt: phase == .acknowledged ? 10 : nil)
  }

  @Test func S10_aConfirmedEditGoesThroughAllItsPhases() throws {
    var edit = EditLife()
    for (event, phase) in [
      (EditLife.Event.markSending, EditLife.Phase.sending), (.fail, .failed), (.markSending, .sending),
      (.confirm(version: 3), .acknowledged),
    ] {
      guard case .becomes(let next) = try edit.after(event, at: 10) else {
        Issue.record("\(event) ended the edit")
        return
      }
      #expect(next.phase == phase)
      edit = next
    }
    #expect(edit == EditLife(phase: .acknowledged, tries: 2, version: 3, acknowledgedAt: 10))
  }

  @Test func S10_whatWasSaidTwiceChangesNothing() throws {
    #expect(try life(.failed).after(.fail, at: 11) == .becomes(life(.failed)))
    #expect(
      try life(.acknowledged, version: 3).after(.confirm(version: 2), at: 11)
        == .becomes(life(.acknowledged, version: 3)))
    #expect(try life(.acknowledged).after(.confirm(version: 2), at: 11) == .becomes(life(.acknowledged, version: 2)))
  }

  @Test(arguments: [EditLife.Event.markSending, .fail, .rollback])
  func S10_theServersWordIsNotTakenBack(_ event: EditLife.Event) {
    let error = #expect(throws: ListStoreError.self) { try life(.acknowledged).after(event, at: 11) }
    #expect(error?.code == .wrongState)
  }

  @Test(arguments: [EditLife.Phase.queued, .sending, .failed])
  func S10_whatTheServerHasNotTakenCanBeRolledBack(_ phase: EditLife.Phase) throws {
    #expect(try life(phase).after(.rollback, at: 11) == .rollsBack)
  }

  @Test func S10_versionsDecideWhereBothAreKnown() {
    let edit = life(.acknowledged, version: 5)
    #expect(edit.isKnown(toCopyOf: 5, startedAt: 2))
    #expect(edit.isKnown(toCopyOf: 6, startedAt: nil))
    #expect(!edit.isKnown(toCopyOf: 4, startedAt: 2))
    #expect(!edit.isKnown(toCopyOf: 4, startedAt: 20), "a server that lags")
  }

  @Test func S10_withoutVersionsOnlyWhatLeftAfterTheWordKnows() {
    for edit in [life(.acknowledged), life(.acknowledged, version: 5)] {
      #expect(edit.isKnown(toCopyOf: nil, startedAt: 10))
      #expect(!edit.isKnown(toCopyOf: nil, startedAt: 9))
      #expect(!edit.isKnown(toCopyOf: nil, startedAt: nil))
    }
  }

  @Test(arguments: [EditLife.Phase.queued, .sending, .failed])
  func S10_nothingKnowsOfWhatWasNotConfirmed(_ phase: EditLife.Phase) {
    #expect(!life(phase).isKnown(toCopyOf: 99, startedAt: 99))
  }

  @Test func B85_aDeletedItemsEditsFailAndConfirmedOnesEnd() {
    #expect(life(.queued).afterDeletion?.phase == .failed)
    #expect(life(.sending).afterDeletion?.phase == .failed)
    #expect(life(.acknowledged).afterDeletion == nil)
  }

  @Test func S10_onlyWhatNobodyBeganToSendIsSuperseded() {
    #expect(life(.queued).canBeSuperseded)
    #expect(!life(.sending).canBeSuperseded)
    #expect(!life(.acknowledged).canBeSuperseded)
    #expect(!life(.failed).canBeSuperseded)
  }
}

import Testing

@testable import PagingStore

/// Live items over a store: when they go in at the head, and what becomes of them elsewhere.
@Suite struct LiveSessionTests {
  private let store: ListStore

  init() throws { store = try ListStore.inMemory() }

  private func list(
    order: ListPolicy.Order = .cursor, freshness: ListPolicy.Freshness = .prepend, unproven: UnprovenLive = .held
  ) -> StoredList<Note> {
    var policy = ListPolicy(order: order, freshness: freshness)
    policy.unprovenLive = unproven
    return store.list("home", policy: policy)
  }

  private func current(_ list: StoredList<Note>) throws -> LiveSession<Note> {
    let session = try list.liveSession()
    try list.take(notePage(50, 41))
    return session
  }

  @Test func B31_liveItemIsAppended() throws {
    let list = list()
    let session = try current(list)
    try session.receive(notes(51, 51) + notes(52, 52))
    #expect(try list.shape() == "52…41")
    #expect(try list.runs().count == 1)
    #expect(try list.runs().first?.newer.token == nil, "the token pointed into what came")
    session.end()
  }

  @Test func B36_afterAReconnectionLiveItemsAreHeldUntilTheHeadIsAsked() throws {
    let list = list()
    try current(list).end()
    let session = try list.liveSession()
    let request = try list.request(.head)
    try session.receive(notes(55, 55))
    #expect(try list.shape() == "50…41")
    try list.apply(notePage(54, 45), for: request)
    #expect(try list.shape() == "55…41", "B37: it is placed once above")
    try session.receive(notes(55, 55) + notes(56, 56))
    #expect(try list.shape() == "56…41")
  }

  @Test func B38_aHeldItemThatThePageHasStandsOnce() throws {
    let list = list()
    try current(list).end()
    let session = try list.liveSession()
    try session.receive(notes(55, 55))
    try list.take(notePage(55, 46))
    #expect(try list.shape() == "55…41")
    session.end()
  }

  @Test func B39_anItemThatCameLiveIsKeptWhenTheHeadPageIsOlder() throws {
    let list = list()
    let session = try current(list)
    let request = try list.request(.head)
    try session.receive(notes(51, 51))
    try list.apply(notePage(50, 41), for: request)
    #expect(try list.shape() == "51…41")
    session.end()
  }

  @Test func B42_aSubscriptionThatBrokeMeanwhileProvesNothing() throws {
    let list = list()
    let first = try list.liveSession()
    let request = try list.request(.head)
    first.end()
    let second = try list.liveSession()
    try list.apply(notePage(50, 41), for: request)
    #expect(try list.runs().first?.newer.state == .open)
    try second.receive(notes(51, 51))
    #expect(try list.shape() == "50…41")
  }

  @Test func B42_anAnswerForTheEarlierSubscriptionProvesNothingToTheLaterOne() throws {
    let list = list()
    let first = try current(list)
    let request = try list.request(.head)
    // The answer comes in the moment in which the later one takes back what the earlier one proved.
    let isFirst = Locked(true)
    let listening = list.core.hub.subscribe { _ in
      let isNow = isFirst.change { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isNow { _ = try? list.apply(notePage(50, 41), for: request) }
    }
    let second = try list.liveSession()
    #expect(!isFirst.value)
    try second.receive(notes(55, 55))
    #expect(try list.shape() == "50…41", "nobody knows what came between 50 and 55")
    listening.cancel()
    first.end()
    second.end()
  }

  @Test func B43_anOldWindowGetsNothingAppended() throws {
    let list = list(order: .keyed)
    try list.take(notePage(50, 41))
    try list.take(notePage(90, 81))
    #expect(try list.shape() == "90…81 | 50…41")
    let session = try list.liveSession()
    try session.receive(notes(91, 91))
    #expect(try list.shape() == "90…81 | 50…41")
    session.end()
  }

  @Test func B47_anUpdateMakesNoRow() throws {
    let list = list()
    let session = try current(list)
    try session.receiveUpdates([Note(id: 45, text: "new"), Note(id: 99, text: "elsewhere")])
    #expect(try list.shape() == "50…41")
    #expect(try store.item(45, of: Note.self)?.text == "new")
    #expect(try store.item(99, of: Note.self) == nil)
    session.end()
  }

  @Test func B49_aLateItemGoesBetweenItsNeighboursAndNotIntoAGap() throws {
    let list = list(order: .keyed)
    let session = try list.liveSession()
    try list.take(RemotePage([Note(id: 30), Note(id: 10)], reachedEnd: true))
    try list.take(RemotePage([Note(id: 60), Note(id: 50)], olderToken: "t"))
    try session.receive([Note(id: 20), Note(id: 40), Note(id: 55)])
    #expect(try list.shape() == "60 55 50 | 30 20 10")
    session.end()
  }

  @Test func S6_theEndOfASessionOpensTheHeadAndDropsWhatWasHeld() throws {
    let list = list()
    let session = try current(list)
    #expect(try list.runs().first?.newer.state == .live)
    session.end()
    #expect(try list.runs().first?.newer.state == .open)
    #expect(storeCode { try session.receive(notes(51, 51)) } == .wrongState)
    let next = try list.liveSession()
    try next.receive(notes(60, 60))
    next.end()
    _ = try list.liveSession()
    try list.take(notePage(50, 41))
    #expect(try list.shape() == "50…41")
  }

  @Test func S6_aLaterSessionTakesThePlaceOfAnEarlierOne() throws {
    let list = list()
    let first = try current(list)
    let second = try list.liveSession()
    #expect(storeCode { try first.receive(notes(51, 51)) } == .wrongState)
    first.end()
    try list.take(notePage(50, 41))
    try second.receive(notes(51, 51))
    #expect(try list.shape() == "51…41", "the end of the first didn't end the second")
  }

  @Test func S6_whatWasLeftAsCurrentByAProcessThatDiedIsNot() throws {
    let folder = try CoreFolder()
    let first = try ListStore(at: folder.file).list("home", of: Note.self)
    let session = try first.liveSession()
    try first.take(notePage(50, 41))
    let copy = try ListStore(at: folder.copy(as: "killed.db")).list("home", of: Note.self)
    let next = try copy.liveSession()
    try next.receive(notes(60, 60))
    #expect(try copy.shape() == "50…41")
    session.end()
  }

  @Test func S6_unprovenItemsAreHeldCountedOrRefusedByThePolicy() throws {
    for (policy, count, shape) in [
      (UnprovenLive.held, 0, "55 50…41"), (.counted, 1, "55 50…41"), (.refused, 0, "50…41"),
    ] {
      let store = try ListStore.inMemory()
      var rules = ListPolicy()
      rules.unprovenLive = policy
      let list = store.list("home", of: Note.self, policy: rules)
      try list.take(notePage(50, 41))
      let session = try list.liveSession()
      let request = try list.request(.head)
      try session.receive(notes(55, 55))
      #expect(try list.currentPendingCount() == PendingCount(count: count, isLowerBound: count > 0))
      try list.apply(notePage(50, 41), for: request)
      #expect(try list.shape() == shape)
      session.end()
    }
  }
}

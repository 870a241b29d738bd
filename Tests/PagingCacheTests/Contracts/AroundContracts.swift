import Loading
import PagingTesting
import Testing

@testable import PagingCache

/// C3: a page and its neighbours.
@Suite(.timeLimit(.minutes(10))) struct AroundContracts {
  @Test func C3_depthTwoForwardFromFiveFetchesSixAndSeven() async {
    let kit = Kit()
    let request = AroundRequest("5", pageSize: 3, depth: 2, direction: .forward)
    #expect(await words(kit.paginator().fetchAround(request)) == ["5", "6", "7"])
    #expect(kit.source.keys == ["5", "6", "7"])
  }

  @Test func C3_backwardFollowsPreviousKeys() async {
    let kit = Kit()
    let request = AroundRequest("5", pageSize: 3, depth: 3, direction: .backward)
    #expect(await words(kit.paginator().fetchAround(request)) == ["5", "4", "3", "2"])
  }

  @Test func C3_theAskedPageComesBeforeAnyNeighbourAndEachWayGoesOutward() async {
    let kit = Kit()
    // Neighbours that are in memory already would be first, if anything else than the order of delivery decided.
    let paginator = kit.paginator()
    for key in ["4", "6", "7"] { _ = try? await paginator.fetch(key, pageSize: 3) }
    let found = await words(paginator.fetchAround(AroundRequest("5", pageSize: 3, depth: 2)))
    #expect(found.first == "5")
    #expect(found.filter { "67".contains($0) } == ["6", "7"])
    #expect(found.filter { "43".contains($0) } == ["4", "3"])
    #expect(found.count == 5)
  }

  @Test func C3_noNeighbourIsAskedForBeforeTheAskedPageHasCome() async {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let stream = kit.paginator().fetchAround(AroundRequest("5", pageSize: 3, depth: 1))
    await gate.waiting(atLeast: 1)
    #expect(kit.source.keys == ["5"])
    gate.open()
    #expect(Set(await words(stream)) == ["4", "5", "6"])
  }

  @Test func C3_aFailureEndsItsOwnWayOnly() async {
    let kit = Kit()
    kit.source.fail("6", with: Offline())
    let found = await words(kit.paginator().fetchAround(AroundRequest("5", pageSize: 3, depth: 2)))
    #expect(Set(found) == ["5", "6 sourceFailed", "4", "3"])
    #expect(!kit.source.keys.contains("7"))
  }

  @Test func C3_aFailureOfTheAskedPageEndsAll() async {
    let kit = Kit()
    kit.source.fail("5", with: Offline())
    #expect(await words(kit.paginator().fetchAround(AroundRequest("5", pageSize: 3, depth: 2))) == ["5 sourceFailed"])
  }

  @Test func C3_theListsEndsEndTheWays() async {
    let kit = Kit(pages: 2)
    let found = await words(kit.paginator().fetchAround(AroundRequest("1", pageSize: 3, depth: 9)))
    #expect(found == ["1", "2"])
  }

  @Test func C3_keysThatGoRoundEndTheirWay() async {
    let kit = Kit()
    kit.source.set(SamplePage(key: "7", items: [], previousKey: "6", nextKey: "5"))
    let found = await words(
      kit.paginator().fetchAround(AroundRequest("5", pageSize: 3, depth: 9, direction: .forward)))
    #expect(found == ["5", "6", "7"])
  }

  @Test(arguments: [0, -1]) func C3_withoutDepthThereAreNoNeighbours(depth: Int) async {
    let kit = Kit()
    #expect(await words(kit.paginator().fetchAround(AroundRequest("5", pageSize: 3, depth: depth))) == ["5"])
  }

  @Test func C3_whoStopsReadingLeavesTheRestUndone() async {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("6", by: gate)
    let paginator = kit.paginator()
    let reader = Task {
      for await delivery in paginator.fetchAround(AroundRequest("5", pageSize: 3, depth: 5, direction: .forward)) {
        _ = delivery
      }
    }
    await gate.waiting(atLeast: 1)
    reader.cancel()
    await reader.value
    await until { gate.waiting == 0 }
    await until { paginator.word("6") == "absent" }
    #expect(kit.source.keys == ["5", "6"])
  }
}

import Foundation
import Loading
import Paging
import PagingTesting
import Testing

@testable import PagingCache

/// C7: keys that are refused, and keys that have expired.
@Suite(.timeLimit(.minutes(10))) struct KeyContracts {
  private func expectRefusal(
    _ kit: Kit, _ code: PaginatorError.Code, naming text: String, _ key: String, size: Int = 3
  )
    async
  {
    let paginator = kit.paginator()
    let error = await failure { try await paginator.fetch(key, pageSize: size) }
    #expect(error?.code == code)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(kit.source.calls.isEmpty && kit.store.operations.isEmpty, "nothing was done for it")
    #expect(paginator.statistics == kit.paginator().statistics)
    #expect(paginator.word(key, pageSize: size) == "absent")
  }

  @Test func C7_anEmptyKeyIsRefusedBeforeAnyWork() async {
    await expectRefusal(Kit(), .invalidKey, naming: "\"\"", "")
  }

  @Test func C7_anOversizedKeyIsRefusedBeforeAnyWork() async {
    let key = String(repeating: "é", count: 8_193)
    await expectRefusal(Kit(), .invalidKey, naming: "\"éééé", key)
    let kit = Kit()
    let fits = String(repeating: "é", count: 8_192)
    kit.source.set(SamplePage(key: fits, items: []))
    #expect(await failure { try await kit.paginator().fetch(fits, pageSize: 3) } == nil)
  }

  @Test func C7_aMalformedKeyIsRefusedBeforeAnyWorkByTheValidatorsWord() async {
    let kit = Kit()
    kit.validator.set(.malformed("not a number"), ofKey: "five")
    await expectRefusal(kit, .invalidKey, naming: "\"five\" is malformed: not a number", "five")
  }

  @Test(arguments: [0, -1]) func C7_aPageSizeBelowOneIsRefused(size: Int) async {
    await expectRefusal(Kit(), .invalidPageSize, naming: "\(size)", "5", size: size)
  }

  @Test func C7_neighboursWithBadKeysFailInTheirOwnWay() async {
    let kit = Kit()
    kit.validator.set(.malformed("odd"), ofKey: "6")
    let found = await words(kit.paginator().fetchAround(AroundRequest("5", pageSize: 3, depth: 1)))
    #expect(Set(found) == ["5", "4", "6 invalidKey"])
  }

  // MARK: - Expired keys

  private func walked(
    _ kit: Kit, from key: String = "1", _ direction: PageFetchDirection = .forward
  ) async
    -> Paginator<SampleItem>
  {
    let paginator = kit.paginator()
    _ = await words(paginator.fetchAround(AroundRequest(key, pageSize: 3, depth: 6, direction: direction)))
    return paginator
  }

  private func keysOnDisk(_ kit: Kit) -> [String] { kit.store.pages.keys.map(\.key).sorted() }

  @Test func C7_anExpiredKeyFailsWithTheNearestThatIsGoodAndDropsWhatWasReachedThroughIt() async throws {
    let kit = Kit()
    let paginator = await walked(kit)
    for key in ["4", "5"] { kit.validator.set(.expired, ofKey: key) }
    let calls = kit.source.calls.count
    let error = try #require(await failure { try await paginator.fetch("5", pageSize: 3) })
    #expect(error.code == .expiredKey)
    #expect(error.nearestKey == "3")
    #expect(error.message.contains("\"5\"") && error.message.contains("\"3\""))
    #expect(kit.source.calls.count == calls, "refused before any load")
    // Pages 5 to 7 were reached through it, and page 4 names it.
    #expect(keysOnDisk(kit) == ["1", "2", "3"])
    #expect((5...7).allSatisfy { paginator.word("\($0)") == "absent" } && paginator.word("3") == "loaded")
    #expect(paginator.statistics.evictions.unreachable == 4)
  }

  @Test func C7_theWayBackGoesTheOtherWayForAPreviousKey() async throws {
    let kit = Kit()
    let paginator = await walked(kit, from: "7", .backward)
    kit.validator.set(.expired, ofKey: "4")
    let error = await failure { try await paginator.fetch("4", pageSize: 3) }
    #expect(error?.nearestKey == "5")
    #expect(keysOnDisk(kit) == ["6", "7"], "1 to 4 were reached through it, and 5 names it")
  }

  @Test(arguments: [true, false]) func C7_aSourceMaySayThatAKeyHasExpired(inPagersWords: Bool) async throws {
    let kit = Kit()
    let paginator = await walked(kit)
    let expiry: any Error =
      inPagersWords ? PagingError.cursorExpired : PaginatorError(.expiredKey, message: "Too old.")
    kit.source.fail("6", with: expiry)
    let error = try #require(await failure { try await paginator.reload("6", pageSize: 3) })
    #expect(error.code == .expiredKey && error.nearestKey == "5" && error.cause != nil)
    #expect(keysOnDisk(kit) == ["1", "2", "3", "4"])
  }

  @Test func C7_whatIsGoneFromTheCachesDoesNotHideWhatLiesBehind() async throws {
    let kit = Kit()
    let paginator = await walked(kit)
    paginator.clear("6")
    await paginator.store?.cleared()
    kit.validator.set(.expired, ofKey: "5")
    _ = await failure { try await paginator.fetch("5", pageSize: 3) }
    #expect(keysOnDisk(kit) == ["1", "2", "3"], "page 7 too, though page 6 was gone")
  }

  @Test func C7_withoutAWayBackThereIsNoNearestKey() async {
    let kit = Kit()
    kit.validator.set(.expired, ofKey: "5")
    let error = await failure { try await kit.paginator().fetch("5", pageSize: 3) }
    #expect(error?.code == .expiredKey && error?.nearestKey == nil)
  }
}

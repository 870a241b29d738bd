import Paging
import PagingTesting
import PagingUI
import Synchronization
import Testing

@testable import PagingStore

/// Probes of what is new and of what changed; the outcomes are in `Documentation/Probes.md`.
@MainActor @Suite(.timeLimit(.minutes(10))) struct NewsProbeTests {
  @Test func rankedFeedRefreshedTwice_eachRefreshIsOneSwitchAndARestartShowsTheLast() async throws {
    let ranking = Ranking()
    ranking.rank(Array(1...40))
    let policy = ListPolicy(order: .ranked(.session))
    let phone = try await ProbeDevice { $0.list("hot", policy: policy, remote: ranking.source(over: $1)) }
    let tablet = try await ProbeDevice { $0.list("hot", policy: policy, remote: ranking.source(over: $1)) }
    #expect(phone.screen.shown == "1 2 3 4 5 6 7 8")
    let orders = [Array((1...40).reversed()), (1...40).map { ($0 * 7) % 41 }]
    for order in orders {
      ranking.rank(order)
      let frames = phone.screen.frames.count
      await phone.screen.list.refresh(from: .start)
      await phone.screen.settled()
      #expect(phone.screen.list.rows.items.prefix(8).compactMap { $0.item?.id } == Array(order.prefix(8)))
      #expect(phone.screen.frames.dropFirst(frames).allSatisfy { !$0.hasPrefix(" ") }, "no frame is empty")
    }
    #expect(tablet.screen.shown == "1 2 3 4 5 6 7 8", "another device's session is its own")

    let last = phone.screen.list.rows.items.prefix(20).compactMap { $0.item?.id }
    #expect(last == Array(orders[1].prefix(20)))
    phone.line.cut()
    try await phone.killAndStart()
    #expect(phone.screen.list.rows.items.prefix(20).compactMap { $0.item?.id } == last)
  }

  @Test func rankedFeedRefreshedTwice_whatWasShownIsHeldBackWhereTheServerCan() async throws {
    let policy = ListPolicy(order: .ranked(.excludingShown))
    for _ in 0..<2 {
      let device = try await ProbeDevice { store, line in
        store.list(
          "hot", policy: policy,
          remote: RankedPageSource(excluding: { shown, params in
            try await line.pass()
            return Array(Notice.from(100, to: 1).filter { !shown.contains($0.id) }.prefix(params.loadSize))
          }))
      }
      #expect(device.screen.shown == "100-93")
      for first in [80, 60] {
        await device.screen.list.refresh(from: .start)
        #expect(device.screen.list.rows.items.first?.item?.id == first)
      }
    }
  }

  @Test func newItemsWhileReading_nothingMovesAndTheCountSaysHowMany() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let phone = try await ProbeDevice(server, ListPolicy(freshness: .newItemsControl))
    let tablet = try await ProbeDevice(server, ListPolicy(freshness: .prepend))
    for device in [phone, tablet] { _ = await device.screen.read(to: 196) }
    server.publish(201...205)
    for device in [phone, tablet] {
      let frames = device.screen.frames.count
      await device.refresh()
      #expect(Set(device.screen.frames.dropFirst(frames) + [device.screen.shown]) == ["196-189"])
    }
    // On the phone they wait until they are asked for, and then go in above.
    #expect(try phone.feed.currentPendingCount() == PendingCount(count: 5))
    #expect(phone.screen.list.unseenRowsAtStart == 0)
    try phone.feed.showPending()
    while phone.screen.list.rows.items.first?.item?.id != 205 { await phone.screen.oneUpdate() }
    #expect(phone.screen.shown == "196-189")
    // On the tablet they are there, above.
    #expect([phone, tablet].map(\.screen.list.unseenRowsAtStart) == [5, 5])
    for device in [phone, tablet] {
      _ = await device.screen.read(to: 203)
      #expect(device.screen.list.unseenRowsAtStart == 2)
      _ = await device.screen.read(to: 205)
      #expect(device.screen.shown == "205-198")
      #expect(device.screen.list.unseenRowsAtStart == 0)
    }
  }

  @Test func listAgainstDetail_anEditShowsInTheRowAtOnceAndNothingReloads() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let phone = try await ProbeDevice(server)
    let tablet = try await ProbeDevice(server)
    let asked = server.asked
    // The detail screen edits the item that a row shows.
    let edit = try phone.store.edit(197, of: Notice.self, intent: "rename") { $0.text = "edited" }
    while phone.screen.text(of: 197) != "edited" { await phone.screen.oneUpdate() }
    #expect(phone.screen.list.changes == ListChanges(updates: [3]))
    // It fetches another one afresh.
    let session = try phone.feed.liveSession()
    try session.receiveUpdates([Notice(196, "fresh")])
    while phone.screen.text(of: 196) != "fresh" { await phone.screen.oneUpdate() }
    session.end()
    #expect(server.asked == asked)
    #expect(phone.screen.shown == "200-193")

    // The other device has it when it asks, in place.
    let sent = try edit.markSending()
    server.update(Notice(197, "edited"))
    try sent.confirm()
    #expect(tablet.screen.text(of: 197) == "")
    await tablet.refresh()
    #expect(tablet.screen.text(of: 197) == "edited")
    #expect(tablet.screen.shown == "200-193")
    await phone.refresh()
    #expect(phone.screen.text(of: 197) == "edited")
  }
}

import Paging
import PagingTesting
import PagingUI
import Testing

@testable import PagingStore

/// Probes of leaving a list and coming back to it; the outcomes are in `Documentation/Probes.md`.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ReturnProbeTests {
  /// Two devices with one server, on which two readers have come to the post 150.
  private func devices(
    _ policies: [ListPolicy] = [ListPolicy(), ListPolicy(freshness: .newItemsControl)]
  ) async throws
    -> (NoticeServer, [ProbeDevice])
  {
    let server = NoticeServer(from: 200, to: 1)
    var devices: [ProbeDevice] = []
    for policy in policies {
      let device = try await ProbeDevice(server, policy)
      _ = await device.screen.read(to: 150)
      devices.append(device)
    }
    return (server, devices)
  }

  @Test func leaveAndReturnDetailScreen_theSameRowHoweverMuchCameMeanwhile() async throws {
    let (server, devices) = try await devices([
      ListPolicy(gaps: .catchUp(maxPages: 20)), ListPolicy(freshness: .newItemsControl, gaps: .catchUp(maxPages: 20)),
    ])
    server.publish(201...400)
    for device in devices {
      // The list is behind the detail screen, and is refreshed there.
      let frames = device.screen.frames.count
      await device.refresh()
      #expect(Set(device.screen.frames.dropFirst(frames) + [device.screen.shown]) == ["150-143"])
    }
    #expect(try devices[1].feed.currentPendingCount() == PendingCount(count: 100, isLowerBound: true))
    try devices[1].feed.showPending()
    await devices[1].refresh()
    #expect(devices.map(\.screen.shown) == ["150-143", "150-143"])
    for device in devices { #expect(try await device.feed.picture().hasPrefix("400-1")) }
  }

  @Test func leaveAndReturnAMinute_theSameRowBeforeAnyAnswer() async throws {
    let (server, devices) = try await devices()
    for device in devices {
      try device.leaveScreen()
      server.publish(201...203)
      device.timePasses(hours: 1 / 60)
      try await expectsReturn(device, to: "150-143")
    }
  }

  @Test func leaveAndReturnHours_theSameRowHoweverLongItWas() async throws {
    let (server, devices) = try await devices()
    server.publish(201...290)
    for device in devices {
      try device.leaveScreen()
      device.timePasses(hours: 9)
      try await expectsReturn(device, to: "150-143")
    }
  }

  @Test func leaveAndReturnHoursWithStaleAfter_theNewestRowsAndAWayBack() async throws {
    var policy = ListPolicy()
    policy.staleAfter = .seconds(3_600)
    let (server, devices) = try await devices([policy, policy])
    server.publish(201...290)
    for (device, hours) in zip(devices, [0.9, 9]) {
      try device.leaveScreen()
      device.timePasses(hours: hours)
      let place = try #require(try device.feed.savedPosition())
      #expect(place.position.item == 150 && place.position.offset == 16.5)
      #expect(place.isStale == (hours > 1))
      try await device.openScreen()
      #expect(device.screen.shown == (place.isStale ? "290-283" : "150-143"))
      // What was stored is still there, without a connection too.
      device.line.cut()
      try await device.openScreen(at: .item(150))
      #expect(device.screen.shown == "150-143")
    }
  }

  @Test func leaveAndReturnProcessKilled_theSameRowFromTheFileWithoutAConnection() async throws {
    let (server, devices) = try await devices()
    server.publish(201...203)
    for (device, isFlushed) in zip(devices, [true, false]) {
      // The system says that the app goes to the background, or doesn't come to it.
      if isFlushed {
        try device.savePlace()
      } else {
        try device.feed.savePosition(ListPosition(item: 150, offset: 16.5))
      }
      device.line.cut()
      let asked = server.asked
      try await device.killAndStart()
      #expect(device.screen.shown == "150-143")
      #expect(try device.feed.savedPosition()?.position.offset == 16.5)
      #expect(server.asked == asked)
      _ = await device.screen.read(to: 170)
      #expect(device.screen.shown == "170-163", "all that was stored is there")
    }
  }

  @Test func gapAfterAbsence_aRowStandsForWhatIsMissingUntilItIsFilledFromEitherSide() async throws {
    let (server, devices) = try await devices([ListPolicy(), ListPolicy()])
    server.publish(201...290)
    for (device, side) in zip(devices, [GapSide.below, .above]) {
      try device.leaveScreen()
      device.timePasses(hours: 9)
      try await device.openScreen()
      #expect(try await device.feed.picture().hasPrefix("290-271 gap 200-"))
      // The reader stands below the gap, or above it.
      _ = await device.screen.read(to: side == .below ? 199 : 275)
      if side == .below { device.screen.scroll(by: -2) }
      await device.screen.settled()
      #expect(device.screen.shown == (side == .below ? "gap 200-194" : "275-271 gap 200-199"))
      let eye = side == .below ? 199 : 274
      let row = try #require(place(of: eye, device))
      var fills = 0
      while let gap = try await device.feed.gaps().first, fills < 10 {
        #expect(gap.fillableSides == [.above, .below])
        try await device.feed.fill(gap, from: side)
        await device.screen.settled()
        fills += 1
        #expect(place(of: eye, device) == row, "the row under the eye is where it was")
      }
      #expect(fills > 1)
      await device.refresh()
      #expect(try await device.feed.picture().hasPrefix("290-1"))
      #expect(device.screen.shown == (side == .below ? "201-194" : "275-268"))
    }
  }

  /// How many rows below the upper edge of the screen a post is.
  private func place(of id: Int, _ device: ProbeDevice) -> Int? {
    device.screen.list.rows.firstIndex { $0.item?.item?.id == id }.map { $0 - device.screen.top }
  }

  /// Opens the screen without a connection, then with one: both times the reader is where he was.
  private func expectsReturn(_ device: ProbeDevice, to shown: String) async throws {
    let place = try #require(try device.feed.savedPosition())
    #expect(place.isExact && !place.isStale)
    #expect(place.position.offset == 16.5)
    device.line.cut()
    try await device.openScreen()
    #expect(device.screen.shown == shown)
    device.line.mend()
    device.screen.list.retry()
    await device.screen.settled()
    #expect(device.screen.list.loadStates.refresh.failure == nil)
    #expect(device.screen.shown == shown)
  }
}

import Paging
import PagingTesting
import PagingUI
import Testing

@testable import PagingStore

/// Probes of a list that are played by scrolling; the outcomes are in `Documentation/Probes.md`.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ScrollProbeTests {
  @Test func scrollRhythm_noWaitAtReadingSpeedAndOneInAFling() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let phone = try await ProbeDevice(server)
    // An answer takes as long as eight rows are read in, each from a screen that is full.
    for first in stride(from: 200, to: 104, by: -8) {
      let gate = phone.line.hold()
      for step in 1...8 {
        phone.screen.scroll(by: 1)
        await phone.screen.list.catchUp()
        #expect(phone.screen.shown == "\(first - step)-\(first - step - 7)")
      }
      gate.open()
      await phone.screen.settled()
    }
    #expect(server.asked == 6, "a page is asked for once, and none that isn't wanted yet")

    let tablet = try await ProbeDevice(server)
    let before = server.asked
    let gate = tablet.line.hold()
    tablet.screen.scroll(by: 90)
    await gate.waiting(atLeast: 1)
    await tablet.screen.list.catchUp()
    #expect(tablet.screen.shown == "181 loading", "what is at the end says that it waits")
    tablet.screen.scroll(by: 90)
    await tablet.screen.list.catchUp()
    gate.open()
    await tablet.screen.settled()
    #expect(tablet.screen.shown == "181-174")
    #expect(server.asked == before + 1)
  }

  @Test func pageSize_aLargerFirstPageThenOneSizeAndWhateverTheServerGives() async throws {
    let config = PagingConfig(pageSize: 20, prefetchDistance: 10)
    let server = NoticeServer(from: 200, to: 1)
    let phone = try await ProbeDevice(config: config) { $0.list("home", remote: server.anchored(over: $1)) }
    _ = await phone.screen.read(to: 1)
    #expect(server.requests.map(\.limit) == [60] + Array(repeating: 20, count: 7))
    #expect(phone.screen.list.suggestedPageSize == 20, "for eight rows on a screen")

    // This one gives no more than seven rows, and says nothing of it.
    let frugal = DriftingServer(Notice.from(90, to: 1), maxPageSize: 7)
    let tablet = try await ProbeDevice(config: config) { $0.list("home", remote: frugal.anchored(over: $1)) }
    _ = await tablet.screen.read(to: 1)
    #expect(try await tablet.feed.picture() == "90-1")
    #expect(tablet.screen.list.loadStates.append.isAtEnd)
  }

  /// Rows come at the start with every request, under cursors and under numbers of rows.
  @Test func insertWhileScrolling_noRowTwiceNoneMissedAndNothingMoves() async throws {
    let server = NoticeServer(from: 100, to: 1)
    server.beforeEachRequest { server, request in server.publish(100 + request.number...100 + request.number) }
    let phone = try await ProbeDevice(server)
    let tablet = try await ProbeDevice { $0.list("home", remote: server.counted(over: $1)) }
    for device in [phone, tablet] {
      var expected = try #require(device.screen.firstNotice)
      for frame in await device.screen.read(to: 1) {
        expected -= 1
        #expect(frame == Self.frame(from: expected, downTo: 1))
      }
      #expect(device.screen.firstNotice == 1)
      #expect(try await !device.feed.picture().contains(" "))
    }
  }

  /// Rows go, above the screen and below it, while it is scrolled.
  @Test func removeWhileScrolling_whatExistsIsSeenAndWhatIsGoneGoes() async throws {
    for countsRows in [false, true] {
      let server = NoticeServer(from: 100, to: 1)
      server.beforeRequest(2) { server in
        for id in [95, 94, 70] { server.delete(id) }
      }
      let device = try await ProbeDevice {
        countsRows
          ? $0.list("home", remote: server.counted(over: $1)) : $0.list("home", remote: server.anchored(over: $1))
      }
      _ = await device.screen.read(to: 1)
      #expect(try await device.feed.picture() == "100-71 69-1", "loaded rows stay where they were")
      #expect(device.screen.shown == "1 end")
      await device.refresh()
      #expect(device.screen.shown == "1 end")
      // A page that is cut by numbers of rows proves no absence.
      #expect(try await device.feed.picture() == (countsRows ? "100-71 69-1" : "100-96 93-71 69-1"))
    }
  }

  @Test func landingInTheMiddle_theRowIsThereAtOnceAndBothSidesLoadOn() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let phone = try await ProbeDevice(server, at: .item(100))
    #expect(server.requests.map(\.view).first == .around)
    let tablet = try await ProbeDevice(server, ListPolicy(order: .keyed), at: .item(100))
    for device in [phone, tablet] {
      #expect(device.screen.shown == "100-93")
      var expected = 100
      for frame in await device.screen.read(to: 140) {
        expected += 1
        #expect(frame == "\(expected)-\(expected - 7)")
      }
      for frame in await device.screen.read(to: 60) {
        expected -= 1
        #expect(frame == "\(expected)-\(expected - 7)")
      }
      #expect(device.screen.firstNotice == 60)
    }
  }

  private static func frame(from first: Int, downTo last: Int) -> String {
    let end = max(last, first - 7)
    let words = first == end ? "\(first)" : "\(first)-\(end)"
    return first - 7 < last ? words + " end" : words
  }
}

extension DriftingServer where Item == Notice {
  /// Rows by how many are in front of them, with three that are asked for again to notice where they have shifted.
  fileprivate func counted(over line: Line) -> OffsetPageSource<Notice> {
    OffsetPageSource(overlap: 3) { range in
      try await line.pass()
      return try self.rows(in: range)
    }
  }
}

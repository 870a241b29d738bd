import CGTK
import GTKShim
import PagingStore

extension Script {
  func run() async throws {
    var feed = try open()
    await check("first start", feed)
    screenshot("1-first-start", feed)
    await scrollDown(feed)
    await insertAbove(feed)
    await refresh(feed)
    await scrollUp(feed)
    await pull(feed)
    try await fillFromBelow(feed)
    await jumpToNewest(feed)
    try await fillFromAbove(feed)
    let counts = feed.rows.counts
    say(
      "\(counts.updates) updates of the list in \(counts.splices) splices, \(counts.binds) binds, \(counts.rebinds) rebinds"
    )
    expect(counts.rebinds == 0, "\(counts.rebinds) rows were bound anew that were there")

    await fling(feed, by: 240) { (feed.firstPost ?? 0) > server.newest - 100 }
    nudge(feed)
    await check("before it is closed", feed)
    let left = feed.seenRows()
    feed.close()
    server.cutConnection()
    feed = try open()
    try await offlineStart(feed, left)
    feed.close()
  }

  /// To the last of the 5,000 rows; on the way the connection is cut.
  private func scrollDown(_ feed: FeedWindow) async {
    await fling(feed, by: 480) { (feed.firstPost ?? 5_000) > 3_000 }
    checkHolds("fling down")
    server.failPages(true)
    await fling(feed, by: 480) { feed.list.loadStates.append.failure == nil || feed.offset < feed.end - 1 }
    server.failPages(false)  // the page that failed is not asked for by itself
    await check("failed page", feed)
    screenshot("2-failed-page", feed)
    let retry = feed.rows.bound[.bottom]
    expect(feed.seenRows().last?.text == "No connection", "the last row doesn't say that the page failed")
    await holdsStill("retry", feed) {
      if let button = retry?.buttons.first { feed_click(button) }
    }
    expect(feed.list.loadStates.append.failure == nil, "the retry didn't help")
    await fling(feed, by: 480) { !feed.seenRows(withPictures: false).contains { $0.post == 1 } }
    feed.scroll(to: feed.end)
    await check("at the end", feed)
    await visitUnread(1...5_000, "the way down", feed)
    feed.scroll(to: feed.end)
    await settle(feed)
    expect(feed.seenRows().last?.text == "The first post", "the last row isn't the end")
  }

  /// New posts wait, and go in above where the reader wants them.
  private func insertAbove(_ feed: FeedWindow) async {
    seen = []
    await fling(feed, by: -480) { (feed.firstPost ?? 0) < 2_500 }
    nudge(feed)
    await check("in the middle", feed)
    await holdsStill("30 posts come", feed) {
      server.publish(30)
      await feed.list.refresh()
    }
    await waitFor("the bar", { gtk_widget_get_visible(feed.bar) != 0 }, in: feed)
    screenshot("3-new-posts", feed)
    await holdsStill("30 posts go in above", feed) {
      feed_click(feed.bar)
      await waitFor("that the bar goes", { gtk_widget_get_visible(feed.bar) == 0 }, in: feed)
    }
    await check("with 30 posts above", feed)
  }

  /// The button to the newest post names those that came in above and are not on screen.
  private func checkNewAbove(_ count: Int, _ feed: FeedWindow) {
    let button = UnsafeMutableRawPointer(feed.newestButton).assumingMemoryBound(to: GtkButton.self)
    let label = gtk_button_get_label(button).map { String(cString: $0) } ?? ""
    let wanted = count > 0 ? "\(count) new above" : "Newest"
    expect(label == wanted, "the button to the newest says “\(label)”, not “\(wanted)”")
  }

  /// A pull beyond the first row asks for newer ones; one beyond the last does nothing.
  private func pull(_ feed: FeedWindow) async {
    let before = server.asked.count
    feed_overshoot(feed.scrolled, GTK_POS_BOTTOM)
    await settle(feed)
    expect(server.asked.count == before, "a pull at the lower edge asked for something")
    server.publish(3)
    feed_overshoot(feed.scrolled, GTK_POS_TOP)
    await waitFor("the bar", { gtk_widget_get_visible(feed.bar) != 0 }, in: feed)
    feed_click(feed.bar)
    await waitFor("that the bar goes", { gtk_widget_get_visible(feed.bar) == 0 }, in: feed)
    await settle(feed)
    // One of them has taken the place of the row at the upper edge of the list.
    checkNewAbove(2, feed)
    feed.scroll(to: 0)
    await check("pulled down", feed)
    expect(feed.firstPost == server.newest, "the pull didn't bring the newest post")
    checkNewAbove(0, feed)
  }

  private func refresh(_ feed: FeedWindow) async {
    await holdsStill("refresh", feed) {
      feed_click(feed.refreshButton)
      await feed.list.settled()
    }
    await check("refreshed", feed)
  }

  private func scrollUp(_ feed: FeedWindow) async {
    await fling(feed, by: -480) { feed.firstPost != server.newest }
    checkHolds("fling up")
    feed.scroll(to: 0)
    await check("at the top", feed)
    await visitUnread(1...5_030, "the way up", feed)
    feed.scroll(to: 0)
    await settle(feed)
  }

  /// The reader is among older rows, and fills the gap above from its lower side.
  private func fillFromBelow(_ feed: FeedWindow) async throws {
    await fling(feed, by: 240) { (feed.firstPost ?? 0) > server.newest - 100 }
    nudge(feed)
    await makeGap("a gap above", feed)
    await fling(feed, by: -240) { gap(in: feed) == nil && feed.firstPost != server.newest }
    await fillGap("filled from below", .below, feed)
  }

  private func jumpToNewest(_ feed: FeedWindow) async {
    await fling(feed, by: 480) { (feed.firstPost ?? 0) > server.newest - 600 }
    await check("before the jump", feed)
    feed_click(feed.newestButton)
    await check("jumped to the newest", feed)
    expect(feed.seenRows().contains { $0.post == server.newest }, "the newest post isn't on screen")
  }

  /// The reader is among newer rows, and fills the gap below from its upper side.
  private func fillFromAbove(_ feed: FeedWindow) async throws {
    await fling(feed, by: 240) { (feed.firstPost ?? 0) > server.newest - 100 }
    await makeGap("a gap below", feed)
    feed_click(feed.newestButton)
    await settle(feed)
    await fling(feed, by: 240) { gap(in: feed) == nil && (feed.firstPost ?? 0) > server.newest - 90 }
    await fillGap("filled from above", .above, feed)
  }

  /// The same rows at the same pixel, without a connection.
  private func offlineStart(_ feed: FeedWindow, _ left: [SeenRow]) async throws {
    await feed.list.settled()
    for _ in 0..<20 { await Frames.next(of: feed.window) }
    let back = feed.seenRows()
    screenshot("6-offline-start", feed)
    say("offline start: from \(back.first?.text ?? "nothing") at \(back.first?.top ?? 0)")
    expect(back.map(\.text) == left.map(\.text), "offline start: other rows than were left")
    expect(back.first?.top == left.first?.top, "offline start: \(back.first?.top ?? 0) px, not \(left.first?.top ?? 0)")
    server.mendConnection()
    await feed.list.settled()
  }
}

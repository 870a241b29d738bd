import CGTK
import GTKShim
import PagingStore

extension Script {
  /// Scrolls so many pixels each frame, while a condition holds; notes the posts that come on screen, and what each frame was held for.
  func fling(_ feed: FeedWindow, by step: Double, while goesOn: () -> Bool) async {
    var frames = 0
    await Frames.next(of: feed.window)
    // What came before belongs to no frame of it.
    HoldMeter.shared.reset()
    note(feed)
    while HoldMeter.shared.measure(.script, goesOn), frames < 4_000 {
      let isLaidOut = HoldMeter.shared.measure(.script) { feed.isLaidOut }
      // Otherwise rows would be passed that nobody saw.
      if isLaidOut, !feed.rows.isUnlaid { feed.scroll(to: feed.offset + step) }
      await Frames.next(of: feed.window)
      HoldMeter.shared.frameBegan()
      HoldMeter.shared.measure(.script) { note(feed) }
      frames += 1
    }
    expect(frames < 4_000, "it never came to where it was to scroll to")
  }

  private func note(_ feed: FeedWindow) { seen.formUnion(feed.seenRows(withPictures: false).compactMap(\.post)) }

  /// Goes to the posts that a fling passed without their being read: at most one of a thousand, whose widget moved in the very frames in
  /// which it was on screen.
  func visitUnread(_ posts: ClosedRange<Int>, _ step: String, _ feed: FeedWindow) async {
    let unread = Set(posts).subtracting(seen).sorted()
    expect(unread.count * 1_000 <= posts.count, "\(step): not on screen were \(unread)")
    for post in unread.prefix(5) {
      guard let index = feed.rows.shown.firstIndex(where: { $0.item?.item?.id == post }) else {
        fail("\(step): \(post) isn't in the list")
        continue
      }
      feed.scroll(to: Double((index + 1) * RowView.height) - feed.pageHeight / 2)
      await check("\(step), back at \(post)", feed)
      expect(feed.seenRows().contains { $0.post == post }, "\(step): \(post) isn't on screen")
    }
  }

  /// Half a row further, so that no row begins at the edge of the screen.
  func nudge(_ feed: FeedWindow) { feed.scroll(to: feed.offset + Double(RowView.height) / 2) }

  /// Prints what the main thread was held for since the meter was reset, and checks that no frame was missed by it.
  func checkHolds(_ step: String) {
    let frames = HoldMeter.shared.frames.sorted { $0.held < $1.held }
    guard let longest = frames.last else { return fail("\(step): no frame was measured") }
    let most = frames[frames.count * 95 / 100].held
    let passed = frames.map(\.passed).max() ?? .zero
    say(
      "\(step): \(frames.count) frames, held for \(longest.held.inMilliseconds) at most, \(most.inMilliseconds) in 95 of 100"
    )
    say("\(step): \(passed.inMilliseconds) passed in one at most; the longest are")
    for frame in frames.suffix(3).reversed() { say("  \(frame.text)") }
    // A processor that others use too has a colder cache, and is slower: one frame of a hundred may take up to two.
    let over = frames.count { $0.held > .milliseconds(16) }
    expect(over * 100 <= frames.count, "\(step): \(over) of \(frames.count) frames were held for more than 16 ms")
    expect(longest.held <= .milliseconds(32), "\(step): a frame was held for \(longest.held.inMilliseconds)")
  }

  func waitFor(_ what: String, _ isThere: () -> Bool, in feed: FeedWindow) async {
    for _ in 0..<300 {
      if isThere() { return }
      await Frames.next(of: feed.window)
    }
    expect(false, "\(what) didn't come")
  }

  /// Posts come of which a refresh fetches the newest ones only: below them is a gap.
  func makeGap(_ step: String, _ feed: FeedWindow) async {
    await holdsStill(step, feed) {
      server.publish(130)
      await feed.list.refresh()
      await waitFor("the bar", { gtk_widget_get_visible(feed.bar) != 0 }, in: feed)
      feed_click(feed.bar)
      await waitFor("that the bar goes", { gtk_widget_get_visible(feed.bar) == 0 }, in: feed)
    }
    await check(step, feed)
  }

  func gap(in feed: FeedWindow) -> Int? { feed.rows.shown.firstIndex { $0.item?.gap != nil }.map { $0 + 1 } }

  /// Scrolls until the gap is on screen, in its upper part where the reader is below it; false: there is none.
  private func bringGap(_ side: GapSide, _ feed: FeedWindow) async -> Bool {
    let part = side == .below ? 0.2 : 0.8
    while let position = gap(in: feed) {
      // What loads on the way may move it.
      feed.scroll(to: Double(position * RowView.height) - part * feed.pageHeight)
      await settle(feed)
      if gap(in: feed) == position { return true }
    }
    return false
  }

  /// The post beside a gap, on one of its sides.
  private func neighbour(_ side: GapSide, _ position: Int, _ feed: FeedWindow) -> Int? {
    let index = position - 1 + (side == .below ? 1 : -1)
    return feed.rows.shown.indices.contains(index) ? feed.rows.shown[index].item?.item?.id : nil
  }

  /// Presses the gap's button until nothing is missing, each time with the gap on screen and the reader on that side of it.
  func fillGap(_ step: String, _ side: GapSide, _ feed: FeedWindow) async {
    let asked = server.asked.count
    var fills = 0
    while await bringGap(side, feed), fills < 12, let position = gap(in: feed) {
      fills += 1
      guard let gap = feed.rows.shown[position - 1].item?.gap else { break }
      let seen = feed.seenRows().first { $0.place == .row(feed.rows.shown[position - 1].id) }
      expect(seen?.text == "There are more posts here", "\(step): the gap isn't on screen")
      if fills == 1 { screenshot(side == .above ? "5-gap-from-above" : "4-gap-from-below", feed) }
      guard let index = gap.fillableSides.firstIndex(of: side), let view = seen.flatMap({ feed.rows.bound[$0.place] })
      else {
        fail("\(step): the gap has no button for that side")
        break
      }
      let next = neighbour(side, position, feed)
      await holdsStill("\(step), page \(fills)", feed) {
        feed_click(view.buttons[index])
        await waitFor("the page", { self.gap(in: feed).flatMap { neighbour(side, $0, feed) } != next }, in: feed)
      }
      await check("\(step), page \(fills)", feed)
    }
    let keys = server.asked[asked...].map { $0.map { "\($0)" } ?? "newest" }
    say("\(step): asked for \(keys.joined(separator: ", "))")
    expect(fills > 1, "\(step): it took one page, so that nothing was seen to stay")
    expect(gap(in: feed) == nil, "\(step): the gap is still there")
  }
}

import CGTK
import GTKShim
import PagingStore

extension Script {
  /// Scrolls so many pixels each frame, while a condition holds; notes the posts that come on screen.
  func fling(_ feed: FeedWindow, by step: Double, while goesOn: () -> Bool) async {
    var frames = 0
    note(feed)
    while goesOn(), frames < 4_000 {
      if !feed.rows.isUnlaid { feed.scroll(to: feed.offset + step) }
      await Frames.next(of: feed.window)
      HoldMeter.shared.frameBegan()
      HoldMeter.shared.leavingOut { note(feed) }
      frames += 1
    }
    expect(frames < 4_000, "it never came to where it was to scroll to")
  }

  private func note(_ feed: FeedWindow) { seen.formUnion(feed.seenRows(withPictures: false).compactMap(\.post)) }

  /// Half a row further, so that no row begins at the edge of the screen.
  func nudge(_ feed: FeedWindow) { feed.scroll(to: feed.offset + Double(RowView.height) / 2) }

  func printHolds(_ step: String) {
    let meter = HoldMeter.shared
    let held = meter.frames.sorted()
    guard let longest = held.last else { return }
    let most = held[held.count * 95 / 100]
    let over = held.filter { $0 > .milliseconds(16) }.count
    say("\(step): held for \(longest) in a frame at most, \(most) in 95 of 100; \(over) of \(held.count) over 16 ms")
    say("\(step): held for \(meter.longest) at once at most")
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
      server.publish(75)
      await feed.list.refresh()
      await waitFor("the bar", { gtk_widget_get_visible(feed.bar) != 0 }, in: feed)
      feed_click(feed.bar)
      await waitFor("that the bar goes", { gtk_widget_get_visible(feed.bar) == 0 }, in: feed)
    }
    await check(step, feed)
  }

  func gap(in feed: FeedWindow) -> Int? { feed.rows.shown.firstIndex { $0.item?.gap != nil }.map { $0 + 1 } }

  /// Presses the gap's button until nothing is missing.
  func fillGap(_ step: String, _ side: GapSide, _ feed: FeedWindow) async {
    await settle(feed)
    screenshot(side == .above ? "5-gap-from-above" : "4-gap-from-below", feed)
    let asked = server.asked.count
    await holdsStill(step, feed) {
      for _ in 0..<12 {
        guard let position = gap(in: feed), let row = feed.rows.shown[position - 1].item, let gap = row.gap else {
          break
        }
        expect(gap.fillableSides.contains(side), "\(step): the gap can't be asked from that side")
        let view = feed.rows.bound[.row(feed.rows.shown[position - 1].id)]
        let index = gap.fillableSides.firstIndex(of: side) ?? 0
        if let view { feed_click(view.buttons[index]) } else { _ = try? await feed.stored.fill(gap, from: side) }
        await settle(feed)
      }
    }
    let keys = server.asked[asked...].map { $0.map { "\($0)" } ?? "newest" }
    say("\(step): asked for \(keys.joined(separator: ", "))")
    expect(gap(in: feed) == nil, "\(step): the gap is still there")
    await check(step, feed)
  }
}

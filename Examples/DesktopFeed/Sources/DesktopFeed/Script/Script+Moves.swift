import CGTK
import GTKShim
import PagingStore

extension Script {
  /// Scrolls so many pixels each frame, while a condition holds.
  func fling(_ feed: FeedWindow, by step: Double, while goesOn: () -> Bool) async {
    var frames = 0
    while goesOn(), frames < 6_000 {
      feed.scroll(to: feed.offset + step)
      await Frames.next(of: feed.window)
      HoldMeter.shared.frameBegan()
      frames += 1
    }
    expect(frames < 6_000, "it never came to where it was to scroll to")
  }

  func printHolds(_ step: String) {
    let meter = HoldMeter.shared
    say("\(step): held for \(meter.longest) at most at once, \(meter.longestFrame) in a frame, in \(meter.frames) frames")
    expect(meter.longestFrame <= .milliseconds(16), "\(step): the main thread was held for \(meter.longestFrame)")
  }

  func waitFor(_ what: String, _ isThere: () -> Bool, in feed: FeedWindow) async {
    for _ in 0..<300 {
      if isThere() { return }
      await Frames.next(of: feed.window)
    }
    expect(false, "\(what) didn't come")
  }

  /// 200 posts come, of which a refresh fetches the newest 50: below them is a gap.
  ///
  /// - Returns: The gap's place in the model.
  func makeGap(_ step: String, _ feed: FeedWindow) async -> Int {
    await holdsStill(step, feed) {
      server.publish(200)
      await feed.list.refresh(from: .start)
      await waitFor("the bar", { gtk_widget_get_visible(feed.bar) != 0 }, in: feed)
      feed_click(feed.bar)
      await waitFor("the gap", { gap(in: feed) != nil }, in: feed)
    }
    await check(step, feed)
    return gap(in: feed) ?? 0
  }

  func gap(in feed: FeedWindow) -> Int? { feed.rows.shown.firstIndex { $0.item?.gap != nil }.map { $0 + 1 } }

  /// Presses the gap's button until nothing is missing.
  func fillGap(_ step: String, _ side: GapSide, _ feed: FeedWindow) async {
    await settle(feed)
    screenshot(side == .above ? "5-gap-from-above" : "4-gap-from-below", feed)
    let asked = server.asked.count
    await holdsStill(step, feed) {
      for _ in 0..<12 {
        guard let position = gap(in: feed), let row = feed.rows.shown[position - 1].item, let gap = row.gap else { break }
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

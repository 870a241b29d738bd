/// One bar for each of some cases: from the middle of its times to the longest.
struct RangePlot: Sendable {
  struct Bar: Sendable {
    let name: String
    let middle: Double
    let most: Double
    let longest: Double
  }

  let title: String
  /// What the numbers are.
  let label: String
  let bars: [Bar]

  private static let width = 640.0
  private static let step = 24.0
  private static let (left, right, top, bottom) = (210.0, 30.0, 34.0, 46.0)

  /// The plot, as a part of a page.
  var svg: String {
    let scale = PlotScale(upTo: bars.map(\.longest).max() ?? 0)
    let end = Self.top + Double(bars.count) * Self.step
    func x(_ value: Double) -> Double { Self.left + scale.share(value) * (Self.width - Self.left - Self.right) }
    var parts = [PlotStyle.text(title, at: 8, 18, anchor: "start", "title")]
    for tick in scale.ticks {
      parts.append(PlotStyle.line(x(tick), Self.top, x(tick), end, tick == 0 ? "axis" : "grid"))
      parts.append(PlotStyle.text(scale.label(tick), at: x(tick), end + 18))
    }
    parts.append(PlotStyle.text(label, at: (Self.left + Self.width - Self.right) / 2, end + 38))
    for (index, bar) in bars.enumerated() {
      let y = Self.top + (Double(index) + 0.5) * Self.step
      parts.append(PlotStyle.text(bar.name, at: Self.left - 10, y + 4, anchor: "end"))
      parts.append(PlotStyle.line(x(bar.middle), y, x(bar.longest), y, "thin s1"))
      parts.append(PlotStyle.line(x(bar.middle), y, x(bar.most), y, "thick s1"))
      parts.append(
        PlotStyle.mark(
          0, at: x(bar.middle), y,
          title:
            "\(bar.name): \(brief(bar.middle)) (half), \(brief(bar.most)) (95 of 100), \(brief(bar.longest)) (longest)")
      )
    }
    return PlotStyle.plot(width: Self.width, height: end + Self.bottom, title: title, parts)
  }
}

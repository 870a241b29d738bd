/// Points for two figures that pull apart: who wants less of one gets more of the other.
struct ScatterPlot: Sendable {
  struct Point: Sendable {
    /// What stands beside it.
    let label: String
    /// What it is, for a pointer that rests on it.
    let hint: String
    let x: Double
    let y: Double
  }

  let title: String
  let xLabel: String
  let yLabel: String
  let points: [Point]

  private static let width = 640.0
  private static let height = 360.0
  private static let (left, right, top, bottom) = (62.0, 30.0, 34.0, 50.0)

  /// The plot, as a part of a page.
  var svg: String {
    let xScale = PlotScale(upTo: points.map(\.x).max() ?? 0)
    let yScale = PlotScale(upTo: points.map(\.y).max() ?? 0)
    func x(_ value: Double) -> Double {
      Self.left + xScale.share(value) * (Self.width - Self.left - Self.right)
    }
    func y(_ value: Double) -> Double {
      Self.height - Self.bottom - yScale.share(value) * (Self.height - Self.top - Self.bottom)
    }
    var parts = [PlotStyle.text(title, at: Self.left, 18, anchor: "start", "title")]
    for tick in yScale.ticks {
      parts.append(PlotStyle.line(Self.left, y(tick), Self.width - Self.right, y(tick), tick == 0 ? "axis" : "grid"))
      parts.append(PlotStyle.text(yScale.label(tick), at: Self.left - 8, y(tick) + 4, anchor: "end"))
    }
    for tick in xScale.ticks {
      parts.append(PlotStyle.line(x(tick), Self.top, x(tick), y(0), tick == 0 ? "axis" : "grid"))
      parts.append(PlotStyle.text(xScale.label(tick), at: x(tick), y(0) + 18))
    }
    parts.append(PlotStyle.text(xLabel, at: (Self.left + Self.width - Self.right) / 2, Self.height - 10))
    parts.append(PlotStyle.text(yLabel, at: 14, (Self.top + Self.height - Self.bottom) / 2, turned: true))
    var labels = PlotLabels()
    for point in points {
      let (x, y) = (x(point.x), y(point.y))
      parts.append(PlotStyle.mark(0, at: x, y, title: point.hint))
      guard let place = labels.place(point.label, beside: x, y) else { continue }
      parts.append(PlotStyle.text(point.label, at: place.x, place.y, anchor: "start", "number"))
    }
    return PlotStyle.plot(width: Self.width, height: Self.height, title: title, parts)
  }
}

/// Finds places for short labels beside their points where they don't lie on one another. Pure.
struct PlotLabels {
  private var taken: [(x: Double, y: Double, width: Double)] = []

  /// Where a label goes; nil where there is no room: its point can be told by its hint.
  mutating func place(_ label: String, beside x: Double, _ y: Double) -> (x: Double, y: Double)? {
    let width = Double(label.count) * 7
    let places = [(x + 7, y - 5), (x + 7, y + 12), (x - 7 - width, y - 5), (x - 7 - width, y + 12)]
    for (x, y) in places {
      let isFree = taken.allSatisfy { other in
        x + width < other.x || other.x + other.width < x || abs(y - other.y) > 11
      }
      guard isFree else { continue }
      taken.append((x, y, width))
      return (x, y)
    }
    return nil
  }
}

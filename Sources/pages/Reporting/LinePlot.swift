/// Lines over some values of a setting, which stand at equal distances: how a figure goes with it.
struct LinePlot: Sendable {
  /// One line; nil where there is no value.
  struct Series: Sendable {
    let name: String
    let values: [Double?]
  }

  let title: String
  /// What the numbers are, along the upright axis.
  let yLabel: String
  let xLabel: String
  let xValues: [String]
  let series: [Series]

  private static let width = 420.0
  private static let height = 270.0
  private static let (left, right, top, bottom) = (58.0, 18.0, 34.0, 48.0)

  /// The plot, as a part of a page.
  var svg: String {
    let scale = PlotScale(upTo: series.flatMap(\.values).compactMap { $0 }.max() ?? 0)
    return PlotStyle.plot(width: Self.width, height: Self.height, title: title, axes(scale) + lines(scale))
  }

  private func x(_ index: Int) -> Double {
    let width = Self.width - Self.left - Self.right
    return Self.left + width * (Double(index) + 0.5) / Double(max(1, xValues.count))
  }

  private func y(_ share: Double) -> Double {
    Self.height - Self.bottom - share * (Self.height - Self.top - Self.bottom)
  }

  private func axes(_ scale: PlotScale) -> [String] {
    var parts = [PlotStyle.text(title, at: Self.left, 18, anchor: "start", "title")]
    for tick in scale.ticks {
      let y = y(scale.share(tick))
      parts.append(PlotStyle.line(Self.left, y, Self.width - Self.right, y, tick == 0 ? "axis" : "grid"))
      parts.append(PlotStyle.text(scale.label(tick), at: Self.left - 8, y + 4, anchor: "end"))
    }
    for (index, value) in xValues.enumerated() {
      parts.append(PlotStyle.text(value, at: x(index), y(0) + 18))
    }
    parts.append(PlotStyle.text(xLabel, at: (Self.left + Self.width - Self.right) / 2, Self.height - 10))
    parts.append(PlotStyle.text(yLabel, at: 14, (Self.top + Self.height - Self.bottom) / 2, turned: true))
    return parts
  }

  private func lines(_ scale: PlotScale) -> [String] {
    var lines: [String] = []
    var marks: [String] = []
    for (number, series) in series.enumerated() {
      var path = ""
      for (index, value) in series.values.enumerated() {
        guard let value else { continue }
        let (x, y) = (x(index), y(scale.share(value)))
        path += (path.isEmpty ? "M" : " L") + "\(brief(x)) \(brief(y))"
        let name = series.name.isEmpty ? "" : series.name + ", "
        marks.append(
          PlotStyle.mark(number, at: x, y, title: "\(name)\(xLabel) \(xValues[index]): \(brief(value, digits: 2))"))
      }
      lines.append("<path class=\"line \(PlotStyle.className(number))\" d=\"\(path)\"/>")
    }
    return lines + marks
  }
}

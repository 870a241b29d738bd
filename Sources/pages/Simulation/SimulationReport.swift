/// What simulations came to, as a page with plots.
struct SimulationReport: Sendable {
  private let results: [SimulationResult]
  private let leftOut: Int
  private let line: String

  /// A report of `results`; `line` is the command line that gives it, `leftOut` how many settings can't be.
  init(_ results: [SimulationResult], leftOut: Int, line: String) {
    self.results = results
    self.leftOut = leftOut
    self.line = line
  }

  /// The whole page.
  var html: String {
    guard let world = results.first?.world else { return ReportPage.html(title: "No simulation", []) }
    var parts = [
      "<h1>What paging settings come to</h1>",
      paragraph(
        "\(grouped(results.count)) combinations; for each, \(grouped(world.scrolls)) scrolls through a list of "
          + "\(grouped(world.rows)) rows of \(grouped(world.rowBytes)) bytes, \(grouped(world.screen)) on screen; after "
          + "\(grouped(world.visit)) scrolls the reader leaves and starts again. All meet the same movements and the same "
          + "server, seed \(world.seed)."),
      "<p class=\"dim\"><code>\(markup(line))</code></p>",
    ]
    if leftOut > 0 {
      parts.append(
        paragraph("\(leftOut) settings are left out: their cap is below page size + 2 × prefetch distance."))
    }
    var styles: [ScrollStyle] = []
    for result in results where !styles.contains(result.world.style) { styles.append(result.world.style) }
    for style in styles {
      parts += section(style, results.enumerated().filter { $0.element.world.style == style })
    }
    return ReportPage.html(title: "What paging settings come to", parts)
  }

  private func section(_ style: ScrollStyle, _ numbered: [(offset: Int, element: SimulationResult)]) -> [String] {
    let results = numbered.map(\.element)
    let axes = SimulationAxis.varied(in: results)
    var parts = ["<h2>\(style.rawValue.prefix(1).uppercased() + style.rawValue.dropFirst())</h2>"]
    for axis in axes { parts += plots(over: axis, beside: axes.filter { $0.name != axis.name }, results) }
    if results.count > 1 { parts.append(tradeOff(numbered)) }
    parts.append(waits(numbered))
    parts += ["<h3>All figures</h3>", table(numbered)]
    return parts
  }

  // MARK: - Plots

  private func plots(
    over axis: SimulationAxis, beside others: [SimulationAxis], _ results: [SimulationResult]
  ) -> [String] {
    let values = axis.values(in: results)
    var names: [String] = []
    for name in results.map({ name($0, others) }) where !names.contains(name) { names.append(name) }
    let shown = Array(names.prefix(PlotStyle.mostSeries))
    var parts = ["<h3>By \(markup(axis.name))</h3>"]
    if shown.count > 1 { parts.append(legend(shown)) }
    if shown.count < names.count {
      parts.append(paragraph("\(shown.count) of \(names.count) lines are drawn; all figures are in the table."))
    }
    parts.append("<div class=\"plots\">")
    for measure in SimulationMeasure.all {
      let series = shown.map { name in
        LinePlot.Series(
          name: name,
          values: values.map { value in
            results.first { axis.value($0) == value && self.name($0, others) == name }.map { measure.value($0.figures) }
          })
      }
      let plot = LinePlot(
        title: measure.title, yLabel: measure.unit, xLabel: axis.name, xValues: values, series: series)
      parts.append("<figure>\(plot.svg)</figure>")
    }
    parts.append("</div>")
    return parts
  }

  private func name(_ result: SimulationResult, _ axes: [SimulationAxis]) -> String {
    axes.map { "\($0.name) \($0.value(result))" }.joined(separator: ", ")
  }

  private func legend(_ names: [String]) -> String {
    let entries = names.enumerated().map { number, name in
      "<li><svg viewBox=\"0 0 16 16\">\(PlotStyle.mark(number, at: 8, 8))</svg>\(markup(name))</li>"
    }
    return "<ul class=\"legend\">\(entries.joined())</ul>"
  }

  private func tradeOff(_ numbered: [(offset: Int, element: SimulationResult)]) -> String {
    let points = numbered.map { number, result in
      ScatterPlot.Point(
        label: "\(number + 1)", hint: "\(number + 1): \(result.setting.label), \(result.world.label)",
        x: result.figures.wastedShare * 100, y: result.figures.waitsPerHundred)
    }
    let plot = ScatterPlot(
      title: "Waits against waste", xLabel: "rows never seen, % of those loaded", yLabel: "waits in 100 scrolls",
      points: points)
    return "<h3>What one costs the other</h3>"
      + paragraph("Each point is a combination, by its number in the table; the lower left is best.")
      + "<figure class=\"wide\">\(plot.svg)</figure>"
  }

  private func waits(_ numbered: [(offset: Int, element: SimulationResult)]) -> String {
    let shown = numbered.filter { $0.element.figures.waits.count > 0 }.prefix(40)
    guard !shown.isEmpty else { return paragraph("Nobody had to wait: all rows were there in time.") }
    let bars = shown.map { number, result in
      let waits = result.figures.waits
      return RangePlot.Bar(
        name: shown.count == 1 ? "all waits" : "\(number + 1): \(shortName(result))", middle: waits.p50 / 1000,
        most: waits.p95 / 1000, longest: waits.max / 1000)
    }
    let plot = RangePlot(title: "How long the waits were", label: "seconds", bars: bars)
    return "<h3>How long the waits were</h3>"
      + paragraph(
        "The point: half of the waits were shorter. The bar: 95 of 100 were. The line: the longest. Names are number, page "
          + "size / prefetch distance / first load / cap.")
      + "<figure class=\"wide\">\(plot.svg)</figure>"
  }

  private func shortName(_ result: SimulationResult) -> String {
    let setting = result.setting
    return "\(setting.pageSize) / \(setting.prefetch) / \(setting.firstLoad) / \(setting.capText)"
  }

  // MARK: - Table

  private func table(_ numbered: [(offset: Int, element: SimulationResult)]) -> String {
    let heads = [
      "no.", "page size", "prefetch", "first load", "cap", "latency ms", "Mbit/s", "waits", "waited s", "p50 s",
      "p95 s",
      "longest s", "first screen s", "requests", "rows loaded", "bytes loaded", "never seen", "bytes never seen",
      "pages again", "rows held", "bytes held",
    ]
    let rows = numbered.map { number, result -> [String] in
      let (setting, world, figures) = (result.setting, result.world, result.figures)
      return [
        "\(number + 1)", "\(setting.pageSize)", "\(setting.prefetch)", "\(setting.firstLoad)", setting.capText,
        world.latency.description, world.megabits.map { brief($0) } ?? "none", grouped(figures.waits.count),
      ]
        + [
          figures.waits.total, figures.waits.p50, figures.waits.p95, figures.waits.max, figures.openings.p50,
        ].map { SimulationTable.seconds($0) }
        + [
          grouped(figures.requests), grouped(figures.rowsLoaded), SimulationTable.bytes(figures.bytesLoaded),
          "\(grouped(figures.rowsWasted)) (\(SimulationTable.percent(figures.wastedShare)))",
          SimulationTable.bytes(figures.bytesWasted), grouped(figures.pagesLoadedAgain),
          grouped(figures.mostRowsHeld), SimulationTable.bytes(figures.mostBytesHeld),
        ]
    }
    func line(_ cells: [String], _ tag: String) -> String {
      "<tr>" + cells.map { "<\(tag)>\(markup($0))</\(tag)>" }.joined() + "</tr>"
    }
    return "<div class=\"table\"><table>\n"
      + ([line(heads, "th")] + rows.map { line($0, "td") }).joined(separator: "\n")
      + "\n</table></div>"
  }

  private func paragraph(_ text: String) -> String { "<p class=\"dim\">\(markup(text))</p>" }
}

/// Text as it stands in HTML and SVG.
func markup(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    default: if steersTerminal(scalar) { result += "\u{FFFD}" } else { result.unicodeScalars.append(scalar) }
    }
  }
  return result
}

/// What the parts of a plot have in common: where its lines are, how its colours differ.
enum PlotStyle {
  /// How many series can be told from one another.
  static let mostSeries = 8

  /// The class of a series, which the page's style gives a colour.
  static func className(_ series: Int) -> String { "s\(series % mostSeries + 1)" }

  /// A mark of a series: its shape tells it from its neighbours where colours can't.
  static func mark(_ series: Int, at x: Double, _ y: Double, title: String = "") -> String {
    let name = "mark \(className(series))"
    let hint = title.isEmpty ? "" : "<title>\(markup(title))</title>"
    func point(_ dx: Double, _ dy: Double) -> String { "\(brief(x + dx)),\(brief(y + dy))" }
    func polygon(_ points: [(Double, Double)]) -> String {
      "<polygon class=\"\(name)\" points=\"\(points.map { point($0.0, $0.1) }.joined(separator: " "))\">\(hint)</polygon>"
    }
    switch series % 4 {
    case 0: return "<circle class=\"\(name)\" cx=\"\(brief(x))\" cy=\"\(brief(y))\" r=\"4.5\">\(hint)</circle>"
    case 1: return polygon([(-4, -4), (4, -4), (4, 4), (-4, 4)])
    case 2: return polygon([(0, -5.5), (5.2, 4), (-5.2, 4)])
    default: return polygon([(0, -6), (6, 0), (0, 6), (-6, 0)])
    }
  }

  /// A text in a plot.
  static func text(
    _ text: String, at x: Double, _ y: Double, anchor: String = "middle", _ name: String = "label", turned: Bool = false
  ) -> String {
    let turn = turned ? " transform=\"rotate(-90 \(brief(x)) \(brief(y)))\"" : ""
    return "<text class=\"\(name)\" x=\"\(brief(x))\" y=\"\(brief(y))\" text-anchor=\"\(anchor)\"\(turn)>"
      + "\(markup(text))</text>"
  }

  /// A straight line of a plot.
  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ name: String) -> String {
    "<line class=\"\(name)\" x1=\"\(brief(x1))\" y1=\"\(brief(y1))\" x2=\"\(brief(x2))\" y2=\"\(brief(y2))\"/>"
  }

  /// A plot of those parts, with a title for those who can't see it.
  static func plot(width: Double, height: Double, title: String, _ parts: [String]) -> String {
    "<svg viewBox=\"0 0 \(brief(width)) \(brief(height))\" role=\"img\" aria-label=\"\(markup(title))\">\n"
      + parts.joined(separator: "\n") + "\n</svg>"
  }
}

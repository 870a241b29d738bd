import Foundation

/// An axis from zero to at least the largest of some numbers, with ticks at round ones.
struct PlotScale: Hashable, Sendable {
  /// Ascending; the last is the end of the axis.
  let ticks: [Double]

  /// The axis for numbers up to `largest`, with about four steps of 1, 2 or 5 times a power of ten.
  init(upTo largest: Double) {
    guard largest.isFinite, largest > 0 else {
      ticks = [0, 1]
      return
    }
    let power = pow(10, floor(log10(largest / 4)))
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 * 5 >= largest } ?? 10 * power
    let count = max(1, Int((largest / step - 1e-9).rounded(.up)))
    ticks = (0...count).map { Double($0) * step }
  }

  /// The end of the axis.
  var end: Double { ticks.last ?? 1 }

  /// Where a number stands, from 0 at the axis's begin to 1 at its end.
  func share(_ number: Double) -> Double { min(1, max(0, number / end)) }

  /// A tick as it is written.
  func label(_ tick: Double) -> String {
    tick >= 10_000 ? brief(tick / 1000, digits: 1) + "k" : brief(tick, digits: 3)
  }
}

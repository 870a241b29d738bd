import Foundation
import Loading

/// Numbers by chance, the same ones for the same seed.
struct Chance: Sendable {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Even between 0 and 1, without 1.
  mutating func share() -> Double { Double(generator.next() >> 11) / Double(UInt64(1) << 53) }

  /// Even between the bounds.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + share() * (range.upperBound - range.lowerBound)
  }

  /// Whether something happens that happens in that share of all cases.
  mutating func happens(_ share: Double) -> Bool { self.share() < share }

  /// Skewed to the right, as waiting times of people and servers are (log-normal): half of the numbers are below
  /// `median`, 95 of 100 below `percentile95`.
  mutating func skewed(median: Double, percentile95: Double) -> Double {
    guard median > 0, percentile95 > median else { return median }
    // 95 of 100 numbers of a normal distribution are less than so many deviations above its middle.
    let deviation = log(percentile95 / median) / 1.6448536269514722
    return median * exp(deviation * normal())
  }

  /// Of the standard normal distribution (Box and Muller, 1958).
  private mutating func normal() -> Double {
    let radius = (-2 * log(1 - share())).squareRoot()
    return radius * cos(2 * Double.pi * share())
  }
}

import Foundation

/// Somebody who scrolls through a list: gesture after gesture by chance, the same ones for the same seed. Pure: it
/// knows nothing of what is loaded, so every setting is tried on the same gestures.
struct SimulatedReader: Sendable {
  private let style: ScrollStyle
  private let lastTop: Int
  private let screen: Double
  private var chance: Chance
  private var top = 0
  private var goesUp = false

  /// Screens are drawn so often in a second.
  private static let frames = 60.0

  /// A reader at the start of a list.
  init(style: ScrollStyle, rows: Int, screen: Int, seed: UInt64) {
    self.style = style
    self.screen = Double(screen)
    lastTop = max(0, rows - screen)
    chance = Chance(seed: seed)
  }

  /// The reader of a world.
  init(of world: SimulatedWorld) {
    self.init(style: world.style, rows: world.rows, screen: world.screen, seed: world.seed)
  }

  /// The reader comes back to the start of the list.
  mutating func startsAgain() {
    top = 0
    goesUp = false
  }

  /// What the reader does next.
  mutating func next() -> Gesture {
    switch style {
    case .reading:
      return scroll(pauseMedian: 3, percentile95: 9)
    case .flinging:
      return fling()
    case .jumping:
      return chance.happens(0.3) ? jump() : scroll(pauseMedian: 1, percentile95: 3)
    }
  }

  /// Most of a screen; one time in eight back.
  private mutating func scroll(pauseMedian: Double, percentile95: Double) -> Gesture {
    let rows = screen * chance.number(in: 0.3...0.9) * (chance.happens(0.125) ? -1 : 1)
    let seconds = chance.number(in: 0.25...0.6)
    return gesture(.scroll, rows: rows, seconds: seconds, pause: (pauseMedian, percentile95)) { time in
      let left = 1 - time / seconds
      return 1 - left * left * left
    }
  }

  /// The list runs on by itself and slows down. Who goes back does so two or three times in a row.
  private mutating func fling() -> Gesture {
    goesUp = goesUp ? !chance.happens(0.4) : chance.happens(0.15)
    // As far as scroll views run on: they lose speed by the same share in each half second.
    let slowing = 0.5
    let speed = chance.number(in: 30...150) * (goesUp ? -1 : 1)
    let seconds = slowing * log(abs(speed))
    let whole = 1 - exp(-seconds / slowing)
    return gesture(.fling, rows: speed * slowing * whole, seconds: seconds, pause: (0.4, 1.5)) { time in
      (1 - exp(-time / slowing)) / whole
    }
  }

  private mutating func jump() -> Gesture {
    top = min(lastTop, Int(chance.share() * Double(lastTop + 1)))
    return Gesture(kind: .jump, moves: [Gesture.Move(after: .milliseconds(300), top: top)], pause: pause(1.5, 4))
  }

  private mutating func gesture(
    _ kind: Gesture.Kind, rows: Double, seconds: Double, pause: (Double, Double), way: (Double) -> Double
  ) -> Gesture {
    var moves: [Gesture.Move] = []
    let start = Double(top)
    let frames = max(1, Int((seconds * Self.frames).rounded(.up)))
    for frame in 1...frames {
      let time = min(seconds, Double(frame) / Self.frames)
      let place = max(0, min(lastTop, Int((start + rows * way(time)).rounded())))
      if place == top { continue }
      top = place
      moves.append(Gesture.Move(after: .microseconds(Int(time * 1_000_000)), top: place))
    }
    return Gesture(kind: kind, moves: moves, pause: self.pause(pause.0, pause.1))
  }

  private mutating func pause(_ median: Double, _ percentile95: Double) -> Duration {
    let seconds = min(30, max(0.1, chance.skewed(median: median, percentile95: percentile95)))
    return .milliseconds(Int(seconds * 1000))
  }
}

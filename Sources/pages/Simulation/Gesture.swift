/// How somebody scrolls.
enum ScrollStyle: String, CaseIterable, Sendable {
  /// Most of a screen at a time, seconds between; now and then a little back.
  case reading
  /// Several screens at a time, one after the other, now and then some of them back.
  case flinging
  /// To any place in the list, by the scroll bar, and a little around it.
  case jumping
}

/// One movement of a finger, and how long the reader looks at what came of it.
struct Gesture: Hashable, Sendable {
  enum Kind: String, Sendable { case scroll, fling, jump }

  /// The first row on screen is another from a moment on.
  struct Move: Hashable, Sendable {
    /// Since the gesture began.
    let after: Duration
    let top: Int
  }

  let kind: Kind
  /// In the order of time; none where the list is at its end.
  let moves: [Move]
  /// From the moment at which all rows on screen are there to the next gesture.
  let pause: Duration
}

/// Numbers that look random and are the same for the same seed.
struct ScriptNumbers {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678 }

  mutating func next() -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33)
  }
}

enum ModelScript {
  /// Steps of random kinds, by weight, each with two numbers that choose.
  static func random<Kind, Step>(
    _ seed: Int, count: Int, weights: [(Kind, Int)], step: (Kind, Int, Int) -> Step
  ) -> [Step] {
    var numbers = ScriptNumbers(seed: seed)
    let kinds = weights.flatMap { Array(repeating: $0.0, count: $0.1) }
    return (0..<count).map { _ in
      let kind = kinds[numbers.next() % kinds.count]
      let a = numbers.next()
      return step(kind, a, numbers.next())
    }
  }

  /// The first word of a failure.
  static func kind(_ failure: String) -> String { String(failure.prefix { $0 != ":" && $0 != "," }) }

  /// The shortest script found that still fails: without ever larger and then ever smaller parts.
  nonisolated(nonsending) static func shrink<Step>(
    _ script: [Step], whileFailing fails: nonisolated(nonsending) ([Step]) async -> Bool
  ) async -> [Step] {
    var script = script
    var part = script.count / 2
    while part > 0 {
      var start = 0
      let before = script.count
      while start < script.count {
        let shorter = Array(script[..<start] + script[min(script.count, start + part)...])
        if await fails(shorter) { script = shorter } else { start += part }
      }
      if part > 1 || script.count == before { part /= 2 }
    }
    return script
  }
}

import Testing

@testable import pages

@Suite struct SimulatedReaderTests {
  private func gestures(_ style: ScrollStyle, _ count: Int, rows: Int = 5000, seed: UInt64 = 3) -> [Gesture] {
    var reader = SimulatedReader(style: style, rows: rows, screen: 12, seed: seed)
    return (0..<count).map { _ in reader.next() }
  }

  @Test(arguments: ScrollStyle.allCases) func oneSeedGivesTheSameGesturesAndAnotherGivesOthers(_ style: ScrollStyle) {
    #expect(gestures(style, 100) == gestures(style, 100))
    #expect(gestures(style, 100) != gestures(style, 100, seed: 4))
  }

  @Test(arguments: ScrollStyle.allCases) func movesGoOnInTimeAndStayInTheList(_ style: ScrollStyle) {
    for rows in [1, 12, 13, 40, 5000] {
      for gesture in gestures(style, 200, rows: rows) {
        #expect(gesture.moves.allSatisfy { (0...max(0, rows - 12)).contains($0.top) })
        #expect(zip(gesture.moves, gesture.moves.dropFirst()).allSatisfy { $0.after < $1.after && $0.top != $1.top })
        #expect(gesture.moves.first.map { $0.after > .zero } ?? true)
        #expect(gesture.pause >= .milliseconds(100) && gesture.pause <= .seconds(30))
      }
    }
  }

  @Test func stylesDifferAsTheirNamesSay() {
    func distances(_ style: ScrollStyle) -> [Int] {
      var top = 0
      return gestures(style, 400, rows: 100_000).map { gesture in
        defer { top = gesture.moves.last?.top ?? top }
        return (gesture.moves.last?.top ?? top) - top
      }
    }
    let (reading, flinging, jumping) = (distances(.reading), distances(.flinging), distances(.jumping))
    #expect(reading.allSatisfy { abs($0) <= 12 })
    #expect(reading.count { $0 < 0 } > 20 && reading.count { $0 > 0 } > 300)
    #expect(flinging.map { abs($0) }.max() ?? 0 > 60)
    #expect(flinging.count { $0 < 0 } > 40 && flinging.reduce(0, +) > 5000)
    #expect(jumping.count { abs($0) > 1000 } > 80)
  }

  @Test func whoComesBackBeginsAtTheStart() {
    var reader = SimulatedReader(style: .flinging, rows: 5000, screen: 12, seed: 1)
    for _ in 0..<20 { _ = reader.next() }
    reader.startsAgain()
    var first = reader.next()
    while first.moves.isEmpty { first = reader.next() }
    #expect((first.moves.first?.top ?? .max) < 12)
  }
}

@Suite struct LatencyModelTests {
  @Test func theThreeWaysToSayItAreRead() {
    #expect(LatencyModel("120ms") == .fixed(120))
    #expect(LatencyModel("80ms-0.3s") == .between(80, 300))
    #expect(LatencyModel("120ms/600ms") == .percentiles(120, 600))
    #expect(LatencyModel("10m") == .fixed(LatencyModel.longest))
    for (text, said) in [("0.5ms", "0.5"), ("80ms-300ms", "80-300"), ("0.12s/600ms", "120/600")] {
      #expect(LatencyModel(text)?.description == said)
    }
  }

  @Test(arguments: [
    "", "-", "/", "x", "-5ms", "300ms-80ms", "600ms/120ms", "0ms/5ms", "1ms-2ms-3ms", "1e3ms", "infms", "nanms",
    "600001ms", "80ms-", "1 2ms", "120", "80-300", "80ms-300", "120/600ms",
  ])
  func whatIsNoLatencyIsRefused(_ text: String) {
    #expect(LatencyModel(text) == nil)
  }

  @Test func drawsKeepToWhatWasSaid() {
    var chance = Chance(seed: 9)
    let between = (0..<4000).map { _ in LatencyModel.between(80, 300).milliseconds(by: &chance) }
    #expect(between.allSatisfy { (80...300).contains($0) })
    #expect((between.max() ?? 0) - (between.min() ?? 0) > 200)
    let skewed = (0..<4000).map { _ in LatencyModel.percentiles(120, 600).milliseconds(by: &chance) }.sorted()
    #expect(abs(skewed[2000] - 120) < 15)
    #expect(abs(skewed[3800] - 600) < 80)
    #expect(LatencyModel.fixed(7).milliseconds(by: &chance) == 7)
  }
}

import Testing

@testable import PagingStore

@Suite struct SaveThrottleTests {
  @Test func B61_sixtySavesASecondAreFourWrites() {
    var throttle = SaveThrottle<Int>(interval: .milliseconds(250))
    var written: [Int] = []
    var due: Duration?
    for index in 0..<60 {
      let now = Duration.milliseconds(index * 16)
      if let time = due, time <= now {
        due = nil
        if let value = throttle.due(at: time) { written.append(value) }
      }
      switch throttle.save(index, at: now) {
      case .write(let value): written.append(value)
      case .wait(let time): due = now + time
      case .keep: break
      }
    }
    #expect(written == [0, 15, 31, 46])
  }

  @Test func S8_theNewestIsWrittenInTheEnd() {
    var throttle = SaveThrottle<Int>(interval: .milliseconds(250))
    guard case .write(1) = throttle.save(1, at: .zero),
      case .wait(.milliseconds(240)) = throttle.save(2, at: .milliseconds(10)),
      case .keep = throttle.save(3, at: .milliseconds(20))
    else {
      Issue.record("the first is written, the second waits, the third takes its place")
      return
    }
    #expect(throttle.due(at: .milliseconds(250)) == 3)
    #expect(throttle.kept == nil)
  }

  @Test func S8_aFlushLeavesNothingForTheOneWhoWaits() {
    var throttle = SaveThrottle<Int>(interval: .milliseconds(250))
    _ = throttle.save(1, at: .zero)
    _ = throttle.save(2, at: .milliseconds(10))
    #expect(throttle.flush(at: .milliseconds(20)) == 2)
    #expect(throttle.due(at: .milliseconds(250)) == nil)
  }

  @Test func S8_aWriteThatFailedIsTriedAgainUnlessSomethingNewerCame() {
    var throttle = SaveThrottle<Int>(interval: .milliseconds(250))
    _ = throttle.save(1, at: .zero)
    throttle.failed(1)
    #expect(throttle.flush(at: .milliseconds(20)) == 1)
    _ = throttle.save(2, at: .milliseconds(30))
    throttle.failed(1)
    #expect(throttle.flush(at: .milliseconds(40)) == 2)
  }
}

import Foundation
import Loading
import LoadingHTTP
import Testing

@testable import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ResumptionTests {
  private func head(_ headers: HTTPHeaders, status: Int = 200) -> HTTPReply {
    HTTPReply(
      status: status, headers: headers, body: Data(), url: URL(filePath: "/"),
      receivedAt: Date(timeIntervalSince1970: 1_800_000_000))
  }

  @Test func B89_onlyAStrongValidatorOfAServerWithRangesWillDo() {
    func validator(_ headers: HTTPHeaders, ranges: String? = "bytes") -> String? {
      var headers = headers
      headers["Accept-Ranges"] = ranges
      return Resumption.validator(of: head(headers))
    }
    #expect(validator(["ETag": "\"a\""]) == "\"a\"")
    #expect(validator(["ETag": "\"a\""], ranges: "none") == nil)
    #expect(validator(["ETag": "\"a\""], ranges: nil) == nil)
    #expect(validator([:]) == nil)
    for weak in ["W/\"a\"", "w/\"a\"", "a", "\"", "\"\""] { #expect(validator(["ETag": weak]) == nil, "\(weak)") }
    let date = "Fri, 15 Jan 2027 08:00:00 GMT"
    #expect(
      validator(["Last-Modified": "Fri, 15 Jan 2027 07:59:00 GMT", "Date": date]) == "Fri, 15 Jan 2027 07:59:00 GMT")
    #expect(validator(["Last-Modified": "Fri, 15 Jan 2027 07:59:01 GMT", "Date": date]) == nil, "it may change yet")
    #expect(validator(["Last-Modified": "Fri, 15 Jan 2027 07:00:00 GMT"]) == nil, "without a date nobody knows")
    #expect(validator(["ETag": "W/\"a\"", "Last-Modified": "Fri, 15 Jan 2027 07:00:00 GMT", "Date": date]) == nil)
    #expect(validator(["ETag": "\"a\"", "Content-Encoding": "gzip"]) == nil)
    #expect(validator(["ETag": "\"a\"", "Content-Encoding": "identity"]) == "\"a\"")
    #expect(validator(["ETag": "\"a\"", "Cache-Control": "no-store"]) == nil)
  }

  @Test func B88_contentRangesAreReadAndNonsenseIsNone() {
    #expect(ContentRange("bytes 0-0/1") != nil)
    #expect(ContentRange("bytes 5-9/*")?.total == nil)
    #expect(ContentRange("bytes 5-9/10")?.first == 5)
    let huge = "9999999999999999999999"
    for wrong in [
      "bytes 9-5/10", "bytes 5-10/10", "bytes -9/10", "bytes 5-/10", "bytes 5-9", "bytes 5-9/", "bytes 5-9/10/11",
      "bytes +5-9/10",
      "bytes 5-\(huge)/*", "bytes \(huge)-\(huge)/\(huge)", "bytes 5-\(Int.max)/*", "bytes=5-9/10", "bytes  ",
      "bytes 5 - 9/10",
    ] {
      #expect(ContentRange(wrong) == nil, "\(wrong)")
    }
  }

  @Test func B90_theLengthIsOnlyThatOfWhatArrives() {
    #expect(Resumption.length(of: head(["Content-Length": "12"])) == 12)
    for headers: HTTPHeaders in [
      [:], ["Content-Length": "-1"], ["Content-Length": "x"], ["Content-Length": "12", "Content-Encoding": "gzip"],
      ["Content-Length": "12", "Transfer-Encoding": "chunked"], ["Content-Length": "99999999999999999999999"],
    ] {
      #expect(Resumption.length(of: head(headers)) == nil)
    }
  }

  // MARK: - Parts

  private func part(_ count: Int) -> PartialBody {
    let head = head(["ETag": "\"a\""])
    return PartialBody(
      bytes: [UInt8](repeating: 1, count: count), head: head,
      resumption: Resumption(offset: count, validator: "\"a\"", total: nil),
      freshness: HTTPFreshness(reply: head, request: .init(url: URL(filePath: "/"))))
  }

  @Test func I8_partsAreBoundedInBytesAndNumber() {
    var parts = ResumableBodies(maxBytes: 10, maxCount: 3)
    for (name, count) in [("a", 3), ("b", 3), ("c", 3), ("d", 1)] { parts.put(part(count), for: ImageKey(name)) }
    #expect(parts.count == 3 && parts.byteCount == 7)
    #expect(parts.take(ImageKey("a")) == nil, "the oldest left")
    parts.put(part(6), for: ImageKey("e"))
    #expect(parts.byteCount <= 10 && parts.take(ImageKey("b")) == nil)
    parts.put(part(11), for: ImageKey("e"))
    #expect(parts.take(ImageKey("e")) == nil, "one that is too large is none, and the earlier one is gone")
    #expect(parts.take(ImageKey("d"))?.bytes.count == 1)
    #expect(parts.take(ImageKey("d")) == nil, "who takes it owns it")
    parts.removeAll()
    #expect(parts.count == 0 && parts.byteCount == 0)
  }

  @Test func I8_randomPartsNeverExceedTheBounds() {
    var chance = SeededGenerator(seed: 7)
    var parts = ResumableBodies(maxBytes: 50, maxCount: 4)
    var held: [Int: Int] = [:]
    for step in 0..<3_000 {
      let key = Int.random(in: 0..<8, using: &chance)
      if Bool.random(using: &chance) {
        let count = Int.random(in: 1...30, using: &chance)
        parts.put(part(count), for: ImageKey("\(key)"))
        held[key] = count
      } else if let taken = parts.take(ImageKey("\(key)")) {
        #expect(taken.bytes.count == held[key], "step \(step)")
        held[key] = nil
      }
      #expect(parts.byteCount <= 50 && parts.count <= 4 && parts.byteCount >= 0)
    }
    while let key = held.keys.first {
      _ = parts.take(ImageKey("\(key)"))
      held[key] = nil
    }
    #expect(parts.byteCount == 0 && parts.count == 0)
  }

  // MARK: - Failures

  @Test func B83_failuresAreBelievedForTheirTimeAndNoLonger() {
    var failures = FailureMemory(maxCount: 10)
    failures.remember(404, for: ImageKey("a"), until: .seconds(5))
    let during = failures.status(of: ImageKey("a"), now: .milliseconds(4_999))
    let after = failures.status(of: ImageKey("a"), now: .seconds(5))
    #expect(during == 404 && after == nil && failures.count == 0)
    failures.remember(410, for: ImageKey("a"), until: .seconds(9))
    failures.forget(ImageKey("a"))
    #expect(failures.status(of: ImageKey("a"), now: .zero) == nil)
  }

  @Test func BUG27_failuresAreBoundedAndTheOldestLeave() {
    var failures = FailureMemory(maxCount: 100)
    for number in 0..<10_000 {
      failures.remember(404, for: ImageKey("\(number)"), until: .seconds(1_000))
      failures.remember(404, for: ImageKey("same"), until: .seconds(1_000))
      #expect(failures.count <= 100)
    }
    let (last, first, same) = (
      failures.status(of: ImageKey("9999"), now: .zero), failures.status(of: ImageKey("0"), now: .zero),
      failures.status(of: ImageKey("same"), now: .zero)
    )
    #expect(last == 404 && first == nil && same == 404)
  }
}

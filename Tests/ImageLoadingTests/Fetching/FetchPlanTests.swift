import Foundation
import Loading
import LoadingHTTP
import Testing

@testable import ImageLoading

@Suite struct FetchPlanTests {
  private let tag: HTTPHeaders = ["If-None-Match": "\"a\""]

  private func head(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPReply {
    HTTPReply(
      status: status, headers: headers, body: Data(), url: URL(filePath: "/"),
      receivedAt: Date(timeIntervalSince1970: 0))
  }

  private func answer(
    _ question: FetchPlan.Question, _ head: HTTPReply, stored: HTTPReply? = nil, isLast: Bool = false
  ) -> FetchPlan.Answer {
    FetchPlan.answer(to: question, head, stored: stored, isLast: isLast, failureLifetime: .seconds(300))
  }

  /// Every combination of what may be known, against the rules one by one.
  @Test func I6_everyOpeningKeepsToItsRules() {
    var cases = 0
    for bits in 0..<(1 << 9) {
      func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
      var policy = ImageCachePolicy.automatic
      policy.usesNetwork = bit(0)
      policy.showsStaleWhileRevalidating = bit(1)
      policy.showsStaleOnError = bit(2)
      policy.readsDisk = bit(3)
      let stored =
        bit(3) && bit(4)
        ? FetchPlan.Stored(
          isForRequest: bit(5), isFresh: bit(6), forbidsStale: bit(7), mayRevalidateBehind: bit(8) && !bit(7),
          conditions: tag) : nil
      for remembered in [nil, 404] {
        cases += 1
        let opening = FetchPlan.opening(policy, stored: stored, remembered: remembered)
        let isUsable = stored?.isForRequest == true
        switch opening {
        case .serve:
          #expect(isUsable)
          #expect(stored?.isFresh == true || (!policy.usesNetwork && stored?.forbidsStale == false))
        case .serveAndAsk:
          #expect(isUsable && policy.usesNetwork && stored?.isFresh == false && stored?.forbidsStale == false)
          #expect(stored?.mayRevalidateBehind == true || policy.showsStaleWhileRevalidating)
        case .ask:
          #expect(policy.usesNetwork)
          #expect(!(isUsable && stored?.isFresh == true), "what is fresh makes no request")
          #expect(remembered == nil || !policy.readsDisk)
        case .refuse(.notCached): #expect(!policy.usesNetwork && !isUsable)
        case .refuse(.forbiddenStale): #expect(!policy.usesNetwork && isUsable && stored?.forbidsStale == true)
        case .refuse(.remembered(let status)): #expect(policy.usesNetwork && policy.readsDisk && status == remembered)
        }
        let serves = FetchPlan.servesStale(policy, stored: stored)
        #expect(serves == (isUsable && policy.showsStaleOnError && stored?.forbidsStale == false))
      }
    }
    #expect(cases == 1_024)
  }

  @Test func I8_aPartGoesBeforeWhatIsStored() {
    let part = Resumption(offset: 5, validator: "\"b\"", total: 9)
    #expect(FetchPlan.question(stored: .init(conditions: tag), part: part) == .rest(part))
    #expect(FetchPlan.question(stored: .init(conditions: tag), part: nil) == .whether(tag))
    #expect(FetchPlan.question(stored: .init(), part: nil) == .whole)
    #expect(part.headers["Range"] == "bytes=5-" && part.headers["If-Range"] == "\"b\"")
  }

  @Test func B76_a304HoldsOnlyWhereItWasAskedForAndTagsFit() {
    let stored = head(200, ["ETag": "\"a\"", "Cache-Control": "max-age=1"])
    guard case .holds(let fresh) = answer(.whether(tag), head(304, ["Cache-Control": "max-age=9"]), stored: stored)
    else {
      Issue.record("a 304 to a condition holds")
      return
    }
    #expect(fresh.headers["Cache-Control"] == "max-age=9" && fresh.headers["ETag"] == "\"a\"" && fresh.status == 200)
    #expect(answer(.whether(tag), head(304, ["ETag": "\"other\""]), stored: stored) == .askForWhole)
    #expect(answer(.whether(tag), head(304), stored: nil) == .askForWhole)
    #expect(answer(.whole, head(304), stored: stored) == .askForWhole)
    let second = answer(.whole, head(304), stored: stored, isLast: true)
    #expect(second == .failure(.init(status: 304, decision: .permanent, remembered: nil)), "and not for ever")
  }

  @Test func B88_a206IsTheRestOnlyWhereItsRangeFits() {
    let part = Resumption(offset: 5, validator: "\"a\"", total: 9)
    func rest(_ range: String?, _ more: HTTPHeaders = [:]) -> FetchPlan.Answer {
      var headers = more
      headers["Content-Range"] = range
      return answer(.rest(part), head(206, headers))
    }
    #expect(rest("bytes 5-8/9") == .rest(total: 9))
    #expect(rest("bytes 5-8/*") == .rest(total: 9))
    #expect(rest("BYTES 5-8/9", ["ETag": "\"a\""]) == .rest(total: 9))
    for wrong in ["bytes 4-8/9", "bytes 6-8/9", "bytes 5-9/10", "bytes 0-8/9", "bytes */9", "items 5-8/9", "5-8/9", ""]
    {
      #expect(rest(wrong) == .askForWhole, "\(wrong)")
    }
    #expect(rest(nil) == .askForWhole, "a body of several ranges has none")
    #expect(rest("bytes 5-8/9", ["ETag": "\"b\""]) == .askForWhole)
    #expect(rest("bytes 5-8/9", ["Content-Encoding": "gzip"]) == .askForWhole)
    #expect(answer(.whole, head(206, ["Content-Range": "bytes 5-8/9"])) == .askForWhole, "nobody asked for a part")
    #expect(answer(.rest(part), head(200)) == .whole)
    #expect(answer(.rest(part), head(416)) == .askForWhole)
    #expect(answer(.whether(tag), head(412)) == .askForWhole)
    guard case .failure = answer(.whole, head(416)) else {
      Issue.record("a 416 to no range is a failure")
      return
    }
  }

  @Test func B91_everyOtherStatusIsAFailureOfItsKind() {
    for status in [100, 204, 205, 300, 302, 400, 401, 403, 404, 410, 418, 501, 505] {
      guard case .failure(let failure) = answer(.whole, head(status)) else {
        Issue.record("\(status)")
        continue
      }
      #expect(failure.decision == .permanent && failure.status == status && !failure.isServerTrouble)
      #expect(failure.remembered == (status == 404 || status == 410 ? .seconds(300) : nil))
    }
    for status in [408, 425, 429, 500, 502, 503, 504] {
      guard case .failure(let failure) = answer(.whole, head(status, ["Retry-After": "7"])) else {
        Issue.record("\(status)")
        continue
      }
      #expect(failure.decision == .after(.seconds(7)) && failure.isServerTrouble && failure.remembered == nil)
    }
    for status in [200, 203] { #expect(answer(.whole, head(status)) == .whole) }
  }

  @Test func B81_aMissingPictureIsRememberedAsFarAsItsServerLets() {
    func remembered(_ control: String?) -> Duration? {
      var headers = HTTPHeaders()
      headers["Cache-Control"] = control
      guard case .failure(let failure) = answer(.whole, head(404, headers)) else { return nil }
      return failure.remembered
    }
    #expect(remembered(nil) == .seconds(300))
    #expect(remembered("max-age=10") == .seconds(10))
    #expect(remembered("max-age=1000") == .seconds(300))
    for none in ["no-store", "no-cache", "max-age=0"] { #expect(remembered(none) == nil, "\(none)") }
    let off = FetchPlan.answer(to: .whole, head(404), stored: nil, isLast: false, failureLifetime: .zero)
    #expect(off == .failure(.init(status: 404, decision: .permanent, remembered: nil)))
  }
}

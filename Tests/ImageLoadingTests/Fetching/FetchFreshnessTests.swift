import Foundation
import Loading
import LoadingHTTP
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(10))) struct FetchFreshnessTests {
  @Test func B79_whatIsFreshMakesNoRequestAndWhatIsNotDoes() async {
    let bench = FetchBench()
    bench.answer("/a", (200, ["Cache-Control": "max-age=60"], "one"), (200, ["Cache-Control": "max-age=60"], "two"))
    #expect(await bench.outcome() == "network one")
    #expect(await bench.outcome() == "disk one")
    bench.age(by: 59)
    #expect(await bench.outcome() == "disk one")
    bench.age(by: 2)
    #expect(await bench.outcome() == "network two")
    #expect(bench.stub.requests.count == 2)
    #expect(bench.news == ["disk miss", "fetch ok 3", "disk hit", "disk hit", "disk stale", "fetch ok 3"])
    for (path, headers) in [("/e", ["Expires": "0"]), ("/n", ["Cache-Control": "no-cache"])] as [(String, HTTPHeaders)]
    {
      bench.answer(path, (200, headers, "x"))
      _ = await bench.outcome(FetchBench.request(path))
      _ = await bench.outcome(FetchBench.request(path))
    }
    #expect(bench.stub.requests.count == 6)
  }

  @Test func B79_noStoreIsNeverStoredAndTakesAwayWhatWas() async {
    let bench = FetchBench()
    bench.answer("/a", (200, ["ETag": "\"1\""], "one"), (200, ["Cache-Control": "no-store"], "two"))
    _ = await bench.outcome()
    await bench.flush()
    #expect(bench.files().count == 1)
    #expect(await bench.outcome() == "network two")
    await bench.flush()
    #expect(bench.files().isEmpty)
    #expect(await bench.outcome() == "network two")
  }

  @Test func B76_B80_whatIsStaleIsAskedAboutAnd304KeepsTheBytes() async {
    let bench = FetchBench()
    bench.answer(
      "/a", (200, ["ETag": "\"é1\"", "Last-Modified": "Fri, 15 Jan 2027 07:00:00 GMT"], "one"),
      (304, ["Cache-Control": "max-age=60", "ETag": "\"é1\""], ""))
    _ = await bench.outcome()
    #expect(await bench.outcome() == "disk one")
    #expect(bench.sent("If-None-Match") == ["-", "\"é1\""])
    #expect(bench.sent("If-Modified-Since") == ["-", "Fri, 15 Jan 2027 07:00:00 GMT"])
    #expect(bench.news.suffix(1) == ["fetch revalidated 0"])
    // Its head was brought up to date, also on the disk.
    await bench.flush()
    let later = FetchBench(folder: bench.folder)
    #expect(await later.outcome() == "disk one")
    #expect(later.stub.requests.isEmpty)
  }

  @Test func B77_anotherTagReplacesTheBytes() async {
    let bench = FetchBench()
    bench.answer("/a", (200, ["ETag": "\"1\""], "one"), (200, ["ETag": "\"2\"", "Cache-Control": "max-age=60"], "two"))
    _ = await bench.outcome()
    #expect(await bench.outcome() == "network two")
    #expect(await bench.outcome() == "disk two")
  }

  @Test func B78_a304WithoutBytesIsAskedOnceMoreWithoutConditions() async {
    let bench = FetchBench()
    bench.answer("/a", (304, [:], ""), (200, [:], "one"))
    #expect(await bench.outcome() == "network one")
    #expect(bench.stub.requests.count == 2)
    bench.answer("/b", (304, [:], ""))
    #expect(await bench.outcome(FetchBench.request("/b")) == "status 304")
    #expect(bench.stub.requests.count == 4, "once, and not for ever")
  }

  @Test func BUG25_a304OfAnotherTagIsAskedOnceMoreWithoutConditions() async {
    let bench = FetchBench()
    bench.answer("/a", (200, ["ETag": "\"1\""], "one"), (304, ["ETag": "\"2\""], ""), (200, ["ETag": "\"2\""], "two"))
    _ = await bench.outcome()
    #expect(await bench.outcome() == "network two")
    #expect(bench.sent("If-None-Match") == ["-", "\"1\"", "-"])
  }

  @Test func B82_offlineServesWhatIsStoredAndIsNotRemembered() async {
    let bench = FetchBench { $0.maxAttempts = 1 }
    bench.answer("/a", (200, ["ETag": "\"1\""], "one"), (200, [:], "two"))
    _ = await bench.outcome()
    bench.faulty.plan(.reset, .reset)
    #expect(await bench.outcome() == "disk one")
    var strict = FetchBench.request()
    strict.cachePolicy.showsStaleOnError = false
    #expect(await bench.outcome(strict) == "network")
    #expect(await bench.outcome(strict) == "network two", "the next load asks again")
  }

  @Test func B82_mustRevalidateIsNeverShownStale() async {
    let bench = FetchBench { $0.maxAttempts = 1 }
    bench.answer("/a", (200, ["Cache-Control": "max-age=1, must-revalidate", "ETag": "\"1\""], "one"))
    _ = await bench.outcome()
    bench.age(by: 5)
    bench.faulty.plan(.reset, .status(503))
    #expect(await bench.outcome() == "network")
    #expect(await bench.outcome() == "status 503")
    #expect(await bench.outcome(FetchBench.request { $0.cachePolicy = .onlyCached }) == "notCached")
  }

  @Test func B81_serverErrorsAreNotStoredAndStaleStandsInForThem() async {
    let bench = FetchBench { $0.maxAttempts = 1 }
    bench.answer("/a", (200, ["ETag": "\"1\""], "one"), (500, [:], "no"), (404, [:], "no"), (200, [:], "two"))
    _ = await bench.outcome()
    #expect(await bench.outcome() == "disk one")
    #expect(await bench.outcome() == "status 404", "the server answered, and has none")
    await bench.flush()
    #expect(bench.files().isEmpty, "what it was is gone too")
    bench.answer("/b", (500, ["Cache-Control": "max-age=60"], "no"), (200, [:], "yes"))
    #expect(await bench.outcome(FetchBench.request("/b")) == "status 500")
    #expect(await bench.outcome(FetchBench.request("/b")) == "network yes")
  }

  @Test func B83_aMissingPictureIsNotAskedForAgainWithinItsTime() async {
    let bench = FetchBench()
    bench.answer("/a", (404, [:], ""), (200, [:], "one"))
    #expect(await bench.outcome() == "status 404")
    #expect(await bench.outcome() == "status 404")
    #expect(bench.stub.requests.count == 1)
    #expect(
      await bench.outcome(FetchBench.request { $0.cachePolicy = .reload }) == "network one", "asked for expressly")
    bench.answer("/b", (410, [:], ""), (200, [:], "two"))
    _ = await bench.outcome(FetchBench.request("/b"))
    await bench.clock.advance(by: .seconds(299))
    #expect(await bench.outcome(FetchBench.request("/b")) == "status 410")
    await bench.clock.advance(by: .seconds(1))
    #expect(await bench.outcome(FetchBench.request("/b")) == "network two")
    bench.answer("/c", (404, [:], ""), (200, [:], "three"))
    let c = FetchBench.request("/c")
    _ = await bench.outcome(c)
    bench.fetcher.forget(ImageKeys(c).bytes)
    #expect(await bench.outcome(c) == "network three")
  }

  @Test func B96_onlyCachedAsksNobody() async {
    let bench = FetchBench()
    let only = FetchBench.request { $0.cachePolicy = .onlyCached }
    #expect(await bench.outcome(only) == "notCached")
    bench.answer("/a", (200, ["ETag": "\"1\""], "one"))
    _ = await bench.outcome()
    bench.age(by: 1_000_000)
    #expect(await bench.outcome(only) == "disk one", "however old")
    #expect(bench.stub.requests.count == 1)
  }

  @Test func I6_staleIsShownWhileItIsAskedAbout() async {
    let bench = FetchBench()
    bench.answer(
      "/a", (200, ["Cache-Control": "max-age=1, stale-while-revalidate=60", "ETag": "\"1\""], "one"),
      (200, ["Cache-Control": "max-age=1000", "ETag": "\"2\""], "two"))
    _ = await bench.outcome()
    bench.age(by: 10)
    let gate = Gate()
    bench.stub.hold(by: gate)
    #expect(await bench.outcome() == "disk one")
    #expect(await bench.outcome() == "disk one")
    await bench.stub.requests(atLeast: 2)
    await gate.waiting(atLeast: 1)
    #expect(bench.stub.requests.count == 2, "one question for all who ask meanwhile")
    let behind = bench.fetcher.state.withLock { $0.behind.values.first }
    gate.open()
    await behind?.value
    #expect(bench.news.last == "replaced")
    #expect(await bench.outcome() == "disk two")
    #expect(bench.sent("If-None-Match") == ["-", "\"1\""])
  }

  @Test func I6_staleIsShownFirstWhereTheRequestSaysSoButNotAgainstTheServer() async {
    let bench = FetchBench()
    let eager = FetchBench.request { $0.cachePolicy.showsStaleWhileRevalidating = true }
    bench.answer("/a", (200, ["ETag": "\"1\""], "one"), (304, ["Cache-Control": "max-age=60"], ""))
    _ = await bench.outcome(eager)
    let gate = Gate()
    bench.stub.hold(by: gate)
    #expect(await bench.outcome(eager) == "disk one")
    await gate.waiting(atLeast: 1)
    let behind = bench.fetcher.state.withLock { $0.behind.values.first }
    gate.open()
    await behind?.value
    #expect(!bench.news.contains("replaced") && bench.stub.requests.count == 2)
    #expect(await bench.outcome() == "disk one")
    #expect(bench.stub.requests.count == 2, "the 304 made it fresh")
    let strict = FetchBench.request("/b") { $0.cachePolicy.showsStaleWhileRevalidating = true }
    bench.answer("/b", (200, ["Cache-Control": "no-cache"], "one"), (200, [:], "two"))
    _ = await bench.outcome(strict)
    #expect(await bench.outcome(strict) == "network two")
  }

  @Test func I6_whatWasForgottenDoesNotComeBackBehindItsLoad() async {
    let bench = FetchBench()
    let eager = FetchBench.request { $0.cachePolicy.showsStaleWhileRevalidating = true }
    bench.answer("/a", (200, ["ETag": "\"1\""], "bad"), (304, [:], ""), (200, [:], "good"))
    _ = await bench.outcome(eager)
    let gate = Gate()
    bench.stub.hold(by: gate)
    #expect(await bench.outcome(eager) == "disk bad")
    await gate.waiting(atLeast: 1)
    let behind = bench.fetcher.state.withLock { $0.behind.values.first }
    bench.fetcher.forget(ImageKeys(eager).bytes)
    gate.open()
    await behind?.value
    #expect(await bench.outcome(eager) == "network good", "the 304 must not write the forgotten bytes again")
  }

  @Test func B20_requestsOfOtherScopesShareNothing() async {
    let bench = FetchBench()
    bench.answer("/a", (200, ["Cache-Control": "max-age=60"], "mine"), (200, ["Cache-Control": "max-age=60"], "yours"))
    #expect(await bench.outcome(FetchBench.request { $0.headers = ["Authorization": "a"] }) == "network mine")
    #expect(await bench.outcome(FetchBench.request { $0.headers = ["Authorization": "b"] }) == "network yours")
    #expect(await bench.outcome(FetchBench.request { $0.headers = ["Authorization": "a"] }) == "disk mine")
    await bench.flush()
    for file in bench.files() {
      let bytes = (try? Data(contentsOf: file)) ?? Data()
      #expect(bytes.range(of: Data("host.test".utf8)) == nil && bytes.range(of: Data("Authorization".utf8)) == nil)
    }
  }

  @Test func I6_aReplyThatVariesIsForItsOwnRequestOnly() async {
    let bench = FetchBench()
    let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept", "ETag": "\"1\""]
    bench.answer("/a", (200, headers, "webp"), (200, headers, "jpeg"))
    let webp = FetchBench.request { $0.headers = ["Accept": "image/webp"] }
    let jpeg = FetchBench.request { $0.headers = ["Accept": "image/jpeg"] }
    #expect(await bench.outcome(webp) == "network webp")
    #expect(await bench.outcome(webp) == "disk webp")
    #expect(await bench.outcome(jpeg) == "network jpeg")
    #expect(bench.sent("If-None-Match") == ["-", "\"1\""])
  }

  @Test func B81_otherMethodsAreNeitherStoredNorRepeated() async {
    let bench = FetchBench()
    bench.stub.reply(
      to: "/a", method: "POST", with: HTTPReply(status: 503, body: Data(), url: bench.folder, receivedAt: .distantPast))
    let post = FetchBench.request { $0.method = "POST" }
    #expect(await bench.outcome(post) == "status 503")
    #expect(bench.stub.requests.count == 1)
    await bench.flush()
    #expect(bench.files().isEmpty)
  }
}

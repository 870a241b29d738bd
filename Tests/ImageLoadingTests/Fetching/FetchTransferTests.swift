import Foundation
import Loading
import LoadingHTTP
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10))) struct FetchTransferTests {
  private let strong: HTTPHeaders = ["ETag": "\"1\"", "Accept-Ranges": "bytes"]

  /// Answers in turn; the last answer stays.
  private func script(
    _ answers: (@Sendable (HTTPRequest) async throws -> HTTPStreamedReply)...
  ) -> (
    FetchScript, FetchTrail<HTTPRequest>
  ) {
    let trail = FetchTrail<HTTPRequest>()
    let transport = FetchScript { request in
      trail.add(request)
      return try await answers[min(trail.all.count, answers.count) - 1](request)
    }
    return (transport, trail)
  }

  private var cut: HTTPError { HTTPError(.invalidResponse, message: "cut") }

  private func header(_ trail: FetchTrail<HTTPRequest>, _ name: String) -> [String] {
    trail.all.map { $0.urlRequest.value(forHTTPHeaderField: name) ?? "-" }
  }

  // MARK: - Retries

  @Test func B94_whatFailsTwiceIsTriedThreeTimesWithGrowingDelays() async {
    let bench = FetchBench()
    bench.answer("/a", (200, [:], "one"))
    bench.faulty.plan(.reset, .status(503))
    let load = Task { await bench.outcome() }
    await bench.clock.sleepers(atLeast: 1)
    let first = bench.clock.sleepers[0].offset
    #expect(first > .zero && first <= .milliseconds(500))
    await bench.clock.advance(by: first)
    await bench.clock.sleepers(atLeast: 1)
    let second = bench.clock.sleepers[0].offset - first
    #expect(second > .zero && second <= .seconds(1))
    await bench.clock.advance(by: second)
    #expect(await load.value == "network one")
    #expect(bench.faulty.requestCount == 3)
  }

  @Test func B94_retryAfterIsKeptToAndOneThatIsTooLongEndsIt() async {
    let bench = FetchBench()
    bench.answer("/a", (200, [:], "one"))
    bench.faulty.plan(.status(429, retryAfter: "7"))
    let load = Task { await bench.outcome() }
    await bench.clock.sleepers(atLeast: 1)
    #expect(bench.clock.sleepers[0].offset == .seconds(7))
    await bench.clock.advance(by: .seconds(7))
    #expect(await load.value == "network one")
    bench.faulty.plan(.status(503, retryAfter: "3600"))
    #expect(await bench.outcome(FetchBench.request("/b")) == "status 503")
  }

  @Test func B94_whatWillNotPassIsTriedOnce() async {
    let bench = FetchBench()
    for status in [400, 401, 403, 501] {
      bench.faulty.plan(.status(status))
      #expect(await bench.outcome() == "status \(status)")
    }
    #expect(bench.faulty.requestCount == 4)
  }

  @Test func B94_whoIsCancelledWhileWaitingTriesNoMore() async {
    let bench = FetchBench()
    bench.faulty.plan(.reset)
    let load = Task { await bench.outcome() }
    await bench.clock.sleepers(atLeast: 1)
    load.cancel()
    #expect(await load.value == "CancellationError")
    #expect(bench.faulty.requestCount == 1)
  }

  @Test func B94_whatIsTriedAgainHoldsNoSlotMeanwhile() async {
    let bench = FetchBench {
      $0.maxConcurrentFetches = 1
      $0.reservedFetches = 0
    }
    bench.answer("/b", (200, [:], "b"))
    bench.answer("/a", (200, [:], "a"))
    bench.faulty.plan(.reset)
    let load = Task { await bench.outcome() }
    await bench.clock.sleepers(atLeast: 1)
    #expect(await bench.outcome(FetchBench.request("/b")) == "network b")
    await bench.clock.advance(by: .seconds(1))
    #expect(await load.value == "network a")
  }

  // MARK: - Resuming

  @Test func B88_whatBrokeOffIsContinued() async {
    let (strong, cut) = (strong, cut)
    let (transport, trail) = script(
      { _ in FetchScript.reply(200, strong, pieces: ["0123", "45"], then: cut) },
      { _ in FetchScript.reply(206, ["Content-Range": "bytes 6-9/10"], pieces: ["67", "89"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    #expect(await bench.outcome() == "network")
    let progress = FetchTrail<ImageProgress>()
    let copies = FetchTrail<String>()
    let fetched = try? await bench.load { arrived in
      progress.add(arrived.progress)
      copies.add(String(decoding: arrived.copy(), as: UTF8.self))
    }
    #expect(fetched.map { String(decoding: $0.bytes, as: UTF8.self) } == "0123456789")
    #expect(header(trail, "Range") == ["-", "bytes=6-"])
    #expect(header(trail, "If-Range") == ["-", "\"1\""])
    // B90: it begins where it was, and never exceeds the whole.
    #expect(progress.all.map(\.receivedBytes) == [6, 8, 10])
    #expect(progress.all.allSatisfy { $0.totalBytes == 10 })
    #expect(copies.all == ["012345", "01234567", "0123456789"])
    #expect(bench.news == ["disk miss", "fetch network 6", "disk miss", "fetch ok 4"])
    bench.fetcher.state.withLock { #expect($0.parts.count == 0) }
  }

  @Test func B88_aRetryGoesOnWhereItBrokeOff() async {
    let (strong, cut) = (strong, cut)
    let (transport, trail) = script(
      { _ in FetchScript.reply(200, strong, pieces: ["01"], then: cut) },
      { _ in FetchScript.reply(206, ["Content-Range": "bytes 2-5/6"], pieces: ["23"], then: cut) },
      { _ in FetchScript.reply(206, ["Content-Range": "bytes 4-5/6", "Cache-Control": "max-age=60"], pieces: ["45"]) })
    let bench = FetchBench(transport: transport)
    let load = Task { await bench.outcome() }
    for _ in 0..<2 {
      await bench.clock.sleepers(atLeast: 1)
      // No further than to the next attempt, which may sleep again.
      await bench.clock.advance(by: bench.clock.sleepers[0].offset - bench.clock.now.offset)
    }
    #expect(await load.value == "network 012345")
    #expect(header(trail, "Range") == ["-", "bytes=2-", "bytes=4-"])
    #expect(await bench.outcome() == "disk 012345", "it is kept as the whole")
  }

  @Test func B88_aWholeAnswerBeginsAnew() async {
    let (strong, cut) = (strong, cut)
    let (transport, trail) = script(
      { _ in FetchScript.reply(200, strong, pieces: ["old"], then: cut) },
      { _ in FetchScript.reply(200, ["ETag": "\"2\""], pieces: ["new one"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    _ = await bench.outcome()
    #expect(await bench.outcome() == "network new one")
    #expect(header(trail, "Range") == ["-", "bytes=3-"])
  }

  @Test(arguments: ["bytes 0-9/10", "bytes 5-9/10", "bytes 4-9/11", "nonsense"])
  func B88_aRangeThatDoesNotFitBeginsAnew(range: String) async {
    let (strong, cut) = (strong, cut)
    var headers = strong
    headers["Content-Length"] = "10"
    let first = headers
    let (transport, trail) = script(
      { _ in FetchScript.reply(200, first, pieces: ["0123"], then: cut) },
      { _ in FetchScript.reply(206, ["Content-Range": range], pieces: ["WRONG"]) },
      { _ in FetchScript.reply(200, first, pieces: ["0123456789"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    _ = await bench.outcome()
    #expect(await bench.outcome() == "network 0123456789")
    #expect(header(trail, "Range") == ["-", "bytes=4-", "-"])
  }

  @Test func B88_aConnectionThatNeverComesKeepsThePart() async {
    let (strong, cut) = (strong, cut)
    let (transport, trail) = script(
      { _ in FetchScript.reply(200, strong, pieces: ["0123"], then: cut) },
      { _ in throw HTTPError(.connectionFailed, message: "offline") },
      { _ in FetchScript.reply(206, ["Content-Range": "bytes 4-5/6"], pieces: ["45"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    _ = await bench.outcome()
    #expect(await bench.outcome() == "network")
    #expect(await bench.outcome() == "network 012345")
    #expect(header(trail, "Range") == ["-", "bytes=4-", "bytes=4-"])
  }

  @Test func B88_aServerThatFailsMeanwhileKeepsThePartAndOneThatHasNoneDropsIt() async {
    let (strong, cut) = (strong, cut)
    let (transport, trail) = script(
      { _ in FetchScript.reply(200, strong, pieces: ["0123"], then: cut) },
      { _ in FetchScript.reply(503) },
      { _ in FetchScript.reply(404, ["Cache-Control": "no-store"]) },
      { _ in FetchScript.reply(200, strong, pieces: ["anew"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    for expected in ["network", "status 503", "status 404", "network anew"] {
      #expect(await bench.outcome() == expected)
    }
    #expect(header(trail, "Range") == ["-", "bytes=4-", "bytes=4-", "-"])
  }

  @Test func B88_whatIsContinuedLaterIsAsFreshAsItsRest() async {
    let (cut, first) = (cut, strong)
    let (transport, _) = script(
      { _ in FetchScript.reply(200, first, pieces: ["0123"], then: cut) },
      { _ in FetchScript.reply(206, ["Content-Range": "bytes 4-5/6", "Cache-Control": "max-age=60"], pieces: ["45"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    _ = await bench.outcome()
    bench.age(by: 1_000)
    #expect(await bench.outcome() == "network 012345")
    #expect(await bench.outcome() == "disk 012345")
  }

  @Test func I14_whatTellsWhoAsksStaysBehindOnAnotherServer() async {
    let bench = FetchBench()
    bench.answer("/a", (200, [:], "x"))
    let headers: HTTPHeaders = ["X-Api-Key": "k", "Accept": "image/*", "User-Agent": "u"]
    _ = await bench.outcome(FetchBench.request { $0.headers = headers })
    #expect(bench.stub.requests.first?.credentialHeaders == ["X-Api-Key"])
    #expect(bench.sent("X-Api-Key") == ["k"] && bench.sent("Accept") == ["image/*"])
  }

  @Test(
    arguments: [
      ["ETag": "W/\"1\"", "Accept-Ranges": "bytes"], ["Accept-Ranges": "bytes"], ["ETag": "\"1\""],
      ["ETag": "\"1\"", "Accept-Ranges": "none"],
      ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Content-Encoding": "br"],
    ] as [HTTPHeaders])
  func B89_withoutAStrongValidatorNothingIsContinued(headers: HTTPHeaders) async {
    let cut = cut
    let (transport, trail) = script(
      { _ in FetchScript.reply(200, headers, pieces: ["0123"], then: cut) },
      { _ in FetchScript.reply(200, headers, pieces: ["whole"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    _ = await bench.outcome()
    #expect(await bench.outcome() == "network whole")
    #expect(header(trail, "Range") == ["-", "-"])
  }

  @Test func I8_aPartOfAnotherVariantIsNotContinued() async {
    let (strong, cut) = (strong, cut)
    var headers = strong
    headers["Vary"] = "Accept"
    let first = headers
    let (transport, trail) = script(
      { _ in FetchScript.reply(200, first, pieces: ["0123"], then: cut) },
      { _ in FetchScript.reply(200, first, pieces: ["whole"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    _ = await bench.outcome()
    _ = await bench.outcome(FetchBench.request { $0.headers = ["Accept": "image/png"] })
    #expect(header(trail, "Range") == ["-", "-"])
  }

  @Test func I2_whoIsCancelledStopsAtTheNextPieceAndItsPartIsKept() async {
    let gate = Gate()
    let strong = strong
    let (transport, trail) = script(
      { _ in
        let head = FetchScript.reply(200, strong).head
        let place = Mutex(0)
        return HTTPStreamedReply(
          head: head,
          body: AsyncThrowingStream {
            let number = place.withLock {
              $0 += 1
              return $0
            }
            if number == 2 { try await gate.pass() }
            return Data("\(number)".utf8)
          })
      },
      { _ in FetchScript.reply(206, ["Content-Range": "bytes 1-2/3"], pieces: ["23"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    let load = Task { await bench.outcome() }
    await gate.waiting(atLeast: 1)
    load.cancel()
    #expect(await load.value == "CancellationError")
    #expect(bench.news.last == "fetch cancelled 1")
    #expect(await bench.outcome() == "network 123")
    #expect(header(trail, "Range") == ["-", "bytes=1-"])
  }

  @Test func I2_bytesThatAreCompleteAreKeptWhenTheirLoadIsCancelled() async {
    let (transport, _) = script({ _ in
      let reply = FetchScript.reply(200, ["Content-Length": "3", "Cache-Control": "max-age=60"])
      let isSent = Mutex(false)
      return HTTPStreamedReply(
        head: reply.head,
        body: AsyncThrowingStream {
          if isSent.withLock({ $0 }) { return nil }
          isSent.withLock { $0 = true }
          // Cancelled as the last piece comes.
          withUnsafeCurrentTask { $0?.cancel() }
          return Data("abc".utf8)
        })
    })
    let bench = FetchBench(transport: transport)
    _ = await Task { await bench.outcome() }.value
    #expect(await bench.outcome(FetchBench.request { $0.cachePolicy = .onlyCached }) == "disk abc")
  }

  @Test func I8_aBodyShorterThanItsLengthIsNoPicture() async {
    let (transport, _) = script(
      { _ in FetchScript.reply(200, ["Content-Length": "10", "Cache-Control": "max-age=60"], pieces: ["0123"]) })
    let bench = FetchBench(transport: transport) { $0.maxAttempts = 1 }
    #expect(await bench.outcome() == "network")
    await bench.flush()
    #expect(bench.files().isEmpty)
  }

  // MARK: - Limits and errors

  @Test func B87_anAnswerBeyondTheLimitEndsEarlyWithAndWithoutItsLength() async {
    let pieces = Mutex(0)
    let (transport, _) = script(
      { _ in FetchScript.reply(200, ["Content-Length": "1000"], pieces: ["x"]) },
      { _ in
        HTTPStreamedReply(
          head: FetchScript.reply(200).head,
          body: AsyncThrowingStream {
            pieces.withLock { $0 += 1 }
            return Data("0123456789".utf8)
          })
      })
    let bench = FetchBench(transport: transport) { $0.maxResponseBytes = 100 }
    #expect(await bench.outcome() == "limit")
    #expect(bench.news.last == "fetch limit 0", "nothing was read")
    #expect(await bench.outcome() == "limit")
    #expect(pieces.withLock { $0 } == 11, "not a piece more than it took to see")
    let (resumed, _) = script(
      { [strong, cut] _ in FetchScript.reply(200, strong, pieces: ["0123"], then: cut) },
      { _ in FetchScript.reply(206, ["Content-Range": "bytes 4-999/1000"], pieces: ["x"]) })
    let later = FetchBench(transport: resumed) {
      $0.maxResponseBytes = 100
      $0.maxAttempts = 1
    }
    _ = await later.outcome()
    #expect(await later.outcome() == "limit", "the whole counts, not the rest")
  }

  @Test func BUG14_lookersOnAreGivenNoCopyUnlessTheyAsk() async {
    let pieces = (0..<200).map { _ in String(repeating: "x", count: 1_000) }
    let (transport, _) = script({ _ in FetchScript.reply(200, ["Content-Length": "200000"], pieces: pieces) })
    let bench = FetchBench(transport: transport)
    let places = FetchTrail<Int>()
    let kept = FetchTrail<ArrivedBytes>()
    let fetched = try? await bench.load { arrived in
      places.add(arrived.progress.receivedBytes)
      kept.add(arrived)
    }
    #expect(fetched?.bytes.count == 200_000)
    #expect(places.all == (1...200).map { $0 * 1_000 })
    #expect(kept.all.allSatisfy { $0.copy().isEmpty }, "and nothing holds the bytes afterwards")
    // The room is there from the beginning.
    let buffer = BodyBuffer(capacity: 200_000)
    _ = buffer.append([1], limit: 10)
    #expect(buffer.take().capacity >= 200_000)
    #expect(buffer.append([1, 2, 3], limit: 2) == nil && buffer.count == 0)
  }

  @Test func B91_errorsSayWhatToDoAndNeverNameAQuery() async throws {
    let secret = FetchBench.request("/a?token=SECRET")
    let failures: [HTTPError] = [
      .init(.timedOut, message: "host.test/a was slow"), .init(.bodyTooLarge, message: "large"),
    ]
    for failure in failures {
      let bench = FetchBench(transport: FetchScript { _ in throw failure }) { $0.maxAttempts = 1 }
      do {
        _ = try await bench.load(secret)
        Issue.record("it fails")
      } catch let error as ImageError {
        #expect(error.code == (failure.code == .bodyTooLarge ? .limit : .network))
        #expect(!error.description.contains("SECRET") && error.cause is HTTPError)
      }
    }
    for status in [302, 401, 404, 429, 500, 204] {
      let bench = FetchBench(transport: FetchScript { _ in FetchScript.reply(status) }) { $0.maxAttempts = 1 }
      do {
        _ = try await bench.load(secret)
        Issue.record("it fails")
      } catch let error as ImageError {
        #expect(error.code == .status && error.status == status && error.message.contains("host.test"))
        #expect(!error.description.contains("SECRET"))
      }
    }
    let odd = FetchBench(transport: FetchScript { _ in throw CancellationError() })
    #expect(await odd.outcome() == "network", "nobody was cancelled")
  }

  // MARK: - Lanes

  @Test func B35_BUG30_whatIsFetchedAheadNeverHoldsUpWhatIsOnScreen() async {
    let bench = FetchBench()
    let gate = Gate()
    bench.stub.hold(by: gate)
    var loads: [Task<String, Never>] = []
    for number in 0..<10 {
      bench.answer("/\(number)", (200, [:], "x"))
      let request = ImageRequest(
        source: .url(URL(string: "http://h\(number).test/\(number)") ?? URL(filePath: "/")))
      loads.append(
        Task { (try? await bench.load(request, ticket: LoadTicket(priority: .low))) == nil ? "failed" : "ok" })
    }
    await gate.waiting(atLeast: 3)
    bench.answer("/visible", (200, [:], "seen"))
    let visible = Task { await bench.outcome(FetchBench.request("/visible")) }
    await gate.waiting(atLeast: 4)
    #expect(bench.stub.requests.count == 4)
    #expect(bench.stub.requests.last?.urlRequest.url?.path == "/visible")
    gate.open()
    #expect(await visible.value == "network seen")
    for load in loads { #expect(await load.value == "ok") }
  }

  @Test func B36_BUG30_aDeadHostLeavesTheOthersAlone() async {
    let bench = FetchBench()
    bench.faulty.plan(.hang, .hang, .hang, .hang)
    let dead = (0..<8).map { number in
      Task { await bench.outcome(FetchBench.request("/dead\(number)")) }
    }
    while bench.faulty.faultsLeft > 0 { await Task.yield() }
    for number in 0..<3 {
      bench.answer("/\(number)", (200, [:], "alive"))
      let other = ImageRequest(source: .url(URL(string: "http://other.test/\(number)") ?? URL(filePath: "/")))
      #expect(await bench.outcome(other) == "network alive")
    }
    #expect(bench.faulty.requestCount == 7, "four of the dead host, and these")
    // A place that one of them leaves is another's before that one is cancelled too.
    bench.faulty.plan(.hang, .hang, .hang, .hang)
    for task in dead { task.cancel() }
    for task in dead { #expect(await task.value == "CancellationError") }
  }

  @Test func B34_aFlingStartsNoMoreThanItsPaceLets() async {
    let bench = FetchBench {
      $0.maxConcurrentFetches = 50
      $0.maxConcurrentFetchesPerHost = 50
      $0.fetchBurst = 3
      $0.maxFetchesPerSecond = 10
    }
    let loads = (0..<6).map { number in
      bench.answer("/\(number)", (200, [:], "x"))
      return Task { await bench.outcome(FetchBench.request("/\(number)")) }
    }
    await bench.clock.sleepers(atLeast: 1)
    await bench.stub.requests(atLeast: 3)
    for count in 4...6 {
      #expect(bench.stub.requests.count < count)
      await bench.clock.sleepers(atLeast: 1)
      await bench.clock.advance(by: .milliseconds(100))
      await bench.stub.requests(atLeast: count)
    }
    for load in loads { #expect(await load.value == "network x") }
  }
}

import Foundation
import Loading
import LoadingHTTP
import Paging
import PagingHTTP
import PagingTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Suspends until so many requests wait for their turn and so many are out.
func budget(_ budget: HostBudget, waits waiting: Int, runs running: Int) async {
  while budget.load != (waiting, running) { await Task.yield() }
}

/// A list with a cursor that refuses its second page once, and other things beside it.
private final class RefusingServer: Sendable {
  let server: LoopbackServer
  private let held: [String: (arrived: Signal, goesOn: Signal)]

  /// - Parameter held: Targets whose answers wait until they are let go.
  init(status: Int = 429, headers: [(String, String)], holding held: [String] = []) throws {
    let signals = Dictionary(uniqueKeysWithValues: held.map { ($0, (arrived: Signal(), goesOn: Signal())) })
    self.held = signals
    let refusals = Mutex(1)
    server = try LoopbackServer { request, connection in
      // How many more are to be refused; below zero when this one need not be.
      var left = -1
      if request.target == "/posts?cursor=2" {
        left = refusals.withLock { count -> Int in
          count -= 1
          return count
        }
      }
      if left >= 0 { return connection.reply(status, headers: headers, text: #"{"message":"slow down"}"#) }
      if let signal = signals[request.target] {
        signal.arrived.fire()
        signal.goesOn.block()
      }
      let isFirst = !request.target.contains("cursor")
      connection.reply(text: isFirst ? #"{"items":[{"id":1}],"next":"2"}"# : #"{"items":[{"id":2}]}"#)
    }
  }

  deinit { for signal in held.values { signal.goesOn.fire() } }

  func arrived(_ targets: String...) async { for target in targets { await held[target]?.arrived.wait() } }
  func letGo(_ targets: String...) { for target in targets { held[target]?.goesOn.fire() } }
}

@Suite(.timeLimit(.minutes(10))) struct SharedBudgetTests {
  private func list(_ url: URL, _ budget: HostBudget) -> HTTPPageSource<Row> {
    HTTPPageSource(
      url, convention: .cursor(\Feed.next), transport: URLSessionTransport(budget: budget), items: \.items)
  }

  @Test func H1_twoListsAndALoaderRestTogetherAndGoOnByPriority() async throws {
    let clock = ManualClock()
    let shared = HostBudget(maxConcurrentPerHost: 2, clock: clock)
    let door = try RefusingServer(
      headers: [("Retry-After", "30")], holding: ["/people", "/image/1", "/image/2"])
    let server = door.server
    let (posts, people) = (list(server.url("/posts"), shared), list(server.url("/people"), shared))
    let images = URLSessionTransport(budget: shared)
    let first = try await posts.first()
    let refused = await #expect(throws: HTTPPageError.self) {
      try await posts.load(LoadParams(.append, key: first.nextKey, loadSize: 3))
    }
    #expect(refused?.status == 429 && refused?.message.contains("slow down") == true)
    try #require(shared.coolDown(for: server.url()) == .seconds(30))

    // The least urgent come first, so that age decides nothing.
    let ahead = [posts, people].map { list in
      Task { try await list.load(LoadParams(.append, key: "2", loadSize: 3, purpose: .prefetch)) }
    }
    await budget(shared, waits: 2, runs: 0)
    let pictures = ["/image/1", "/image/2"].map { path in
      Task { try await images.send(HTTPRequest(server.url(path))) }
    }
    await budget(shared, waits: 4, runs: 0)
    let visible = Task { try await people.first() }
    await budget(shared, waits: 5, runs: 0)
    await clock.advance(by: .seconds(29))
    #expect(shared.load == (5, 0) && server.requests.count == 2)

    // One goes first, though two might; the rest once it was answered.
    await clock.advance(by: .seconds(1))
    while shared.load.running == 0 { await Task.yield() }
    try #require(shared.load == (4, 1))
    await door.arrived("/people")
    #expect(shared.load == (4, 1) && server.requests.count == 3)
    door.letGo("/people")
    #expect(try await visible.value.items == [Row(id: 1)])
    try #require(shared.load == (2, 2))
    await door.arrived("/image/1", "/image/2")
    #expect(shared.load == (2, 2) && server.requests.count == 5)
    door.letGo("/image/1", "/image/2")
    for picture in pictures { #expect(try await picture.value.status == 200) }
    for page in ahead { #expect(try await page.value.items == [Row(id: 2)]) }
    #expect(Set(server.requests.suffix(2).map(\.target)) == ["/posts?cursor=2", "/people?cursor=2"])
    #expect(shared.load == (0, 0) && shared.coolDown(for: server.url()) == nil)
  }

  @Test(
    arguments: [429, 503],
    [
      "20", "Sun, 06 Nov 1994 08:49:57 GMT", "Sunday, 06-Nov-94 08:49:57 GMT", "Sun Nov  6 08:49:57 1994",
    ])
  func H1_aWalkGoesOnWhenTheTimeToldIsUp(status: Int, retryAfter: String) async throws {
    let clock = ManualClock()
    let shared = HostBudget(clock: clock)
    let door = try RefusingServer(
      status: status, headers: [("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Retry-After", retryAfter)])
    let posts = list(door.server.url("/posts"), shared)
    var key: HTTPPageKey?
    do {
      for try await _ in posts.pages() {}
      Issue.record("the second page was not refused")
    } catch { key = error.resumeKey }
    try #require(key == "2" && shared.coolDown(for: door.server.url()) == .seconds(20))
    let rest = Task { [key] in try await posts.walked(from: key) }
    await budget(shared, waits: 1, runs: 0)
    await clock.advance(by: .milliseconds(19_999))
    #expect(shared.load == (1, 0) && door.server.requests.count == 2)
    await clock.advance(by: .milliseconds(1))
    #expect(try await rest.value == [[Row(id: 2)]])
  }

  @Test(arguments: [("soon", nil), ("-1", nil), ("0", nil), ("4000000", Duration.seconds(600))])
  func H1_whatCannotBeReadHoldsNobodyUpAndWhatIsTooLongIsCapped(retryAfter: String, coolDown: Duration?) async throws {
    let clock = ManualClock()
    let shared = HostBudget(clock: clock)
    let door = try RefusingServer(headers: [("Retry-After", retryAfter)])
    let posts = list(door.server.url("/posts"), shared)
    #expect(await posts.status(key: "2") == 429)
    try #require(shared.coolDown(for: door.server.url()) == coolDown)
    if let coolDown {
      let next = Task { try await posts.first(key: "2") }
      await budget(shared, waits: 1, runs: 0)
      await clock.advance(by: coolDown)
      #expect(try await next.value.items == [Row(id: 2)])
    } else {
      #expect(try await posts.first(key: "2").items == [Row(id: 2)])
    }
  }
}

extension HTTPPageSource {
  /// The status of the error of a load; nil where there is none.
  fileprivate func status(key: HTTPPageKey?) async -> Int? {
    do {
      _ = try await first(key: key)
      return nil
    } catch { return (error as? HTTPPageError)?.status }
  }
}

import Foundation
import Loading
import LoadingHTTP
import PagingTesting
import Synchronization
import TestSupport

@testable import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A fetcher with a folder, a clock, a date and a transport of the test's own.
final class FetchBench: Sendable {
  let clock = ManualClock()
  let stub = StubTransport()
  let faulty: FaultyTransport
  let fetcher: ImageFetcher
  let folder: URL
  private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
  private let told = Mutex<[FetchNews]>([])

  /// - Parameters:
  ///   - folder: That of another bench, to look at what it left; nil: a new one.
  ///   - transport: In the stub's place.
  init(
    folder: URL? = nil, transport: (any HTTPTransport)? = nil,
    configure: (inout ImageLoaderConfig) -> Void = { _ in }
  ) {
    let folder = folder ?? Self.newFolder()
    self.folder = folder
    faulty = FaultyTransport(stub, clock: clock)
    var config = ImageLoaderConfig()
    config.diskFolder = folder
    configure(&config)
    let shared = Shared()
    fetcher = ImageFetcher(
      config: config, transport: transport ?? faulty, clock: clock, now: { shared.bench?.now ?? .distantPast },
      tell: { shared.bench?.hear($0) }, seed: 1)
    shared.set(self)
  }

  private final class Shared: Sendable {
    private let weakly = Mutex(Weak())
    private struct Weak { weak var bench: FetchBench? }
    var bench: FetchBench? { weakly.withLock { $0.bench } }
    func set(_ bench: FetchBench) { weakly.withLock { $0.bench = bench } }
  }

  static func newFolder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("fetch-\(UUID().uuidString)", isDirectory: true)
  }

  deinit {
    fetcher.close()
    try? FileManager.default.removeItem(at: folder)
  }

  var now: Date { date.withLock { $0 } }
  func age(by seconds: Double) { date.withLock { $0 += seconds } }

  private func hear(_ news: FetchNews) { told.withLock { $0.append(news) } }

  /// What was told so far, in a word each.
  var news: [String] {
    told.withLock { told in
      told.compactMap { news in
        switch news {
        case .diskBegan, .fetchBegan: nil
        case .diskEnded(_, _, let outcome): "disk \(outcome)"
        case .fetchEnded(_, _, let outcome, let bytes): "fetch \(outcome) \(bytes)"
        case .replaced: "replaced"
        case .diskFailed: "diskFailed"
        }
      }
    }
  }

  // MARK: - Asking

  static func request(_ path: String = "/a", configure: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
    var request = ImageRequest(source: .url(URL(string: "http://host.test\(path)") ?? URL(filePath: "/")))
    configure(&request)
    return request
  }

  func load(
    _ request: ImageRequest = FetchBench.request(), ticket: LoadTicket = LoadTicket(),
    arrived: @escaping @Sendable (ArrivedBytes) -> Void = { _ in }
  ) async throws -> FetchedBytes {
    try await fetcher.bytes(for: request, key: ImageKeys(request).bytes, ticket: ticket, arrived: arrived)
  }

  /// The text that a load brings and where it came from, or its error's code and status.
  func outcome(_ request: ImageRequest = FetchBench.request()) async -> String {
    do {
      let fetched = try await load(request)
      return "\(fetched.origin) \(String(decoding: fetched.bytes, as: UTF8.self))"
    } catch let error as ImageError {
      return "\(error.code.rawValue)\(error.status.map { " \($0)" } ?? "")"
    } catch {
      return "\(type(of: error))"
    }
  }

  /// Has the stub answer in turn; the last answer stays.
  func answer(_ path: String = "/a", _ answers: (status: Int, headers: HTTPHeaders, text: String)...) {
    stub.reply(
      to: path,
      inTurn: answers.map {
        HTTPReply(
          status: $0.status, headers: $0.headers, body: Data($0.text.utf8), url: folder, receivedAt: .distantPast)
      })
  }

  /// The values of a header in all requests so far; `-` where one had none.
  func sent(_ header: String) -> [String] {
    stub.requests.map { $0.urlRequest.value(forHTTPHeaderField: header) ?? "-" }
  }

  /// All files of the cache.
  func files() -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    return (all?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "blob" }
  }

  func flush() async { await fetcher.disk?.flush() }
}

/// Events in the order in which they came, and a wait for so many.
final class FetchTrail<Event: Sendable>: Sendable {
  private let state = Mutex<[Event]>([])

  func add(_ event: Event) { state.withLock { $0.append(event) } }
  var all: [Event] { state.withLock { $0 } }
}

/// A transport that answers each request from a closure.
struct FetchScript: HTTPTransport {
  let answer: @Sendable (HTTPRequest) async throws -> HTTPStreamedReply

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    var reply = try await answer(request)
    for try await piece in reply.body { reply.head.body.append(piece) }
    return reply.head
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply { try await answer(request) }

  static func reply(
    _ status: Int = 200, _ headers: HTTPHeaders = [:], pieces: [String] = [], then error: (any Error)? = nil
  ) -> HTTPStreamedReply {
    let head = HTTPReply(
      status: status, headers: headers, body: Data(), url: URL(filePath: "/"), receivedAt: .distantPast)
    return HTTPStreamedReply(
      head: head,
      body: AsyncThrowingStream { continuation in
        for piece in pieces { continuation.yield(Data(piece.utf8)) }
        continuation.finish(throwing: error)
      })
  }
}

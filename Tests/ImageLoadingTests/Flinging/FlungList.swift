import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import Synchronization
import Testing

@testable import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Rows with a picture each, shown by targets that are used again and again.
@MainActor final class FlungList {
  let server = FlungServer()
  let config: ImageLoaderConfig
  let loader: ImageLoader
  /// What was shown by a target whose row it isn't.
  private(set) var wrong: [String] = []
  private let rows: Int
  private var targets: [FlungTarget] = []
  private var bound: [Int?]
  private var waiting: CheckedContinuation<Void, Never>?

  init(rows: Int, visible: Int) {
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    config.maxFetchesPerSecond = nil
    config.maxMemoryBytes = 200 * FlungDecoder.byteCount
    config.maxConcurrentDecodes = 2
    self.config = config
    self.rows = rows
    loader = ImageLoader(config: config, transport: server, decoders: [FlungDecoder()])
    bound = Array(repeating: nil, count: visible)
    targets = (0..<visible).map { _ in FlungTarget() }
    for target in targets { target.list = self }
  }

  /// Binds the targets of the rows that came on screen; the others keep theirs.
  func scroll(to top: Int) {
    for row in top..<min(rows, top + targets.count) {
      let place = row % targets.count
      guard bound[place] != row else { continue }
      bound[place] = row
      targets[place].bind(row, loader: loader)
    }
  }

  /// Waits until each visible row shows its picture, or something is wrong.
  func settled() async {
    if isSettled { return }
    await withCheckedContinuation { waiting = $0 }
  }

  var shownRows: Set<Int> { Set(targets.compactMap(\.shown)) }

  fileprivate func showed(_ problem: String?) {
    if let problem { wrong.append(problem) }
    if isSettled { waiting.take()?.resume() }
  }

  private var isSettled: Bool { !wrong.isEmpty || targets.allSatisfy { $0.shown == $0.row } }
}

@MainActor final class FlungTarget: ImageTarget {
  var imageBinding = ImageBinding()
  weak var list: FlungList?
  private(set) var row: Int?
  /// The row whose picture it shows.
  private(set) var shown: Int?

  func bind(_ row: Int, loader: ImageLoader) {
    self.row = row
    guard let url = URL(string: "https://pictures.example/\(row)") else { return }
    loader.load(ImageRequest(url, priority: .high), into: self)
  }

  func show(_ content: ImageContent) {
    guard let image = content.image else {
      shown = nil
      list?.showed(content.error.map { "row \(row ?? -1): \($0)" })
      return
    }
    let number = FlungDecoder.number(of: image)
    shown = number
    list?.showed(number == row ? nil : "row \(row ?? -1) showed the picture of \(number)")
  }
}

/// Answers each request with the number in its path, once it is open.
final class FlungServer: HTTPTransport {
  private struct State {
    var isOpen = false
    var asked = 0
    var answered = 0
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())

  var asked: Int { state.withLock { $0.asked } }
  var answered: Int { state.withLock { $0.answered } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    try await turn()
    state.withLock { $0.answered += 1 }
    let url = try #require(request.urlRequest.url)
    return HTTPReply(
      status: 200, headers: ["Cache-Control": "max-age=60"], body: Data(url.lastPathComponent.utf8), url: url,
      receivedAt: Date())
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    var reply = try await send(request)
    let (body, writer) = AsyncThrowingStream<Data, any Error>.makeStream()
    writer.yield(reply.body)
    writer.finish()
    reply.body = Data()
    return HTTPStreamedReply(head: reply, body: body)
  }

  private func turn() async throws {
    let id = state.withLock { state in
      state.asked += 1
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let result: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.isOpen { return .success(()) }
          state.waiting[id] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
    // As from a network: not in the turn in which it was asked for.
    await Task.yield()
  }
}

/// Makes of a number's digits a picture whose first pixel is that number.
struct FlungDecoder: ImageDecoder {
  static let size = PixelSize(width: 8, height: 8)
  static let byteCount = size.width * size.height * 4

  static func number(of image: DecodedImage) -> Int {
    image.withPixels { Int($0[0]) | Int($0[1]) << 8 | Int($0[2]) << 16 }
  }

  func canDecode(header: [UInt8]) -> Bool { true }

  func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { Self.size }

  func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    guard let number = Int(String(decoding: data, as: UTF8.self)) else {
      throw ImageCodecError(.corrupt, message: "the body is no number")
    }
    var pixels = [UInt8](repeating: 255, count: Self.byteCount)
    for channel in 0..<3 { pixels[channel] = UInt8(truncatingIfNeeded: number >> (8 * channel)) }
    return try DecodedImage(size: Self.size, rgba: pixels)
  }
}

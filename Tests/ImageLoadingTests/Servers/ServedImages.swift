import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

/// A list of pictures on the server, a loader with a disk folder of its own, and the server's log since it began.
final class ServedImages: Sendable {
  let server: RealServer
  let count: Int
  private let folder: String
  private let disk: URL
  private let current: Mutex<ImageLoader>

  /// - Parameters:
  ///   - count: How many pictures the list has.
  ///   - folder: How long they hold, by the table in `Tests/Servers/feeds/nginx_images.py`.
  ///   - own: Whether the server is for this list alone, since it will be changed or stopped.
  init(count: Int, folder: String = "img", own: Bool = false) async throws {
    let arguments = ["--rows", "500"]
    server =
      try await own
      ? RealServer(.images, arguments: arguments) : RealServers.shared.server(.images, arguments: arguments)
    self.count = count
    self.folder = folder
    disk = FileManager.default.temporaryDirectory.appending(path: "served-images-\(UUID().uuidString)")
    current = Mutex(Self.loader(disk))
    _ = try await statuses()
  }

  deinit { try? FileManager.default.removeItem(at: disk) }

  var loader: ImageLoader { current.withLock { $0 } }

  /// Another loader over the same folder, as after the app was started again, so much later. What was on its way to the disk is there by then.
  func restart(after time: TimeInterval = 0) async {
    await (loader.fetcher as? ImageFetcher)?.disk?.flush()
    let next = Self.loader(disk, later: time)
    current.withLock { $0 = next }
  }

  func request(_ number: Int) -> ImageRequest { ImageRequest(server.url("/\(folder)/\(number).png")) }

  /// Loads all pictures at once, and fails unless each is the one that was asked for and comes from there; nil: from wherever.
  func expectAll(from origin: ImageResponse.Origin?, at location: SourceLocation = #_sourceLocation) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count { group.addTask { try await self.expect(number, from: origin, at: location) } }
      try await group.waitForAll()
    }
  }

  func expect(
    _ number: Int, from origin: ImageResponse.Origin?, at location: SourceLocation = #_sourceLocation
  ) async throws {
    let response = try await loader.image(for: request(number))
    #expect(Colour(of: response.image) == Colour(number: number), "picture \(number)", sourceLocation: location)
    if let origin { #expect(response.origin == origin, "picture \(number)", sourceLocation: location) }
  }

  /// How often each status was answered since this was asked last.
  func statuses() async throws -> [String: Int] {
    let counts = try JSONDecoder().decode([String: Int].self, from: Data(try await server.tell("log").utf8))
    return counts.reduce(into: [:]) { sums, line in sums[String(line.key.prefix(3)), default: 0] += line.value }
  }

  /// Returns when what came of a transfer that was cancelled is kept.
  func partKept() async throws {
    while (loader.fetcher as? ImageFetcher)?.state.withLock({ $0.parts.count }) == 0 {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// The time of all loaders, so that nothing that the server calls fresh goes stale while other tests keep the machine busy.
  private static let start = Date()

  private static func loader(_ disk: URL, later time: TimeInterval = 0) -> ImageLoader {
    var config = ImageLoaderConfig()
    config.diskFolder = disk
    config.maxFetchesPerSecond = nil
    return ImageLoader(config: config, now: { start.addingTimeInterval(time) })
  }
}

/// The colour that says which picture it is.
struct Colour: Hashable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  /// That of the server's picture of that number.
  init(number: Int) {
    red = UInt8(40 * (number / 36 % 6))
    green = UInt8(40 * (number / 6 % 6))
    blue = UInt8(40 * (number % 6))
  }

  /// That of the first pixel.
  init(of image: DecodedImage) {
    (red, green, blue) = image.withPixels { ($0[0], $0[1], $0[2]) }
  }
}

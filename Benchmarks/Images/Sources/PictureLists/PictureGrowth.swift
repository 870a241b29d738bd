import Foundation
import ImageLoading

/// What a picture costs a loader that has 10, and one that has 10,000.
enum PictureGrowth {
  private struct Curve: Encodable {
    struct Point: Encodable {
      var size: Int
      var nanoseconds: Double
    }

    var group = "pictures in the loader"
    var operation: String
    var promise: String
    var points: [Point] = []
  }

  /// A PNG of one pixel: the loader's part is what is measured.
  private static let file =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  static func run() async throws {
    guard let data = Data(base64Encoded: file) else { return }
    var hit = Curve(operation: "a picture that memory has, synchronous", promise: "O(1)")
    var load = Curve(operation: "a picture that is decoded, all asked for at once", promise: "O(log n)")
    for size in [10, 100, 1_000, 10_000] {
      let (loader, requests) = (loader(), requests(size, data))
      let start = ContinuousClock.now
      try await fill(loader, requests)
      load.points.append(.init(size: size, nanoseconds: (ContinuousClock.now - start) / .nanoseconds(1) / Double(size)))
      hit.points.append(.init(size: size, nanoseconds: Self.hit(loader, requests)))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode([hit, load]), as: UTF8.self))
  }

  /// Nanoseconds of a look at a picture that memory has, of a hundred.
  static func hit() async throws -> Double {
    guard let data = Data(base64Encoded: file) else { return 0 }
    let (loader, requests) = (loader(), requests(100, data))
    try await fill(loader, requests)
    return hit(loader, requests)
  }

  /// By the processor time of this thread. An app has its requests at hand: the list of those that are looked at isn't one of copies,
  /// which would be larger than what the processor holds.
  private static func hit(_ loader: ImageLoader, _ requests: [ImageRequest]) -> Double {
    let order = (0..<10_000).map { _ in Int.random(in: requests.indices) }
    let times = (0..<15).map { _ in
      let start = clock()
      for index in order { precondition(loader.cachedImage(for: requests[index]) != nil) }
      return (clock() - start) / Double(order.count)
    }
    return times.sorted()[times.count / 2]

    func clock() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
  }

  private static func loader() -> ImageLoader {
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    return ImageLoader(config: config)
  }

  private static func requests(_ count: Int, _ data: Data) -> [ImageRequest] {
    (0..<count).map { ImageRequest(source: .data(data, id: "https://example.org/\($0).png")) }
  }

  private static func fill(_ loader: ImageLoader, _ requests: [ImageRequest]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for request in requests { group.addTask { _ = try await loader.image(for: request) } }
      try await group.waitForAll()
    }
  }
}

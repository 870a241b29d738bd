import Foundation
import ImageCodecs
import ImageLoading
import LoadingHTTP

/// How long a list of 60 pictures takes that nobody has seen before, beside its transfer alone and its decoding alone.
/// From a folder of a server that has 0.png, 1.png and on.
enum ColdList {
  private static let count = 60

  static func run(_ folder: URL, isJSON: Bool) async throws {
    let urls = (0..<count).map { folder.appending(path: "\($0).png") }
    let bytes = try await transferred(urls)
    var times: [(whole: Double, transfer: Double, decoding: Double)] = []
    for _ in 0..<7 {
      let whole = try await milliseconds { try await loaded(urls) }
      let transfer = try await milliseconds { _ = try await transferred(urls) }
      let decoding = try await milliseconds { try decoded(bytes) }
      times.append((whole, transfer, decoding))
    }
    let middle = times.count / 2
    let whole = times.map(\.whole).sorted()[middle]
    let transfer = times.map(\.transfer).sorted()[middle]
    let decoding = times.map(\.decoding).sorted()[middle]
    let ratio = whole / max(transfer, decoding)
    if isJSON {
      return print(
        #"[{"workload":"60 pictures from nginx, cold; baseline: the slower of transfer and decoding","#
          + #""unit":"nanoseconds","ours":\#(whole * 1e6),"baseline":\#(max(transfer, decoding) * 1e6),"asked":1.3}]"#)
    }
    print("| 60 pictures, cold | transfer alone | decoding alone | ratio to the slower | asked | met |")
    print("|---|---|---|---|---|---|")
    print(
      String(
        format: "| %.1f ms | %.1f ms | %.1f ms | %.2f | ≤ 1.30 | %@ |", whole, transfer, decoding, ratio,
        ratio <= 1.3 ? "yes" : "NO"))
  }

  /// By a loader that holds nothing, with its defaults but for the disk.
  private static func loaded(_ urls: [URL]) async throws {
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    let loader = ImageLoader(config: config)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for url in urls { group.addTask { _ = try await loader.image(for: ImageRequest(url, priority: .high)) } }
      try await group.waitForAll()
    }
  }

  /// As many at once as a loader has, four, since all come from one host.
  private static func transferred(_ urls: [URL]) async throws -> [[UInt8]] {
    let transport = URLSessionTransport()
    return try await withThrowingTaskGroup(of: [UInt8].self) { group in
      var bytes: [[UInt8]] = []
      var waiting = urls[...]
      for _ in 0..<4 {
        guard let url = waiting.popFirst() else { break }
        group.addTask { [UInt8](try await transport.send(HTTPRequest(url)).body) }
      }
      while let next = try await group.next() {
        bytes.append(next)
        if let url = waiting.popFirst() {
          group.addTask { [UInt8](try await transport.send(HTTPRequest(url)).body) }
        }
      }
      return bytes
    }
  }

  /// One after another, as with one lane.
  private static func decoded(_ files: [[UInt8]]) throws {
    let decoder = ImageDecoderList()
    for file in files { _ = try decoder.decode(file, DecodeOptions()) }
  }

  private static func milliseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }
}

import Foundation
import ImageLoading

/// A picture that memory has.
enum Pictures {
  /// A PNG of one pixel.
  private static let file =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  static func counts() async throws -> [(name: String, count: Int)] {
    guard let data = Data(base64Encoded: file), let url = URL(string: "https://example.org/pictures/1.png") else {
      return []
    }
    let loader = ImageLoader(config: config)
    let request = ImageRequest(source: .data(data, id: url.absoluteString))
    _ = try await loader.image(for: request)
    let hit = Allocations.count { precondition(loader.cachedImage(for: request) != nil) }
    return [("a picture that memory has", hit)]
  }

  /// Nothing on disk.
  static var config: ImageLoaderConfig {
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    return config
  }
}

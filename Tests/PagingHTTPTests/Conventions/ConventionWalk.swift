import Foundation
import LoadingHTTP
import Paging
import PagingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PageSource where Key == HTTPPageKey {
  /// The pages of a walk forward from `key`, until the declared end, at most 200.
  func walked(from key: HTTPPageKey? = nil, size: Int = 3) async throws -> [[Item]] {
    var pages: [[Item]] = []
    var key = key
    repeat {
      let page = try await load(LoadParams(key == nil ? .refresh : .append, key: key, loadSize: size))
      pages.append(page.items)
      key = page.nextKey
    } while key != nil && pages.count < 200
    return pages
  }

  /// The first page.
  func first(size: Int = 3, key: HTTPPageKey? = nil) async throws -> Page<HTTPPageKey, Item> {
    try await load(LoadParams(.refresh, key: key, loadSize: size))
  }

  /// The code of what a load throws; nil where it throws nothing or something else.
  func code(_ type: LoadType = .append, key: HTTPPageKey?) async -> PagingError.Code? {
    do {
      _ = try await load(LoadParams(type, key: key, loadSize: 3))
      return nil
    } catch {
      return (error as? PagingError)?.code
    }
  }
}

extension URLRequest {
  /// The body as JSON.
  var json: JSONValue? { httpBody.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) } }
  /// A query parameter, decoded.
  func query(_ name: String) -> String? {
    let parts = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    return parts?.queryItems?.first { $0.name == name }?.value
  }
}

/// A row whose ID is a text.
struct Named: Identifiable, Codable, Hashable, Sendable {
  var id: String
}

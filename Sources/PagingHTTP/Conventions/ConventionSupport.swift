import Foundation
import LoadingHTTP
import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// Asks for the URL of a key that must be one.
  mutating func follow(_ key: HTTPPageKey) throws {
    guard let target = key.url else {
      throw PagingError(.invalidKey, message: "The key is not a URL, as this convention needs. Refresh to start again.")
    }
    url = target
  }

  /// Sets a query parameter, whatever it was.
  mutating func setQuery(_ name: String, to value: String) {
    url = url?.settingQuery(name, to: value)
  }

  /// Sets a query parameter that the URL does not have yet.
  mutating func setQueryIfAbsent(_ name: String, to value: String) {
    guard let url, url.queryValue(name) == nil else { return }
    self.url = url.settingQuery(name, to: value)
  }

  /// The query parameter `name` as a number; nil where it is none.
  func queryNumber(_ name: String) -> Int? {
    url?.queryNumber(name)
  }
}

extension URL {
  /// The query parameter `name` as a number; nil where it is none.
  func queryNumber(_ name: String) -> Int? {
    queryValue(name).flatMap { Int($0) }
  }
}

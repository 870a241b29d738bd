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

  /// Makes this a POST of `body`, as JSON unless a media type is named.
  mutating func post(_ body: JSONValue, as type: String = "application/json") {
    httpMethod = "POST"
    httpBody = body.json
    setValue(type, forHTTPHeaderField: "Content-Type")
  }
}

extension HTTPPageKey {
  /// A cursor that a server gave; nil for none and for an empty text.
  init?(cursor text: String?) {
    guard let text, !text.isEmpty else { return nil }
    self.init(text)
  }
}

/// A cursor and the side of it on which the page is, as one key: what a preset needs whose two directions differ.
///
/// The rows behind a cursor have the cursor itself as key, those in front of it `<` and the cursor, as an offset does.
/// A cursor that begins with one of these signs, or with the `=` of a window's key, gets a `>` in front.
struct SidedCursor: Hashable {
  /// The server's own text.
  let cursor: String
  /// Whether the rows in front of it are meant.
  let isBefore: Bool

  init(_ key: HTTPPageKey) {
    isBefore = key.text.first == "<"
    cursor = isBefore || key.text.first == ">" ? String(key.text.dropFirst()) : key.text
  }

  /// The key of the rows behind `cursor`; nil for none.
  static func key(after cursor: String?) -> HTTPPageKey? {
    guard let cursor, let first = cursor.first else { return nil }
    return HTTPPageKey("<>=".contains(first) ? ">" + cursor : cursor)
  }

  /// The key of the rows in front of `cursor`; nil for none.
  static func key(before cursor: String?) -> HTTPPageKey? {
    guard let cursor, !cursor.isEmpty else { return nil }
    return HTTPPageKey("<" + cursor)
  }
}

extension URL {
  /// The query parameter `name` as a number; nil where it is none.
  func queryNumber(_ name: String) -> Int? {
    queryValue(name).flatMap { Int($0) }
  }
}

extension Total {
  /// What a server counted; nil below zero, which some say for "unknown".
  init?(counted count: Int) {
    guard count >= 0 else { return nil }
    self = .exact(count)
  }
}

import Foundation
import PagingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where in its requests a list's key stands: what two of them differ in.
enum KeyPlace: Hashable, Sendable {
  /// A query parameter.
  case query(String)
  /// A number in the path, between these.
  case path(before: String, after: String)
  /// A member of the JSON in the request's body.
  case body([String])
  /// A header.
  case header(String)

  /// What tells `second` from `first`; nil where nothing does.
  init?(from first: URLRequest, to second: URLRequest) {
    guard let a = first.url, let b = second.url else { return nil }
    if let name = Self.differing(a, b).first {
      self = .query(name)
    } else if a.path() != b.path(), let place = Self.number(a.path(), b.path()) {
      self = place
    } else if let old = Self.json(first), let new = Self.json(second), let path = Self.difference(old, new) {
      self = .body(path)
    } else {
      let names = (second.allHTTPHeaderFields ?? [:]).keys.sorted()
      guard
        let name = names.first(where: { first.value(forHTTPHeaderField: $0) != second.value(forHTTPHeaderField: $0) })
      else { return nil }
      self = .header(name)
    }
  }

  /// What it is called.
  var name: String {
    switch self {
    case .query(let name), .header(let name): name
    case .path: "the number in the path"
    case .body(let path): path.last ?? ""
    }
  }

  /// The key in a request; nil where it has none.
  func value(in request: URLRequest) -> String? {
    switch self {
    case .query(let name): return request.url?.queryValue(name)
    case .path(let before, let after):
      guard let path = request.url?.path(), path.hasPrefix(before), path.hasSuffix(after),
        path.count >= before.count + after.count
      else { return nil }
      return String(path.dropFirst(before.count).dropLast(after.count))
    case .body(let path): return Self.json(request)?.value(at: path)?.text
    case .header(let name): return request.value(forHTTPHeaderField: name)
    }
  }

  /// Puts `value` in the key's place.
  func set(_ value: String, in request: inout URLRequest) {
    switch self {
    case .query(let name): request.url = request.url?.settingQuery(name, to: value)
    case .path(let before, let after):
      guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return }
      parts.percentEncodedPath =
        before + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") + after
      request.url = parts.url ?? url
    case .body(let path):
      guard let body = Self.json(request) else { return }
      let isNumber = body.value(at: path)?.integer != nil
      let new = isNumber ? Int(value).map { JSONValue.integer($0) } ?? .string(value) : .string(value)
      request.httpBody = try? JSONEncoder().encode(Self.setting(path[...], to: new, in: body))
    case .header(let name): request.setValue(value, forHTTPHeaderField: name)
    }
  }

  /// Sorted so that keys come before sizes and what looks like neither.
  private static func differing(_ a: URL, _ b: URL) -> [String] {
    let names = names(in: b) + names(in: a)
    var seen: Set<String> = []
    let changed = names.filter {
      seen.insert($0).inserted && a.queryValue($0) != b.queryValue($0) && b.queryValue($0) != nil
    }
    return changed.filter { !SizeNames.all.contains($0) } + changed.filter { SizeNames.all.contains($0) }
  }

  private static func names(in url: URL) -> [String] {
    (URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []).map(\.name)
  }

  /// The digits around the first difference of two paths.
  private static func number(_ a: String, _ b: String) -> KeyPlace? {
    let common = zip(a, b).prefix { $0 == $1 }.count
    var start = b.index(b.startIndex, offsetBy: common)
    while start > b.startIndex, b[b.index(before: start)].isNumber { start = b.index(before: start) }
    let digits = b[start...].prefix(while: \.isNumber)
    let (before, after) = (String(b[..<start]), String(b[start...].dropFirst(digits.count)))
    return digits.isEmpty || !a.hasPrefix(before) || !a.hasSuffix(after) ? nil : .path(before: before, after: after)
  }

  private static func json(_ request: URLRequest) -> JSONValue? {
    request.httpBody.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
  }

  /// The path to the first scalar, by name, that is another in `new`.
  private static func difference(_ old: JSONValue?, _ new: JSONValue) -> [String]? {
    guard let members = new.members else { return old == new || new.text == nil ? nil : [] }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let rest = difference(old?[name], value) { return [name] + rest }
    }
    return nil
  }

  private static func setting(_ path: ArraySlice<String>, to new: JSONValue, in value: JSONValue) -> JSONValue {
    guard let name = path.first else { return new }
    var value = value
    value[name] = setting(path.dropFirst(), to: new, in: value[name] ?? .object([:]))
    return value
  }
}

/// What servers call the size of a page.
enum SizeNames {
  /// Those that are tried where nothing names one, the likeliest first.
  static let usual = ["limit", "per_page", "page_size", "size"]
  /// Those that are known when they are seen.
  static let all: Set<String> = [
    "limit", "per_page", "page_size", "pageSize", "perPage", "size", "_size", "_limit", "count", "num", "max_results",
    "maxResults", "max-keys", "first", "top", "$top", "n", "page[size]", "page[limit]", "MaxResults", "Limit",
  ]
}

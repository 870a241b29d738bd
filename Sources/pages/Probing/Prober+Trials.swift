import Foundation
import LoadingHTTP
import PagingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Prober {
  // MARK: - Bad keys

  /// Asks for the second page by keys that the server never gave.
  mutating func tryBadKeys() async throws {
    guard let place, requests.count > 1, let key = place.value(in: requests[1].urlRequest), !key.isEmpty else { return }
    for bad in ProbeObservations.BadKey.allCases {
      guard let text = Self.spoilt(key, bad) else { continue }
      let loaded = try await list.ask(requests[1]) { place.set(text, in: &$0) }
      seen.badKeys[bad] = answer(loaded)
    }
  }

  /// The key as it should never come; nil where it can't be made that bad.
  static func spoilt(_ key: String, _ bad: ProbeObservations.BadKey) -> String? {
    switch bad {
    case .garbled: return Int(key) == nil ? String(repeating: "z~", count: max(2, key.count / 2)) : "no-key"
    case .cut:
      // Of a number, a part is another good key.
      guard Int(key) == nil, key.count > 3 else { return nil }
      return String(key.prefix(key.count * 2 / 3))
    case .empty: return ""
    }
  }

  // MARK: - Ends

  /// Looks at the last page, and where pages are counted at places behind the end.
  mutating func lookAtEnd() async throws {
    if let last = seen.pages.last, !last.goesOn, !seen.goesRound, let key = keys.last {
      let again = try await list.load(key)
      if again.failure == nil { seen.lastAgain = (again.rows, again.next != nil) }
    }
    guard let place, let request = requests.dropFirst().first else { return }
    let shape = KeyShape(
      keys: seen.pages.dropFirst().compactMap(\.key), name: seen.keyName, pages: seen.pages.map(\.rows))
    guard shape == .pageNumbers || shape == .offsets else { return }
    let list = list
    func ask(_ number: Int) async throws -> ProbedList.Loaded {
      try await list.ask(request) { place.set(String(number), in: &$0) }
    }
    let size = seen.usualSize ?? 1
    if let last = seen.pages.last, !last.goesOn, last.rows.isEmpty, let number = last.key.flatMap({ Int($0) }) {
      let (behind, overflows) = number.addingReportingOverflow(shape == .offsets ? max(1, size) : 1)
      if !overflows { seen.behindEmpty = answer(try await ask(behind)) }
    }
    seen.pastEnd = answer(try await ask(shape == .offsets ? 1_000_000_000 : 1_000_000))
    try await lookAtTotal(shape, size, ask)
  }

  /// More rows than a list has.
  private static let mostRows = 1 << 50

  /// Looks at the row that a total says is the last, and behind it.
  private mutating func lookAtTotal(
    _ shape: KeyShape, _ size: Int, _ ask: (Int) async throws -> ProbedList.Loaded
  ) async throws {
    // A total beyond any list, as a server may say it, has no last row to look at.
    guard let total = seen.totals.first?.count, (1..<Self.mostRows).contains(total), seen.wholeCount == nil, size > 0,
      let second = seen.pages.dropFirst().first?.key.flatMap({ Int($0) }), second.magnitude < Self.mostRows
    else { return }
    let pages = (total + size - 1) / size
    let last = shape == .offsets ? total - 1 : second - 2 + pages
    let expected = shape == .offsets ? 1 : total - (pages - 1) * size
    let end = try await ask(last)
    let behind = try await ask(last + 1)
    guard end.failure == nil, let status = end.status, status < 300 else { return }
    switch answer(behind) {
    case .noRows, .refused: seen.totalIsExact = end.rows.count == expected
    case .otherRows where !(seen.pastEnd?.isRows ?? false): seen.totalIsExact = false
    default: break
    }
  }

  // MARK: - Ways in

  /// Tries what a server may have for a place in the middle and for what is new.
  mutating func tryEntries() async throws {
    guard let first = requests.first, (first.urlRequest.httpMethod ?? "GET") == "GET",
      let page = seen.pages.first?.rows, page.count > 2, page.first?.words != nil
    else { return }
    try await tryWindows(first, page)
    guard seen.isStable else {
      seen.notes.append("what is newer than a row: the list's order does not last.")
      return
    }
    try await tryNewer(first, page)
  }

  private mutating func tryWindows(_ first: HTTPRequest, _ page: [RowID]) async throws {
    let far = seen.pages.last { $0.rows.count > 2 }?.rows ?? page
    let anchor = far[far.count / 2]
    guard let words = anchor.words else { return }
    var tried: [String] = []
    for name in ["around", "anchor"] {
      tried.append(name)
      let loaded = try await list.ask(first) { KeyPlace.query(name).set(words, in: &$0) }
      guard loaded.failure == nil, let index = loaded.rows.firstIndex(of: anchor), index > 0,
        index < loaded.rows.count - 1, loaded.rows != page
      else { continue }
      seen.windows = (tried, name, loaded.rows.count)
      return
    }
    seen.windows = (tried, nil, 0)
  }

  private mutating func tryNewer(_ first: HTTPRequest, _ page: [RowID]) async throws {
    let above = min(3, page.count - 1)
    guard let words = page[above].words else { return }
    var tried: [String] = []
    for name in ["since_id", "min_id"] where seen.newer?.found == nil {
      tried.append(name)
      let loaded = try await list.ask(first) { KeyPlace.query(name).set(words, in: &$0) }
      let isNewer = loaded.failure == nil && loaded.rows.count == above && Set(loaded.rows) == Set(page[..<above])
      seen.newer = (tried, isNewer ? name : nil, isNewer ? above : 0)
    }
    let name = seen.newer?.found ?? "since_id"
    let counted = try await list.ask(first) { request in
      guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return }
      parts.percentEncodedPath =
        (parts.percentEncodedPath.hasSuffix("/")
          ? String(parts.percentEncodedPath.dropLast()) : parts.percentEncodedPath) + "/count"
      request.url = (parts.url ?? url).settingQuery(name, to: words)
    }
    guard let status = counted.status, (200..<300).contains(status), let body = counted.body else { return }
    let count = ["count", "newer", "total", "n"].compactMap { body[$0]?.integer }.first
    if let count, count == above { seen.newerCount = ("\"/count\" with \"\(name)\"", count) }
  }
}

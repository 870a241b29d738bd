import Foundation
import LoadingHTTP
import Paging
import PagingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Looks at a list from outside: makes the requests and notes what came. What it means is for others to say.
struct Prober {
  /// How many pages are walked, and how old a key must be when it is tried again.
  struct Depth: Sendable {
    var pages = 4
    var keyAge = Duration.zero
  }

  /// What was seen.
  var seen = ProbeObservations()
  let list: ProbedList
  let transport: ProbeTransport
  /// The requests of the pages that were walked.
  private(set) var requests: [HTTPRequest] = []
  /// Their keys; nil is the first page.
  private(set) var keys: [HTTPPageKey?] = []
  /// What the first reply tells of how the list pages, where nobody named that.
  private(set) var found: DetectedConvention?
  /// Where in a request the key stands.
  private(set) var place: KeyPlace?
  private let depth: Depth
  private let sizeParameter: String?
  private let convention: ListOptions.Convention
  private let next: [String]?
  private var secondKeyAt: ContinuousClock.Instant?

  init(
    _ list: ProbedList, _ options: ListOptions, sizeParameter: String?, depth: Depth, transport: ProbeTransport
  ) {
    self.list = list
    self.transport = transport
    self.depth = depth
    self.sizeParameter = sizeParameter
    convention = options.convention
    next = options.next?.names
  }

  /// Makes all requests but those around changes.
  ///
  /// - Throws: What made the first page fail; cancellation.
  mutating func run() async throws {
    do {
      try await walk()
      guard !seen.pages.isEmpty else { return }
      try await refresh()
      try await countByHead()
      try await lookAtEnd()
      try await trySizes()
      try await tryBadKeys()
      try await tryEntries()
      try await repeatOldKey()
    } catch let stop as ProbeTransport.Stop {
      guard !seen.pages.isEmpty else { throw stop }
      if place == nil { findKeys() }
      seen.notes.append(stop.words)
    }
    seen.throttles = transport.throttles
  }

  // MARK: - Pages

  private mutating func walk() async throws {
    var next: HTTPPageKey?
    var known: Set<HTTPPageKey> = []
    for number in 1...max(1, depth.pages) {
      var loaded = try await list.load(next)
      if number == 2, let other = try await otherKey(than: next, loaded) {
        next = other
        loaded = try await list.load(next)
      }
      if let failure = loaded.failure {
        if number == 1 { throw failure }
        seen.brokeOff = (number, loaded.status)
        break
      }
      if number == 1 { tellConvention(loaded) }
      if number == 2, isIgnored(loaded) { break }
      requests.append(loaded.sent.request)
      keys.append(next)
      var page = ProbeObservations.Page(rows: loaded.rows)
      page.goesOn = loaded.next != nil
      page.milliseconds = loaded.sent.milliseconds
      page.bytes = loaded.sent.reply?.body.count ?? 0
      page.total = loaded.body.flatMap { SeenTotal(in: $0, rows: loaded.rows.count) } ?? loaded.sent.reply?.seenTotal
      seen.pages.append(page)
      if number == 1 {
        secondKeyAt = .now
        if loaded.next == nil { seen.said = list.remote.said(loaded.rows.count, isFirst: true, isStart: true) }
      }
      // At once, before it can have grown old.
      if number == 2, let next { seen.keyAgain = answer(try await list.load(next)) }
      next = loaded.next
      guard let next else { break }
      if !known.insert(next).inserted {
        seen.goesRound = true
        break
      }
    }
    findKeys()
  }

  /// A key under another parameter than the one that was guessed, where that one gives the first page again.
  private func otherKey(than key: HTTPPageKey?, _ loaded: ProbedList.Loaded) async throws -> HTTPPageKey? {
    guard let first = seen.pages.first?.rows, !first.isEmpty, loaded.rows == first else { return nil }
    return try await list.remote.settleParameter(insteadOf: key) { key in
      let other = try await list.load(key)
      return other.failure == nil && other.rows.isMostly(unlike: first)
    }
  }

  private mutating func tellConvention(_ first: ProbedList.Loaded) {
    seen.namedNext = next
    if convention == .auto, let reply = first.sent.reply, let body = first.body {
      let found = list.remote.found ?? DetectedConvention.detect(reply, body: body)
      self.found = found
      seen.kind = found.kind.rawValue
      seen.reason = printable(found.reason)
    } else {
      seen.kind = convention.rawValue
      seen.reason = "--convention says so."
    }
  }

  /// Whether the second page is the first one again, since the server does not know the parameter that was guessed.
  private mutating func isIgnored(_ loaded: ProbedList.Loaded) -> Bool {
    guard found?.isNumbered == true, !loaded.rows.isEmpty, loaded.rows == seen.pages.first?.rows else {
      return false
    }
    seen.pages[0].goesOn = false
    seen.kind = "unknown"
    seen.reason = "\(seen.reason) But the second page that this leads to is the first one again."
    return true
  }

  private mutating func findKeys() {
    guard requests.count > 1 else { return }
    // The first two may differ in more than their key.
    let pair = requests.count > 2 ? (requests[1], requests[2]) : (requests[0], requests[1])
    place = KeyPlace(from: pair.0.urlRequest, to: pair.1.urlRequest)
    seen.keyName = place.map { printable($0.name, limit: 60) }
    for index in 1..<requests.count { seen.pages[index].key = place?.value(in: requests[index].urlRequest) }
  }

  // MARK: - The same again

  private mutating func repeatOldKey() async throws {
    guard keys.count > 1, let key = keys[1], let since = secondKeyAt else { return }
    let age = ContinuousClock.now - since
    if age < depth.keyAge { try await Task.sleep(for: depth.keyAge - age) }
    let seconds = Int((ContinuousClock.now - since) / .seconds(1))
    seen.keyLater = (seconds, answer(try await list.load(key)))
  }

  private mutating func refresh() async throws {
    for _ in 0..<2 {
      let loaded = try await list.load(nil)
      if loaded.failure == nil { seen.refreshes.append(loaded.rows) }
    }
  }

  private mutating func countByHead() async throws {
    guard seen.totals.isEmpty, let first = requests.first, (first.urlRequest.httpMethod ?? "GET") == "GET" else {
      return
    }
    let loaded = try await list.ask(first) { $0.httpMethod = "HEAD" }
    guard let reply = loaded.sent.reply, (200..<300).contains(reply.status) else { return }
    seen.headTotal = reply.seenTotal
  }

  // MARK: - Sizes

  private mutating func trySizes() async throws {
    guard let first = requests.first, let page = seen.pages.first, page.rows.count > 1 else { return }
    var trial = ProbeObservations.SizeTrial()
    var setting = knownSize()
    if setting == nil {
      let small = page.rows.count / 2
      for name in sizeNames {
        trial.tried.append(name)
        let asked = try await list.ask(first) { KeyPlace.query(name).set(String(small), in: &$0) }
        if asked.failure == nil, asked.rows.count == small {
          setting = .query(name)
          break
        }
      }
    }
    seen.size = trial
    guard let setting else { return }
    seen.size?.parameter = printable(setting.name, limit: 60)
    // Far above what is usual; where it is refused, the commonest cap.
    for size in [max(1000, page.rows.count * 10), 100] {
      let asked = try await list.ask(first) { setting.set(String(size), in: &$0) }
      let isRefused = asked.failure != nil || isRefusal(asked)
      seen.size?.asked.append((size, isRefused ? nil : asked.rows.count))
      if !isRefused { break }
    }
  }

  /// Where the requests themselves have a size.
  private func knownSize() -> KeyPlace? {
    if let sizeParameter { return .query(sizeParameter) }
    for request in requests.reversed() {
      let url = request.urlRequest.url
      let items = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems } ?? []
      let name = items.map(\.name).first { SizeNames.all.contains($0) && place != .query($0) }
      if let name { return .query(name) }
      for path in [
        ["variables", "first"], ["variables", "limit"], ["first"], ["limit"], ["MaxResults"], ["Limit"], ["size"],
      ] {
        if KeyPlace.body(path).value(in: request.urlRequest) != nil { return .body(path) }
      }
    }
    return nil
  }

  private var sizeNames: [String] {
    guard (requests.first?.urlRequest.httpMethod ?? "GET") == "GET" else { return [] }
    let usual = found?.kind == .nextPageHeader ? "_limit" : nil
    let likely = [found?.sizeParameter ?? usual].compactMap { $0 }
    return likely + SizeNames.usual.filter { !likely.contains($0) }
  }

  // MARK: - Answers

  /// What a reply says, held against the first two pages.
  func answer(_ loaded: ProbedList.Loaded) -> ProbeObservations.Answer {
    guard let status = loaded.status else { return .unreadable }
    switch status {
    case 400..<500: return .refused(status)
    case 500...: return .failed(status)
    case 200..<300: break
    default: return .unreadable
    }
    if isRefusal(loaded) { return .refusedInBody }
    if loaded.rows.isEmpty {
      // A list that isn't there is no empty list, unless nothing at all came.
      return loaded.failure is ReplyFault && loaded.body != nil ? .unreadable : .noRows
    }
    func isMost(of page: Int) -> Bool {
      guard seen.pages.count > page else { return false }
      let known = Set(seen.pages[page].rows)
      return loaded.rows.count { known.contains($0) } * 2 > loaded.rows.count
    }
    if isMost(of: 1) { return .samePage }
    return isMost(of: 0) ? .firstPage : .otherRows(loaded.rows.count)
  }

  /// Whether a body of success says that the request failed.
  private func isRefusal(_ loaded: ProbedList.Loaded) -> Bool {
    guard let body = loaded.body else { return false }
    return body["errors"]?.elements?.isEmpty == false
      || loaded.rows.isEmpty && (body["ok"] == .bool(false) || body["success"] == .bool(false))
  }
}

extension HTTPReply {
  /// The total in a header.
  var seenTotal: SeenTotal? {
    totalByHeader.map { SeenTotal($0.count, at: "a header") }
  }
}

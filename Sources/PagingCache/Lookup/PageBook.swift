/// Which pages are being fetched and which failed, with no lock and no cache.
///
/// A page that is being fetched has a token, the same for all who fetch it, until it is cleared: what comes under an
/// old token is kept nowhere. Holds the pages that are fetched, those that failed, and the names of those in memory.
struct PageBook {
  private struct Fetching {
    let token: UInt64
    var count: Int
  }

  private var fetching: [PaginatorRequest: Fetching] = [:]
  private var failures: [PaginatorRequest: (error: PaginatorError, number: UInt64)] = [:]
  private var revalidating: Set<PaginatorRequest> = []
  /// The pages of a key that may be somewhere.
  private var requests: [String: Set<PaginatorRequest>] = [:]
  private var nextNumber: UInt64 = 1
  private var prunesAt = 1_024

  /// A number that was never given out before.
  mutating func number() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Somebody begins to fetch a page; its failure is forgotten.
  ///
  /// - Parameter isHeld: Whether a page is in memory; asked now and then to forget the names of those that aren't.
  /// - Returns: The token.
  mutating func began(_ request: PaginatorRequest, isHeld: (PaginatorRequest) -> Bool) -> UInt64 {
    failures[request] = nil
    if let running = fetching[request] {
      fetching[request]?.count += 1
      return running.token
    }
    let token = number()
    fetching[request] = Fetching(token: token, count: 1)
    requests[request.key, default: []].insert(request)
    prune(isHeld)
    return token
  }

  /// Whether a page was not cleared since.
  func isCurrent(_ token: UInt64, of request: PaginatorRequest) -> Bool { fetching[request]?.token == token }

  /// Somebody's fetch is over.
  mutating func ended(_ request: PaginatorRequest, token: UInt64, _ outcome: Outcome) {
    guard let running = fetching[request], running.token == token else { return }
    fetching[request] = running.count > 1 ? Fetching(token: token, count: running.count - 1) : nil
    switch outcome {
    case .came: failures[request] = nil
    case .failed(let error): failures[request] = (error, number())
    case .cancelled: break
    }
  }

  /// How a fetch ended.
  enum Outcome {
    case came, cancelled
    case failed(PaginatorError)
  }

  /// Somebody wants the fresh page behind one that was delivered stale.
  ///
  /// - Returns: Whether nobody loads it for that already.
  mutating func beganRevalidating(_ request: PaginatorRequest) -> Bool { revalidating.insert(request).inserted }

  mutating func endedRevalidating(_ request: PaginatorRequest) { revalidating.remove(request) }

  /// Forgets a page's failure, since it has been fetched from memory.
  ///
  /// - Returns: Whether there was one.
  mutating func forgetFailure(of request: PaginatorRequest) -> Bool {
    !failures.isEmpty && failures.removeValue(forKey: request) != nil
  }

  func isFetching(_ request: PaginatorRequest) -> Bool { fetching[request] != nil }

  func failure(of request: PaginatorRequest) -> (error: PaginatorError, number: UInt64)? { failures[request] }

  /// Forgets a key.
  ///
  /// - Returns: Its pages.
  mutating func clear(_ key: String) -> Set<PaginatorRequest> {
    let cleared = requests.removeValue(forKey: key) ?? []
    for request in cleared {
      fetching[request] = nil
      failures[request] = nil
    }
    return cleared
  }

  /// Forgets everything but which numbers were given out.
  mutating func clearAll() {
    fetching = [:]
    failures = [:]
    requests = [:]
  }

  /// How many keys there are names for.
  var keyCount: Int { requests.count }

  private mutating func prune(_ isHeld: (PaginatorRequest) -> Bool) {
    guard requests.count > prunesAt else { return }
    for (key, named) in requests {
      let kept = named.filter { fetching[$0] != nil || failures[$0] != nil || isHeld($0) }
      requests[key] = kept.isEmpty ? nil : kept
    }
    prunesAt = max(1_024, requests.count * 2)
  }
}

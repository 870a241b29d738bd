import Foundation
import Loading
import LoadingHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A remote picture that is being fetched.
struct RemoteLoad: Sendable {
  let url: URL
  let request: ImageRequest
  let key: ImageKey
  let ticket: LoadTicket
  let flight: Flight
  let arrived: @Sendable (ArrivedBytes) -> Void
  /// What the server is asked, but for conditions and ranges.
  let urlRequest: URLRequest
  /// What the disk has, and how it stands.
  var stored: StoredReply?
  var standing: FetchPlan.Stored?

  var policy: ImageCachePolicy { request.cachePolicy }

  /// All requests to one server share a group.
  var group: LoadGroup {
    LoadGroup("\(url.scheme?.lowercased() ?? "")://\(url.host?.lowercased() ?? ""):\(url.port.map(String.init) ?? "")")
  }

  /// Whether the server may be asked again for what it was asked already (RFC 9110, section 9.2.2).
  var isRepeatable: Bool { request.method == "GET" || request.method == "HEAD" }

  init(
    _ url: URL, _ request: ImageRequest, _ key: ImageKey, _ ticket: LoadTicket, _ flight: Flight,
    _ arrived: @escaping @Sendable (ArrivedBytes) -> Void
  ) {
    self.url = url
    self.request = request
    self.key = key
    self.ticket = ticket
    self.flight = flight
    self.arrived = arrived
    urlRequest = Self.urlRequest(url, request)
  }

  static func urlRequest(_ url: URL, _ request: ImageRequest) -> URLRequest {
    var urlRequest = URLRequest(url: url)
    urlRequest.httpMethod = request.method
    for field in request.headers { urlRequest.addValue(field.value, forHTTPHeaderField: field.name) }
    // Pictures are compressed as they are; once more, and a body that broke off couldn't be continued.
    if urlRequest.value(forHTTPHeaderField: "Accept-Encoding") == nil {
      urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    return urlRequest
  }

  /// Headers that stay behind when a redirect leads to another server: all of the app's own but those that tell nothing
  /// about anyone.
  var credentialHeaders: [String] {
    let harmless = ["accept", "accept-encoding", "accept-language", "cache-control", "pragma", "range", "user-agent"]
    return request.headers.map(\.name).filter { !harmless.contains($0.lowercased()) }
  }

  /// What goes out for a question.
  func asking(_ question: FetchPlan.Question) -> URLRequest {
    let headers: HTTPHeaders =
      switch question {
      case .whole: [:]
      case .whether(let conditions): conditions
      case .rest(let part): part.headers
      }
    var asking = urlRequest
    for field in headers { asking.setValue(field.value, forHTTPHeaderField: field.name) }
    return asking
  }
}

extension ImageFetcher {
  func remoteBytes(
    _ url: URL, _ request: ImageRequest, _ key: ImageKey, _ ticket: LoadTicket,
    _ arrived: @escaping @Sendable (ArrivedBytes) -> Void
  ) async throws -> FetchedBytes {
    guard url.host?.isEmpty == false else {
      throw ImageError(
        .invalidRequest, message: "the URL has no host; give one such as https://example.com/picture.jpg")
    }
    let (id, flight) = begin(key)
    defer { end(id) }
    var load = RemoteLoad(url, request, key, ticket, flight, arrived)
    if load.policy.readsDisk { try await look(&load) }
    let remembered = state.withLock { $0.failures.status(of: key, now: elapsed()) }
    switch FetchPlan.opening(load.policy, stored: load.standing, remembered: remembered) {
    case .refuse(let refusal): throw FetchFailure.refusal(refusal, url: url)
    case .ask: return try await ask(load)
    case .serve:
      if let served = load.served { return served }
      return try await ask(load)
    case .serveAndAsk:
      guard let served = load.served else { return try await ask(load) }
      askBehind(load)
      return served
    }
  }

  private func begin(_ key: ImageKey) -> (UInt64, Flight) {
    let flight = Flight(key: key)
    let id = newID()
    state.withLock { $0.flights[id] = flight }
    return (id, flight)
  }

  private func end(_ id: UInt64) { state.withLock { _ = $0.flights.removeValue(forKey: id) } }

  /// Looks onto the disk.
  private func look(_ load: inout RemoteLoad) async throws {
    guard let disk, config.diskContent != .processed else { return }
    let name = ImageDisk.name(load.key, kind: Self.originals)
    let id = newID()
    tell(.diskBegan(id, load.key))
    var outcome = "miss"
    defer { tell(.diskEnded(id, load.key, outcome: outcome)) }
    guard let blob = try await disk.blob(name, ticket: load.ticket) else { return }
    guard let stored = StoredReply(blob: blob),
      let standing = stored.head.standing(for: load.urlRequest, at: now(), url: load.url, salt: load.key)
    else {
      // Whole, and yet none of ours.
      disk.wasNoHit()
      disk.remove(name)
      return
    }
    load.stored = stored
    load.standing = standing
    outcome = standing.isFresh && standing.isForRequest ? "hit" : "stale"
  }

  // MARK: - Asking

  /// Asks until there is an answer, or no sense in asking again.
  private func ask(_ load: RemoteLoad) async throws -> FetchedBytes {
    var attempt = 1
    while true {
      do {
        return try await network.run(load.ticket, group: load.group) { [self] in try await exchange(load) }
      } catch let failure as FetchFailure {
        let stale = failure.allowsStale && FetchPlan.servesStale(load.policy, stored: load.standing) ? load.served : nil
        // Who can be shown something isn't kept waiting.
        guard stale == nil, let delay = delay(load, attempt, failure) else {
          if let stale { return stale }
          throw failure.error
        }
        try await clock.sleep(for: delay)
        attempt += 1
      }
    }
  }

  private func delay(_ load: RemoteLoad, _ attempt: Int, _ failure: FetchFailure) -> Duration? {
    guard load.isRepeatable else { return nil }
    return state.withLock { retries.delay(afterAttempt: attempt, error: failure, using: &$0.chance) }
  }

  /// Asks whether what was served still holds, at low priority; keeps what is new and tells of it.
  private func askBehind(_ load: RemoteLoad) {
    state.withLock { state in
      // What was forgotten since it was read must not come back.
      guard !state.isClosed, state.behind[load.key] == nil, load.flight.mayKeep else { return }
      let id = state.nextID
      state.nextID += 1
      let flight = Flight(key: load.key)
      state.flights[id] = flight
      var behind = RemoteLoad(load.url, load.request, load.key, LoadTicket(priority: .low), flight) { _ in }
      (behind.stored, behind.standing) = (load.stored, load.standing)
      state.behind[load.key] = Task.detached(priority: .utility) { [weak self, behind] in
        await self?.askOnce(behind, id)
      }
    }
  }

  /// Nobody waits for it, so it isn't tried again.
  private func askOnce(_ load: RemoteLoad, _ id: UInt64) async {
    let fetched = try? await network.run(load.ticket, group: load.group) { [self] in try await exchange(load) }
    state.withLock { state in
      state.flights[id] = nil
      // Who cancels takes it out himself; another may have taken the place.
      if !Task.isCancelled { state.behind[load.key] = nil }
    }
    if let fetched, fetched.origin == .network, load.flight.mayKeep { tell(.replaced(load.key)) }
  }
}

extension RemoteLoad {
  /// What is stored, as it is handed out.
  var served: FetchedBytes? {
    stored.map { FetchedBytes(bytes: $0.body, origin: .disk, head: $0.head) }
  }
}

public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Whether a reply that was kept may be used again, and what to ask the server if not: the rules of a private cache.
///
/// ```swift
/// let freshness = HTTPFreshness(reply: kept, request: request)
/// switch freshness.verdict(at: Date()) {
/// case .fresh: show(kept)
/// case .stale(let conditions): ask(with: conditions)  // a 304 then goes to `kept.freshened(by:)`
/// case .uncacheable: ask()
/// }
/// ```
///
/// Holds the times and directives it was made from, no body. Any headers give a verdict; what can't be read counts as
/// stale. Source: RFC 9111; RFC 5861 for what may be shown stale.
public struct HTTPFreshness: Hashable, Sendable {
  /// What to do with a reply.
  ///
  /// Frozen, since there can be no fourth answer: a reply may be kept or not, and what is kept may be used without
  /// asking or not (RFC 9111, sections 3 and 4). What else there is to say of a stale one has properties of its own.
  @frozen public enum Verdict: Hashable, Sendable {
    /// Use it without asking.
    case fresh
    /// Ask with these headers; none where the reply has nothing to compare by (RFC 9111, section 4.3.1).
    case stale(HTTPHeaders)
    /// It may not be kept, nor used again (RFC 9111, section 3).
    case uncacheable
  }

  /// Whether the reply may be kept (RFC 9111, section 3).
  ///
  /// It must answer a GET, be whole (neither 206 nor 304), not be forbidden by `no-store` in request or reply, and
  /// either say how long it is fresh (`max-age`, `Expires`), or that it may be kept (`public`, `private`), or have a
  /// status that may be kept unasked: 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501 (RFC 9110, section 15.1).
  public let isStorable: Bool
  /// How long the reply is fresh from its making on (RFC 9111, section 4.2.1); zero when it doesn't say, or not
  /// legibly.
  ///
  /// `max-age` goes before `Expires`, which is measured from `Date`; `s-maxage` is for shared caches and not looked at.
  public let lifetime: Duration
  /// How long after its lifetime the reply may be shown while a new one is fetched (RFC 5861, section 3); zero for not.
  public let staleWhileRevalidate: Duration
  /// How long after its lifetime the reply may be shown when fetching a new one failed (RFC 5861, section 4); zero for
  /// not.
  public let staleIfError: Duration
  /// Whether the reply must never be shown stale, not even offline: `must-revalidate`, `no-cache` or `no-store`
  /// (RFC 9111, section 4.2.4).
  public let forbidsStale: Bool
  /// The headers that make a request conditional (RFC 9111, section 4.3.1).
  ///
  /// `If-None-Match` with the `ETag` byte for byte, unquoted ones too, and `If-Modified-Since` with the `Last-Modified`
  /// as it was written, where it is a date.
  public let conditions: HTTPHeaders
  /// The request's headers that the reply's `Vary` names, with their values; absent ones with an empty value.
  ///
  /// Keep these with a reply on disk: a request that has them, and no others, makes the same freshness again.
  public let selecting: HTTPHeaders

  /// Whether a use must be confirmed by the server however fresh the reply is.
  private let mustAsk: Bool
  /// `Vary` has the member `*`: no other request matches (RFC 9111, section 4.1).
  private let variesByAll: Bool
  /// The age at `receivedAt`, in seconds (RFC 9111, section 4.2.3).
  private let initialAge: Double
  private let receivedAt: Date

  /// The freshness of `reply` to `request`.
  ///
  /// - Parameters:
  ///   - reply: The reply as it came, or as it was kept and freshened since.
  ///   - request: What it answered: its method, its headers named by `Vary`, and its `Cache-Control: no-store` count.
  ///   - requestedAt: When the request went out; the time until the reply's arrival counts as age. Default: no such
  ///     time.
  ///   - heuristic: Which part of the time since `Last-Modified` a reply without a lifetime is fresh for; default 0:
  ///     off. Clamped to a tenth, which RFC 9111, section 4.2.2, calls typical.
  public init(reply: HTTPReply, request: URLRequest, requestedAt: Date? = nil, heuristic: Double = 0) {
    let control = CacheControl(reply.headers)
    let asked = CacheControl(request.value(forHTTPHeaderField: "Cache-Control").map { [$0] } ?? [])
    let times = ReplyTimes(reply)
    let vary = VaryNames(reply.headers)
    receivedAt = reply.receivedAt
    variesByAll = vary.isAll
    selecting = HTTPHeaders(
      vary.names.map { .init(name: $0, value: Self.value(of: $0, in: request)) })
    mustAsk = control.noCache || vary.isAll
    forbidsStale = control.mustRevalidate || control.noCache || control.noStore
    staleWhileRevalidate = forbidsStale ? .zero : control.staleWhileRevalidate ?? .zero
    staleIfError = forbidsStale ? .zero : control.staleIfError ?? .zero
    isStorable = StorageRules.mayStore(
      status: reply.status, method: request.httpMethod ?? "GET", control: control, asked: asked,
      hasExpires: times.hasExpires)
    lifetime =
      control.maxAge ?? times.expiresAfter
      ?? (control.isPublic || StorageRules.isKeptUnasked(reply.status) ? times.guess(heuristic) : .zero)
    initialAge = times.initialAge(requestedAt: requestedAt)
    conditions = Self.conditions(reply)
  }

  /// Fresh, stale or not to be kept, at `now` by our clock.
  ///
  /// Fresh while its lifetime is greater than its age (RFC 9111, section 4.2), and never under `no-cache` or `Vary: *`.
  public func verdict(at now: Date) -> Verdict {
    guard isStorable else { return .uncacheable }
    return !mustAsk && lifetime > age(at: now) ? .fresh : .stale(conditions)
  }

  /// The verdict for another request, whose own wishes count too.
  ///
  /// A request that `Vary` tells apart is stale by `ETag` alone, since a date says nothing across variants; so is one
  /// of another method than GET, without any conditions. Of its `Cache-Control`, `no-cache`, `max-age`, `min-fresh` and
  /// `max-stale` are obeyed, and `Pragma: no-cache` where it has none (RFC 9111, sections 5.2.1 and 5.4).
  public func verdict(at now: Date, for request: URLRequest) -> Verdict {
    guard isStorable else { return .uncacheable }
    guard StorageRules.isGet(request.httpMethod ?? "GET") else { return .stale([:]) }
    guard matches(request) else {
      return .stale(HTTPHeaders(conditions.filter { HTTPHeaders.isSame($0.name, "If-None-Match") }))
    }
    let field = request.value(forHTTPHeaderField: "Cache-Control")
    let asked = CacheControl(field.map { [$0] } ?? [])
    let pragma = request.value(forHTTPHeaderField: "Pragma").map { CacheControl([$0]) }
    let age = age(at: now)
    if mustAsk || asked.noCache || (field == nil && pragma?.noCache == true) { return .stale(conditions) }
    if let most = asked.maxAge, age > most { return .stale(conditions) }
    if lifetime > age + (asked.seconds("min-fresh") ?? .zero) { return .fresh }
    guard !forbidsStale, let slack = asked.first("max-stale"), asked.seconds("min-fresh") == nil else {
      return .stale(conditions)
    }
    // Without an argument any staleness will do (section 5.2.1.2).
    guard let argument = slack.argument else { return .fresh }
    return .seconds(DeltaSeconds.parse(argument) ?? 0) >= age - lifetime ? .fresh : .stale(conditions)
  }

  /// Whether the reply may be used for `request` as far as its `Vary` goes (RFC 9111, section 4.1).
  ///
  /// Each header that `Vary` names must have the same value in both requests, or be absent from both; space around a
  /// value does not count. `Vary: *` matches nothing. Headers that the URL system adds by itself are the same in all.
  public func matches(_ request: URLRequest) -> Bool {
    !variesByAll && selecting.allSatisfy { HTTPHeaders.isIdentical($0.value, Self.value(of: $0.name, in: request)) }
  }

  /// Whether the reply, stale or not, may be shown while a new one is fetched (RFC 5861, section 3).
  public func mayServeWhileRevalidating(at now: Date) -> Bool {
    isStorable && !forbidsStale && !mustAsk && age(at: now) < lifetime + staleWhileRevalidate
  }

  /// Whether the reply, stale or not, may be shown after a new one could not be fetched: an error, or a 500, 502, 503
  /// or 504 (RFC 5861, section 4).
  public func mayServeOnError(at now: Date) -> Bool {
    isStorable && !forbidsStale && !mustAsk && age(at: now) < lifetime + staleIfError
  }

  /// How old the reply is at `now`, by its `Age` and `Date` and the time since it arrived (RFC 9111, section 4.2.3).
  ///
  /// A clock that was set back counts as one that went on as far, so that nothing stays fresh for good.
  public func age(at now: Date) -> Duration {
    let resident = abs(now.timeIntervalSince(receivedAt))
    return .seconds(min(initialAge + resident, Double(DeltaSeconds.most) * 4))
  }

  private static func value(of name: String, in request: URLRequest) -> String {
    let value = request.value(forHTTPHeaderField: name) ?? ""
    return value.trimmingCharacters(in: .whitespaces)
  }

  private static func conditions(_ reply: HTTPReply) -> HTTPHeaders {
    var conditions = HTTPHeaders()
    if let tag = reply.headers.values(for: "ETag").first, !tag.isEmpty { conditions.append(tag, for: "If-None-Match") }
    if let date = reply.headers.values(for: "Last-Modified").first, HTTPDate.parse(date, now: reply.receivedAt) != nil {
      conditions.append(date, for: "If-Modified-Since")
    }
    return conditions
  }
}

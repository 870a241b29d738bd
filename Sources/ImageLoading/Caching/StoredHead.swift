import Foundation
import LoadingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The head of an answer as it is kept: what tells how long it holds and how to ask whether it still does, and nothing
/// secret.
///
/// No URL, since it may carry a token; of the headers only those that a cache needs, so no cookie that was set; of the
/// request's headers that the answer depends on only a hash each.
struct StoredHead: Hashable, Sendable {
  /// A header that `Vary` names, and what its value in the request hashes to.
  struct Selecting: Hashable, Sendable {
    let name: String
    let hash: String
  }

  let status: Int
  let headers: HTTPHeaders
  /// When the head came.
  let receivedAt: Date
  /// When its request went out.
  let requestedAt: Date
  let selecting: [Selecting]

  init(status: Int, headers: HTTPHeaders, receivedAt: Date, requestedAt: Date, selecting: [Selecting]) {
    self.status = status
    self.headers = headers
    self.receivedAt = receivedAt
    self.requestedAt = requestedAt
    self.selecting = selecting
  }

  /// The head of a reply to a request.
  ///
  /// - Parameter salt: Keeps equal values of different pictures from hashing to the same; the picture's key.
  init(_ reply: HTTPReply, to request: URLRequest, requestedAt: Date, salt: ImageKey) {
    let freshness = HTTPFreshness(reply: reply, request: request, requestedAt: requestedAt)
    self.init(
      status: reply.status,
      headers: HTTPHeaders(reply.headers.filter { field in Self.kept.contains { HTTPHeaders.isSame($0, field.name) } }),
      receivedAt: reply.receivedAt, requestedAt: requestedAt, selecting: Self.selecting(freshness, salt: salt))
  }

  /// The fields that are kept.
  private static let kept = [
    "Age", "Cache-Control", "Content-Type", "Date", "ETag", "Expires", "Last-Modified", "Pragma", "Vary",
  ]

  private static func selecting(_ freshness: HTTPFreshness, salt: ImageKey) -> [Selecting] {
    freshness.selecting.map { field in
      let name = field.name.lowercased()
      return Selecting(name: name, hash: SHA256.hex(salt.appending(name, field.value).text))
    }
  }

  /// The reply as it was kept, without its body.
  func reply(from url: URL) -> HTTPReply {
    HTTPReply(status: status, headers: headers, body: Data(), url: url, receivedAt: receivedAt)
  }

  /// What a plan must know of it, for a request at a time; nil where it may not be used at all.
  func standing(for request: URLRequest, at now: Date, url: URL, salt: ImageKey) -> FetchPlan.Stored? {
    let reply = reply(from: url)
    let freshness = HTTPFreshness(reply: reply, request: request, requestedAt: requestedAt)
    // Of `Vary: *` no request is the same, not even this one.
    let isSame = freshness.matches(request) && Self.selecting(freshness, salt: salt) == selecting
    let verdict = freshness.verdict(at: now, for: request)
    if verdict == .uncacheable { return nil }
    return FetchPlan.Stored(
      isForRequest: isSame, isFresh: verdict == .fresh, forbidsStale: freshness.forbidsStale,
      mayRevalidateBehind: freshness.mayServeWhileRevalidating(at: now),
      // A date says nothing across variants.
      conditions: isSame
        ? freshness.conditions
        : HTTPHeaders(freshness.conditions.filter { HTTPHeaders.isSame($0.name, "If-None-Match") }))
  }
}

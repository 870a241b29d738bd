import Foundation
import LoadingHTTP
import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the request for a page, and refuses those that must not be sent.
struct PageRequests: Sendable {
  private let base: URLRequest
  private let origin: WebOrigin?
  private let allowed: Set<WebOrigin>
  private let credentialHeaders: [String]
  private let maxBodyBytes: Int
  private let prepare: @Sendable (PageRequest, inout URLRequest) throws -> Void

  init(
    _ url: URL, config: HTTPPageSourceConfig,
    prepare: @escaping @Sendable (PageRequest, inout URLRequest) throws -> Void
  ) {
    var base = URLRequest(url: url.absoluteURL)
    base.setValue("application/json", forHTTPHeaderField: "Accept")
    var seen: Set<String> = []
    for field in config.headers {
      if seen.insert(field.name.lowercased()).inserted {
        base.setValue(field.value, forHTTPHeaderField: field.name)
      } else {
        base.addValue(field.value, forHTTPHeaderField: field.name)
      }
    }
    self.base = base
    self.prepare = prepare
    origin = WebOrigin(url.absoluteURL)
    allowed = Set(config.allowedOrigins.compactMap { WebOrigin($0.absoluteURL) })
    credentialHeaders = config.headers.map(\.name)
    maxBodyBytes = max(0, config.maxBodyBytes)
  }

  /// The request for `page`.
  ///
  /// - Throws: ``HTTPPageError/Code/foreignOrigin`` or ``HTTPPageError/Code/invalidURL``, and what the convention
  ///   throws.
  func request(for page: PageRequest) throws -> HTTPRequest {
    try request(for: page) { try prepare(page, &$0) }
  }

  /// A request that goes out for `page`, made from the list's by `prepare`; bounded and refused as any other.
  func request(
    for page: PageRequest, preparedBy prepare: (inout URLRequest) throws -> Void
  ) throws -> HTTPRequest {
    var request = base
    if let validator = page.key?.validator, page.type != .refresh {
      request.setValue(validator, forHTTPHeaderField: "If-Match")
    }
    try prepare(&request)
    guard let url = request.url, let target = WebOrigin(url) else {
      throw HTTPPageError(
        .invalidURL,
        message: page.key == nil
          ? "The source's URL is not one of http or https with a host, as https://example.com/items."
          : "The key of this page is not a URL of http or https with a host, as this convention needs.")
    }
    guard let origin, origin.trusts(target) || allowed.contains(target) else {
      throw HTTPPageError(
        .foreignOrigin,
        message: "The page after this link is at \(target), and the list is at \(origin?.description ?? "no server"). "
          + "Nothing was sent there. If it may have this list's headers, add \(target) to the allowed origins.")
    }
    return HTTPRequest(request, maxBodyBytes: maxBodyBytes, credentialHeaders: credentialHeaders)
  }
}

public import Foundation
public import Loading

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What to ask a server for, and within which bounds.
public struct HTTPRequest: Sendable {
  /// Method, URL, headers and body. Its own `timeoutInterval` and `cachePolicy` are not used.
  public var urlRequest: URLRequest
  /// How urgent the request is; for transports that queue.
  public var ticket: LoadTicket
  /// The largest body to accept, in bytes; default 32 MB. A larger one ends with ``HTTPError/Code/bodyTooLarge`` while
  /// it arrives, or at once when the server announces its size. For a body that the server compressed, what it unpacks
  /// to counts.
  public var maxBodyBytes: Int
  /// Names of headers that are dropped when a redirect leads to another origin, besides `Authorization`, `Cookie` and
  /// `Proxy-Authorization`, which always are. Default: none. Case does not matter.
  public var credentialHeaders: [String]

  /// A request within those bounds.
  ///
  /// - Parameters:
  ///   - urlRequest: Method, URL, headers and body.
  ///   - ticket: How urgent the request is.
  ///   - maxBodyBytes: The largest body to accept, at least 0.
  ///   - credentialHeaders: Further headers that must not leave the origin, such as `X-Api-Key`.
  public init(
    _ urlRequest: URLRequest, ticket: LoadTicket = LoadTicket(), maxBodyBytes: Int = 32 << 20,
    credentialHeaders: [String] = []
  ) {
    precondition(maxBodyBytes >= 0, "HTTPRequest: maxBodyBytes is \(maxBodyBytes); give 0 or more bytes")
    self.urlRequest = urlRequest
    self.ticket = ticket
    self.maxBodyBytes = maxBodyBytes
    self.credentialHeaders = credentialHeaders
  }

  /// A GET of `url` with the default bounds.
  public init(_ url: URL) {
    self.init(URLRequest(url: url))
  }
}

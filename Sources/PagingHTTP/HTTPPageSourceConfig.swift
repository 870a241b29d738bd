public import Foundation
public import LoadingHTTP

/// What an HTTP page source sends with its requests, whom it trusts, and how it decodes.
public struct HTTPPageSourceConfig: Sendable {
  /// Headers of every request; default none, and then only `Accept: application/json` is sent.
  ///
  /// Sent to the source's own origin and to ``allowedOrigins``, nowhere else: not after a redirect either.
  public var headers: HTTPHeaders
  /// Makes the decoder of a page; default a `JSONDecoder` as it comes. Called once a page, on any thread.
  public var decoder: @Sendable () -> JSONDecoder = { JSONDecoder() }
  /// Other origins that next links may lead to; only scheme, host and port of each URL count. Default none.
  ///
  /// The headers, and so the credentials among them, are sent to these origins too.
  public var allowedOrigins: [URL] = []
  /// The largest body to accept, in bytes after decompression; default 32 MB. Values below 0 count as 0.
  public var maxBodyBytes: Int = 32 << 20

  /// Whether a row that can't be decoded is passed over instead of failing its page; default false.
  ///
  /// Works for replies that are bare arrays, for the library's own reply types, and where one's own keeps its rows in a
  /// ``LenientArray``. Such rows still count where positions are counted.
  public var skipsUndecodableItems = false
  /// Told of rows that were passed over, once for each page that had some, before its load returns, on any thread.
  public var onSkippedItems: (@Sendable (SkippedItems) -> Void)?

  /// A configuration with those headers and the defaults.
  public init(headers: HTTPHeaders = [:]) {
    self.headers = headers
  }
}

public import Foundation

/// What a server answered, whatever its status.
public struct HTTPReply: Sendable, Hashable {
  /// The status code (RFC 9110, section 15).
  public var status: Int
  /// The header fields of the final answer.
  public var headers: HTTPHeaders
  /// The body, decompressed; empty in the head of an ``HTTPStreamedReply``.
  public var body: Data
  /// Where the answer came from, after redirects.
  public var url: URL
  /// When the head of the answer arrived.
  public var receivedAt: Date

  /// A reply of those parts; for transports and tests.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data, url: URL, receivedAt: Date) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.receivedAt = receivedAt
  }
}

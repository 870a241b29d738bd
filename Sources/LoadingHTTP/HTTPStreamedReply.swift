public import Foundation

/// The head of an answer, and its body as it arrives.
public struct HTTPStreamedReply: Sendable {
  /// Status, headers and final URL; its `body` is empty.
  public var head: HTTPReply
  /// The body in pieces, decompressed; ends with an ``HTTPError`` when it is cut short or grows too large.
  ///
  /// For one reader. Whoever stops reading, or drops the stream, ends the request.
  public var body: AsyncThrowingStream<Data, any Error>

  /// A streamed reply of those parts; for transports and tests.
  public init(head: HTTPReply, body: AsyncThrowingStream<Data, any Error>) {
    self.head = head
    self.body = body
  }
}

import Foundation
import LoadingHTTP
import Synchronization

/// Stands in for a server: one picture of 192 × 128 pixels under every path, and a count of who asked.
final class PictureServer: HTTPTransport {
  private let requests = Mutex(0)

  var requestCount: Int { requests.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    guard let url = request.urlRequest.url else { throw HTTPError(.invalidURL, message: "The request has no URL.") }
    requests.withLock { $0 += 1 }
    return HTTPReply(
      status: 200, headers: ["Cache-Control": "max-age=3600"], body: Data(base64Encoded: Self.picture) ?? Data(),
      url: url, receivedAt: Date())
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    var head = try await send(request)
    let body = head.body
    head.body = Data()
    return HTTPStreamedReply(
      head: head,
      body: AsyncThrowingStream {
        $0.yield(body)
        $0.finish()
      })
  }

  /// A red PNG.
  private static let picture = """
    iVBORw0KGgoAAAANSUhEUgAAAMAAAACACAIAAADS5vE8AAAA90lEQVR42u3SMQ0AAAgEsZeDCPwHWQw4YG5SBZfLdMFbJMBAGAgDYSAwEAbCQB\
    gIDISBMBAGAgNhIAyEgcBAGAgDYSAMBAbCQBgIA4GBMBAGwkBgIAyEgTAQGAgDYSAMhIHAQBgIA2EgMBAGwkAYCAyEgTAQBgIDYSAMhIHAQBgI\
    A2EgDAQGwkAYCAOBgTAQBsJAYCAMhIEwEBgIA2EgDISBwEAYCANhIDAQBsJAGAgMhIEwEAYCA2EgDISBMBAYCANhIAwEBsJAGAgDgYEwEAbCQG\
    AgDISBMBAYCANhIAyEgcBAGAgDYSAwEAbCQBgIDISBMBAGgrM5rIaR1iOVowAAAABJRU5ErkJggg==
    """
}

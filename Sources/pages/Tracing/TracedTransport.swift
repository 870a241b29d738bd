import Foundation
import LoadingHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests on, and puts each into a trace: with its path, status and bytes, without its query and headers, which
/// may hold secrets.
struct TracedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let process: TraceProcess

  /// `base`, its requests in that process of a trace.
  init(_ base: any HTTPTransport, in process: TraceProcess) {
    self.base = base
    self.process = process
  }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    let span = begin(request)
    do {
      let reply = try await base.send(request)
      span.end(["status": .number(reply.status), "bytes": .number(reply.body.count)])
      return reply
    } catch {
      span.failed(error)
      throw error
    }
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    let span = begin(request)
    do {
      let reply = try await base.stream(request)
      span.headCame(status: reply.head.status)
      return HTTPStreamedReply(head: reply.head, body: Self.body(reply.body, span))
    } catch {
      span.failed(error)
      throw error
    }
  }

  private func begin(_ request: HTTPRequest) -> Span {
    let method = request.urlRequest.httpMethod ?? "GET"
    let path = request.urlRequest.url?.path() ?? ""
    let slice = process.begin(
      "\(method) \(printable(path, limit: 200))", on: .requests(Tracing.loadType), "http",
      ["host": .text(printable(request.urlRequest.url?.host() ?? ""))])
    return Span(process, slice)
  }

  private static func body(
    _ body: AsyncThrowingStream<Data, any Error>, _ span: Span
  ) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream {
      do {
        // One for each piece: they all read from the same place, and none can be kept in a closure that may be sent.
        var pieces = body.makeAsyncIterator()
        let piece = try await pieces.next()
        if let piece { span.pieceCame(piece.count) } else { span.bodyEnded() }
        return piece
      } catch {
        span.failed(error)
        throw error
      }
    }
  }
}

/// One request in a trace; it ends once, at the latest when nobody reads its answer any more.
private final class Span: Sendable {
  private let process: TraceProcess
  private let slice: TraceSlice
  private let came = Mutex((status: 0, bytes: 0))

  init(_ process: TraceProcess, _ slice: TraceSlice) {
    self.process = process
    self.slice = slice
  }

  deinit { process.end(slice, ["outcome": "left unread"]) }

  func headCame(status: Int) { came.withLock { $0.status = status } }
  func pieceCame(_ bytes: Int) { came.withLock { $0.bytes += bytes } }

  func bodyEnded() {
    let (status, bytes) = came.withLock { $0 }
    end(["status": .number(status), "bytes": .number(bytes)])
  }

  func failed(_ error: any Error) {
    let outcome = (error as? HTTPError)?.code.rawValue ?? (error is CancellationError ? "cancelled" : "failed")
    end(["outcome": .text(outcome)])
  }

  func end(_ arguments: TraceEvent.Arguments) { process.end(slice, arguments) }
}

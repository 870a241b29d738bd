import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Any transport behind a budget: requests wait for their turn, and a refusal holds up all who share the budget.
///
/// ```swift
/// let budget = HostBudget()
/// let transport = BudgetedTransport(MyClientTransport(), budget: budget)
/// ```
///
/// A request counts for the server of its own URL, and of its redirects only the last reply's server is known: a
/// refusal closes the server that it came from, and the one that was asked too, since what that one redirects can't be
/// held back otherwise. ``URLSessionTransport`` takes a budget itself and counts each redirect for the server that it
/// leads to; don't wrap it once more. Callable from any thread.
public struct BudgetedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let budget: HostBudget

  /// `base`, asked within `budget`.
  public init(_ base: any HTTPTransport, budget: HostBudget) {
    self.base = base
    self.budget = budget
  }

  /// Waits for the turn, sends the request and collects the whole answer.
  ///
  /// - Throws: What the transport throws; `CancellationError` when the task is cancelled, while it waits too.
  public func send(_ request: HTTPRequest) async throws -> HTTPReply {
    let pass = try await pass(for: request)
    defer { pass?.end() }
    try Task.checkCancellation()
    let reply = try await base.send(request)
    pass?.answered(reply)
    return reply
  }

  /// Waits for the turn, sends the request and returns as soon as the head of the answer is there.
  ///
  /// The body holds its slot until it was read to its end, failed, or is dropped.
  ///
  /// - Throws: What the transport throws; `CancellationError` when the task is cancelled, while it waits too.
  public func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    guard let pass = try await pass(for: request) else { return try await base.stream(request) }
    do {
      try Task.checkCancellation()
      let reply = try await base.stream(request)
      pass.answered(reply.head)
      return HTTPStreamedReply(head: reply.head, body: Self.body(reply.body, holding: pass))
    } catch {
      pass.end()
      throw error
    }
  }

  private func pass(for request: HTTPRequest) async throws -> BudgetPass? {
    guard let url = request.urlRequest.url else { return nil }
    return try await budget.pass(to: url, request.ticket)
  }

  private static func body(
    _ body: AsyncThrowingStream<Data, any Error>, holding pass: BudgetPass
  ) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream {
      do {
        // One for each piece: they all read from the same place, and none can be kept in a closure that may be sent.
        var pieces = body.makeAsyncIterator()
        if let piece = try await pieces.next() { return piece }
      } catch {
        pass.end()
        throw error
      }
      pass.end()
      return nil
    }
  }
}

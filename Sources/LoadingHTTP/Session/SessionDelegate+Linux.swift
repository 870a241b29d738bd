#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// How the session of FoundationNetworking is steered.
  extension SessionDelegate {
    /// A queue that runs each report at once, on the session's own queue.
    ///
    /// A queue of its own would pile up the reports of a fast body without bound, delay a cancellation behind them, and
    /// let a cancellation slip between a redirect and its answer, which the session does not survive.
    static func makeQueue() -> OperationQueue { InlineQueue() }

    /// Never lets the session follow by itself: the redirect then comes as a reply.
    ///
    /// On the session's own queue the task's state is exact: when it is being cancelled, an answer would come after its
    /// end, which the session does not survive, so none is given.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
      guard task.state == .running else { return }
      completionHandler(nil)
    }

    /// A 401 is a reply: its body is complete by now, and without an answer the task would never end.
    ///
    /// The refusal cancels the task, which waits for the queue that this runs on, and so is given from another.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      if let exchange = exchange(task) { finish(exchange, task: task, error: nil) }
      DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }
  }

  // Unchecked, as its superclass is: it holds nothing to protect, and the session calls it from its serial queue only.
  private final class InlineQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      block()
    }
  }
#endif

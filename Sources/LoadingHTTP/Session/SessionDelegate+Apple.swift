#if !canImport(FoundationNetworking)
  import Foundation

  /// How the session of Apple platforms is steered.
  extension SessionDelegate {
    /// A serial queue; the session itself slows a body down when reports pile up.
    static func makeQueue() -> OperationQueue {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      return queue
    }

    /// Never lets the session follow by itself: the redirect then comes as a reply.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }
  }
#endif

import LoadingHTTP

/// What all tests against servers share.
enum Shared {
  /// One transport, so that connections are kept open.
  static let transport = URLSessionTransport()
}

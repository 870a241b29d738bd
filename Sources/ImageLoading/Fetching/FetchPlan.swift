import LoadingHTTP

/// What to do for the bytes of a remote picture, by what is known of it: no clock, no disk, no network.
///
/// | known | and then |
/// |---|---|
/// | a stored answer that is fresh, or only caches are asked | it is served |
/// | one that may be shown while it is asked about | it is served, and asked about behind it |
/// | one that is stale | the server is asked whether it still holds |
/// | a part of the body, and a strong validator | the server is asked for the rest |
/// | a failure that is remembered | it fails again, without a request |
/// | nothing | the server is asked for all of it |
enum FetchPlan {
  /// A stored answer, as it stands to a request at a time.
  struct Stored: Hashable {
    /// Whether `Vary` lets it stand for this request.
    var isForRequest = true
    var isFresh = false
    /// Whether it may never be shown stale.
    var forbidsStale = false
    /// Whether the server lets it be shown while a new one is fetched.
    var mayRevalidateBehind = false
    /// What asks whether it still holds; empty where it has nothing to compare by.
    var conditions: HTTPHeaders = [:]
  }

  /// Why nothing is asked.
  enum Refusal: Hashable {
    /// Only caches were to be asked.
    case notCached
    /// Only caches were to be asked, and what they have must not be shown unasked.
    case forbiddenStale
    /// The server said so a while ago.
    case remembered(status: Int)
  }

  /// What to begin with.
  enum Opening: Hashable {
    case serve
    /// Serve what is stored, and ask about it meanwhile.
    case serveAndAsk
    case ask
    case refuse(Refusal)
  }

  /// What the server is asked.
  enum Question: Hashable {
    case whole
    /// Whether what is stored still holds.
    case whether(HTTPHeaders)
    /// For what is missing.
    case rest(Resumption)
  }

  /// - Parameters:
  ///   - policy: What the request allows.
  ///   - stored: What the disk has; nil too where the request doesn't look there.
  ///   - remembered: The status of a failure that is still remembered.
  static func opening(_ policy: ImageCachePolicy, stored: Stored?, remembered: Int?) -> Opening {
    if let stored, stored.isForRequest {
      if stored.isFresh { return .serve }
      if !policy.usesNetwork { return stored.forbidsStale ? .refuse(.forbiddenStale) : .serve }
      if stored.mayRevalidateBehind || (policy.showsStaleWhileRevalidating && !stored.forbidsStale) {
        return .serveAndAsk
      }
    }
    guard policy.usesNetwork else { return .refuse(.notCached) }
    // Who reads no cache asks anew, failures included.
    if policy.readsDisk, let remembered { return .refuse(.remembered(status: remembered)) }
    return .ask
  }

  /// A part of a body goes first: what it is a part of is newer than what is stored, or nothing is.
  static func question(stored: Stored?, part: Resumption?) -> Question {
    if let part { return .rest(part) }
    if let conditions = stored?.conditions, !conditions.isEmpty { return .whether(conditions) }
    return .whole
  }

  /// Whether what is stored is shown in place of an error of the network or the server.
  static func servesStale(_ policy: ImageCachePolicy, stored: Stored?) -> Bool {
    guard let stored else { return false }
    return policy.showsStaleOnError && stored.isForRequest && !stored.forbidsStale
  }
}

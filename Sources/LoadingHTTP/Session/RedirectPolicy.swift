import Foundation

/// Decides whether a redirect is followed, where to, with which method and whether credentials may go along.
///
/// Source: RFC 9110, sections 10.2.2 and 15.4.
struct RedirectPolicy {
  /// The next request of a chain.
  struct Hop: Equatable {
    /// Where it goes.
    let url: URL
    /// The method to use there.
    let method: String
    /// The request's body, and the headers that describe it, stay behind.
    let dropsBody: Bool
    /// Scheme, host or port differ: credentials stay behind.
    let leavesOrigin: Bool
  }

  enum Decision {
    /// Not a redirect: the reply is for the caller.
    case deliver
    case follow(Hop)
    case refuse(HTTPError)
  }

  /// How many redirects in a row are followed.
  let limit: Int
  private var followed = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Where a reply leads, or nil when it is not a redirect: another status, no `Location`, or one that is no URL.
  static func target(status: Int, location: String?, from url: URL) -> URL? {
    guard [301, 302, 303, 307, 308].contains(status), let location, !location.isEmpty,
      let target = URL(string: location, relativeTo: url)?.absoluteURL
    else { return nil }
    guard target.fragment == nil, let fragment = url.fragment,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
    else { return target }
    parts.fragment = fragment
    return parts.url ?? target
  }

  /// What to do with a reply of that status and `Location`, got from `url` by `method`.
  mutating func decide(status: Int, location: String?, from url: URL, method: String) -> Decision {
    guard let target = Self.target(status: status, location: location, from: url) else { return .deliver }
    guard let to = Origin(target) else {
      return .refuse(
        HTTPError(
          .insecureRedirect,
          message: "\(url.hostAndPath) redirects to something that is not http or https; not followed",
          status: status))
    }
    let from = Origin(url)
    if from?.scheme == "https", to.scheme == "http" {
      return .refuse(
        HTTPError(
          .insecureRedirect,
          message: "\(url.hostAndPath) redirects from https to http; not followed. Ask for the final https URL itself",
          status: status))
    }
    guard followed < limit else {
      return .refuse(
        HTTPError(
          .tooManyRedirects,
          message: "\(url.hostAndPath) redirects once more after \(limit) redirects; raise maxRedirects, "
            + "or look for a loop on the server", status: status))
    }
    followed += 1
    let becomesGet = status == 303 ? method != "HEAD" : (status == 301 || status == 302) && method == "POST"
    return .follow(
      Hop(
        url: target, method: becomesGet ? "GET" : method, dropsBody: becomesGet && method != "GET",
        leavesOrigin: from != to))
  }
}

/// Scheme, host and port of an http or https URL (RFC 6454, section 4).
struct Origin: Hashable {
  let scheme: String
  let host: String
  let port: Int

  /// Nil when `url` is not http or https, or has no host.
  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }
}

extension URL {
  /// What a message may say of a URL: its host and path, without query, user and password.
  ///
  /// As they are written in the URL, with their escapes: a server that redirects chooses them, and what they stand for
  /// may steer the terminal that the message ends up on.
  var hostAndPath: String {
    "\(host(percentEncoded: true) ?? "(no host)")\(path(percentEncoded: true))"
  }
}

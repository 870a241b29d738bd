import Foundation

/// Scheme, host and port: whom a request goes to (RFC 6454, section 4).
struct WebOrigin: Hashable {
  private let scheme: String
  private let host: String
  private let port: Int

  /// The origin of `url`; nil when it is not http or https, or names no host.
  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), let usual = Self.usualPort(scheme),
      let host = url.host()?.lowercased(), !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? usual
  }

  /// Whether what may go to this origin may go to `other`: the same one, or the same host by https on its usual port
  /// where this one is http on its usual port, as after a redirect that secures the connection.
  func trusts(_ other: WebOrigin) -> Bool {
    if self == other { return true }
    return host == other.host && scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443
  }

  /// Whether `text` begins with `http://` or `https://`, in any case.
  static func isAbsolute(_ text: String) -> Bool {
    let start = text.utf8.prefix(8).map { $0 | 0x20 }
    return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
  }

  private static func usualPort(_ scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }
}

extension WebOrigin: CustomStringConvertible {
  /// As it is written in a URL, without the port where it is the scheme's usual one.
  var description: String {
    "\(scheme)://\(host)" + (port == Self.usualPort(scheme) ? "" : ":\(port)")
  }
}

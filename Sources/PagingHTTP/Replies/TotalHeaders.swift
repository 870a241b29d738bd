import LoadingHTTP
import Paging

extension HTTPReply {
  /// How many rows the whole list has, where a header says so.
  ///
  /// `X-Total-Count` is what most servers that page by `Link` send, `X-WP-Total` WordPress, `X-Total` GitLab.
  var totalByHeader: Total? {
    for name in ["X-Total-Count", "X-WP-Total", "X-Total"] {
      if let count = headers[name].flatMap({ Int($0) }), count >= 0 { return .exact(count) }
    }
    return nil
  }
}

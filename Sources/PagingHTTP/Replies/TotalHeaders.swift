package import LoadingHTTP
package import Paging

extension HTTPReply {
  /// How many rows the whole list has, where a header says so.
  ///
  /// `X-Total-Count` is what most servers that page by `Link` send, `X-WP-Total` WordPress, `X-Total` GitLab,
  /// `X-Pagination-Total-Count` Yii, `Total-Objects` and, formerly, `Total-Records` Kinto. `Content-Range` counts where
  /// its unit is not bytes: `items 0-24/100` (RFC 9110, section 14.4).
  package var totalByHeader: Total? {
    for name in Self.totalHeaders {
      if let count = headers[name].flatMap({ Int($0) }), count >= 0 { return .exact(count) }
    }
    guard let range = headers["Content-Range"], !range.lowercased().hasPrefix("bytes"),
      let count = range.split(separator: "/").last.flatMap({ Int($0) }), range.contains("/"), count >= 0
    else { return nil }
    return .exact(count)
  }

  private static var totalHeaders: [String] {
    [
      "X-Total-Count", "X-WP-Total", "X-Total", "X-Pagination-Total-Count", "Total-Count", "Total-Objects",
      "Total-Records",
    ]
  }
}

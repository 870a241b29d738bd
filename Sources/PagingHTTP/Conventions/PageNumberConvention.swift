import LoadingHTTP
import Paging

extension PageConvention {
  /// Pages are asked for by their number.
  ///
  /// ```
  /// GET /items?page=2&per_page=20 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// [ … rows … ]
  /// ```
  ///
  /// The list ends at the first page without rows, or at one past the first that is answered with 400 or 404
  /// (``ending(at:)`` changes these), and with `pages` already at the last of them; a short page is not the end, since
  /// servers cap sizes silently. The load size is sent with every request. A list URL that has one of the parameters
  /// already keeps its size, and starts at its page. Rows that come or go while the list is read shift all pages behind
  /// them: then rows repeat or are missed.
  ///
  /// - Parameters:
  ///   - parameter: The query parameter for the number.
  ///   - size: The query parameter for the load size; nil: not sent.
  ///   - first: The number of the first page.
  ///   - pages: How many pages there are, as `\.pages`; nil: the body does not say.
  public static func pageNumber(
    _ parameter: String = "page", size: String? = "per_page", first: Int = 1,
    pages: (@Sendable (Response) -> Int?)? = nil
  ) -> PageConvention {
    let before = { @Sendable (page: Int) in page > first ? HTTPPageKey(page - 1) : nil }
    var convention = PageConvention(keyKind: .pageNumber) { page, request in
      if let key = page.key {
        guard let number = key.number, number >= first else {
          throw PagingError(
            .invalidKey, message: "The key is not a page number from \(first) on. Refresh to start again.")
        }
        request.setQuery(parameter, to: String(number))
      } else {
        request.setQueryIfAbsent(parameter, to: String(first))
      }
      if let size { request.setQueryIfAbsent(size, to: String(page.loadSize)) }
    } keys: { reply in
      let page = reply.request.key?.number ?? reply.http.url.queryNumber(parameter) ?? first
      let (after, overflows) = page.addingReportingOverflow(1)
      let isLast = pages?(reply.response).map { Self.isLast(page, of: $0, from: first) } ?? false
      return PageKeys(
        previous: before(page), next: reply.itemCount == 0 || overflows || isLast ? nil : HTTPPageKey(after))
    }
    convention.endStatuses = [400, 404]
    convention.firstNumber = first
    convention.keysPastEnd = { page in PageKeys(previous: page.key?.number.flatMap(before)) }
    return convention
  }

  /// Whether `page` is the last of `count` pages that are counted from `first`; a server may say any count.
  private static func isLast(_ page: Int, of count: Int, from first: Int) -> Bool {
    guard count > 0 else { return true }
    let (last, overflows) = first.addingReportingOverflow(count - 1)
    return !overflows && page >= last
  }
}

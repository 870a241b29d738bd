import LoadingHTTP
import Paging

extension PageConvention {
  /// Pages are asked for by how many rows precede them.
  ///
  /// ```
  /// GET /items?offset=20&limit=20 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "items": [ … rows … ], "total": 214 }
  /// ```
  ///
  /// The next offset is this one and the rows that came, never those that were asked for: servers cap sizes silently.
  /// With a `total` the list ends when it is reached, and the rows before and after a page are known; without one it
  /// ends at the first page without rows. The load size is sent with every request. A list URL that has one of the
  /// parameters already keeps its size, and starts at its offset. Rows that come or go while the list is read shift all
  /// that are behind them: then rows repeat or are missed.
  ///
  /// The key of the way back is the text `<40`, say: as many rows as are wanted, up to row 40. Where fewer came than
  /// lie between, the load fails as ``HTTPPageError/Code/shortPage``, since rows would be missing in the middle of the
  /// list.
  ///
  /// - Parameters:
  ///   - parameter: The query parameter for the offset.
  ///   - limit: The query parameter for the load size; nil: not sent.
  ///   - total: How many rows the whole list has, as `\.total`; nil: the body does not say.
  public static func offset(
    _ parameter: String = "offset", limit: String? = "limit", total: (@Sendable (Response) -> Int?)? = nil
  ) -> PageConvention {
    var convention = PageConvention(keyKind: .offset) { page, request in
      let place = try OffsetPlace(
        page, startInURL: request.queryNumber(parameter), sizeInURL: limit.flatMap { request.queryNumber($0) })
      request.setQuery(parameter, to: String(place.start))
      if let limit { request.setQueryIfAbsent(limit, to: String(place.size)) }
    } keys: { reply in
      let url = reply.http.url
      let place = try OffsetPlace(
        reply.request, startInURL: url.queryNumber(parameter), sizeInURL: limit.flatMap { url.queryNumber($0) })
      let (end, overflows) = place.start.addingReportingOverflow(reply.itemCount)
      let count = overflows ? nil : total?(reply.response).flatMap { $0 < 0 ? nil : $0 }
      let isAtEnd = reply.itemCount == 0 || overflows || count.map { end >= $0 } ?? false
      if let bound = place.bound, end < bound, count == nil || !isAtEnd {
        throw HTTPPageError(
          .shortPage,
          message: "Of the \(bound - place.start) rows before row \(bound), \(reply.itemCount) came. "
            + "The server caps the load size, or the list has become shorter: lower the page size, or refresh.",
          status: reply.http.status)
      }
      return PageKeys(
        previous: OffsetPlace.key(before: place.start), next: isAtEnd ? nil : HTTPPageKey(end),
        itemsBefore: place.start,
        itemsAfter: count.map { max(0, $0 - end) }, total: count.map { .exact($0) })
    }
    convention.firstNumber = 0
    convention.keysPastEnd = { page in PageKeys(previous: page.key?.number.flatMap { OffsetPlace.key(before: $0) }) }
    convention.keyForIndex = { HTTPPageKey($0) }
    return convention
  }
}

/// Which rows a page of an offset list is to hold.
private struct OffsetPlace {
  /// How many rows precede the page.
  let start: Int
  /// How many rows are asked for, where the URL doesn't say.
  let size: Int
  /// Where the page must reach, on the way back.
  var bound: Int?

  /// The numbers in the URL, read only where they matter, are those of the list's, or of a reply's, which has what was
  /// asked.
  init(
    _ page: PageRequest, startInURL: @autoclosure () -> Int?, sizeInURL: @autoclosure () -> Int?
  ) throws {
    guard let key = page.key else {
      start = max(0, startInURL() ?? 0)
      size = page.loadSize
      return
    }
    if let number = key.number, number >= 0 {
      start = number
      size = page.loadSize
    } else if key.text.first == "<", let bound = Int(key.text.dropFirst()), bound > 0 {
      size = min(bound, max(1, sizeInURL() ?? page.loadSize))
      start = bound - size
      self.bound = bound
    } else {
      throw PagingError(.invalidKey, message: "The key is not an offset from 0 on. Refresh to start again.")
    }
  }

  /// The key of the page that ends before row `start`.
  static func key(before start: Int) -> HTTPPageKey? {
    start > 0 ? HTTPPageKey("<\(start)") : nil
  }
}

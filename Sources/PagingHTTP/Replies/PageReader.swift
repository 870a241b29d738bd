import Foundation
import LoadingHTTP
import Paging

/// Makes a page of a reply, or an error that says why there is none.
struct PageReader<Response: Sendable, Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let convention: PageConvention<Response>
  let onSkippedItems: (@Sendable (SkippedItems) -> Void)?
  let decode: @Sendable (Data, SkipLog) throws -> Response
  let items: @Sendable (Response) throws -> [Item]

  /// - Parameter counted: What else is known of the number of rows.
  func page(_ reply: HTTPReply, of request: PageRequest, counted: Total?) throws -> Page<HTTPPageKey, Item> {
    guard (200..<300).contains(reply.status) else {
      if convention.isPastEnd(reply.status, for: request) {
        return Page([], keys: convention.keysPastEnd(request), itemCount: 0)
      }
      let error = ReplyDiagnosis.refusal(reply, of: request, convention.keyRefusals)
      if let key = request.key, convention.isAnchorGone(key, reply.status) {
        throw PagingError(
          .itemNotFound, message: "The server does not have the row that this page is around.", cause: error)
      }
      throw error
    }
    guard ReplyDiagnosis.hasBody(reply) else { throw ReplyDiagnosis.empty(reply) }
    let log = SkipLog()
    do {
      try convention.check?(reply, request, convention.keyRefusals)
      let response = try decode(reply.body, log)
      let items = try items(response)
      let count = items.count + log.count
      if count == 0, let refusal = ReplyDiagnosis.refusal(saidIn: reply, of: request, convention.keyRefusals) {
        throw refusal
      }
      var keys = try convention.keys(
        PageReply(response: response, itemCount: count, http: reply, request: request))
      if convention.detectsChanges, let tag = reply.headers["ETag"], !tag.hasPrefix("W/") {
        keys.next?.validator = tag
        keys.previous?.validator = tag
      }
      keys.total = keys.total ?? reply.totalByHeader ?? counted
      if let first = log.firstError { tell(SkippedItems(count: log.count, firstError: described(first, reply))) }
      return Page(items, keys: keys, itemCount: count)
    } catch {
      throw ReplyDiagnosis.unreadable(reply, of: request, convention.keyRefusals, error)
    }
  }

  private func tell(_ skipped: SkippedItems) {
    onSkippedItems?(skipped)
  }

  private func described(_ error: any Error, _ reply: HTTPReply) -> HTTPPageError {
    ReplyDiagnosis.undecodable(reply, error) as? HTTPPageError
      ?? HTTPPageError(.undecodable, message: "A row can't be read.", status: reply.status, cause: error)
  }
}

extension Page where Key == HTTPPageKey {
  fileprivate init(_ items: [Item], keys: PageKeys, itemCount: Int) {
    var after = keys.itemsAfter
    if after == nil, let before = keys.itemsBefore, let total = keys.total, total.isExact {
      // A server may give any place and any total.
      let (end, overflows) = before.addingReportingOverflow(itemCount)
      after = overflows || end >= total.count ? 0 : total.count - max(0, end)
    }
    self.init(
      items, previousKey: keys.previous, nextKey: keys.next, itemsBefore: keys.itemsBefore, itemsAfter: after,
      total: keys.total)
  }
}

import Foundation
import LoadingHTTP
import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Ways to page whose keys are not members that stand ready: they are made of the last row, or go into a query.
extension DetectedConvention {
  /// The last row's ID goes back, as long as the page says that there is more.
  func keysetConvention<Response: Sendable>(
    _ look: PageLook<Response>, size: String?
  ) -> PageConvention<Response> {
    let (items, flag, parameter) = (items ?? [], next ?? [], parameter ?? "starting_after")
    return PageConvention(keyKind: .keyset) { page, request in
      if let key = page.key { request.setQuery(parameter, to: key.text) }
      if let size { request.setQueryIfAbsent(size, to: String(page.loadSize)) }
    } keys: { reply in
      guard look.flag(reply.response, flag) == true else { return PageKeys() }
      guard let id = look.text(reply.response, items + [String(reply.itemCount - 1), "id"]), !id.isEmpty else {
        throw HTTPPageError(
          .unreadableNext,
          message: "The page says that there is more (\"\(flag.joined(separator: "."))\"), and its last row has no "
            + "\"id\" to go on from.", status: reply.http.status)
      }
      return PageKeys(next: HTTPPageKey(id))
    }
  }

  /// A token of AWS, be it an object, goes back as a query parameter. The list ends without one, where `IsTruncated` is
  /// false, and where the token comes that was sent.
  func tokenConvention<Response: Sendable>(_ look: PageLook<Response>) -> PageConvention<Response> {
    let (next, parameter) = (next ?? [], parameter ?? "NextToken")
    return PageConvention(keyKind: .cursor) { page, request in
      if let key = page.key { request.setQuery(parameter, to: key.text) }
    } keys: { reply in
      guard look.flag(reply.response, ["IsTruncated"]) != false, let token = look.token(reply.response, next),
        token != reply.http.url.queryValue(parameter)
      else { return PageKeys() }
      return PageKeys(next: HTTPPageKey(token))
    }
  }

  /// The sort values of the last hit go into the search, which stands in the URL: as `search_after` of its `source`.
  ///
  /// What else the URL says of the search (`q`, `sort`, `size`) holds on. The list ends at a page without hits.
  /// Source: Elasticsearch's and OpenSearch's search API, query parameters `source` and `source_content_type`.
  func searchConvention<Response: Sendable>(_ look: PageLook<Response>) -> PageConvention<Response> {
    let items = items ?? []
    return PageConvention(keyKind: .keyset) { page, request in
      guard let key = page.key, let sort = JSONValue(json: Data(key.text.utf8)) else { return }
      let written = request.url?.queryValue("source").flatMap { JSONValue(json: Data($0.utf8)) }
      var search = written ?? .object([:])
      search["search_after"] = sort
      request.setQuery("source", to: String(decoding: search.json, as: UTF8.self))
      request.setQueryIfAbsent("source_content_type", to: "application/json")
    } keys: { reply in
      guard reply.itemCount > 0 else { return PageKeys() }
      guard let sort = look.json(reply.response, items + [String(reply.itemCount - 1), "sort"]) else {
        throw HTTPPageError(
          .unreadableNext, message: "The last hit has no \"sort\" to go on from.", status: reply.http.status)
      }
      return PageKeys(next: HTTPPageKey(sort))
    }
  }

  /// The cursor goes into the variables of a query of GraphQL that stands in the URL.
  func queryConvention<Response: Sendable>(_ look: PageLook<Response>) -> PageConvention<Response> {
    let (cursor, parameter) = (next ?? [], parameter ?? "after")
    return PageConvention(keyKind: .cursor) { page, request in
      guard let key = page.key else { return }
      let written = request.url?.queryValue("variables").flatMap { JSONValue(json: Data($0.utf8)) }
      var variables = written ?? .object([:])
      variables[parameter] = .string(key.text)
      request.setQuery("variables", to: String(decoding: variables.json, as: UTF8.self))
    } keys: { reply in
      guard look.flag(reply.response, cursor.dropLast() + ["hasNextPage"]) == true else { return PageKeys() }
      guard let end = look.text(reply.response, cursor), !end.isEmpty else {
        throw HTTPPageError(
          .unreadableNext,
          message: "The page says that there is a next one and gives no endCursor to ask for it with. "
            + "Does the query ask for pageInfo { hasNextPage endCursor }?", status: reply.http.status)
      }
      return PageKeys(next: HTTPPageKey(end))
    }
  }
}

extension PageConvention {
  /// The first page, and no other.
  static var onePage: PageConvention {
    PageConvention { _, _ in
    } keys: { _ in
      PageKeys()
    }
  }
}

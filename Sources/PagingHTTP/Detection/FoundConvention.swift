import Foundation
package import LoadingHTTP
import Paging
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PageConvention {
  /// The way to page that a list's first reply tells; all keys are whole URLs.
  ///
  /// What the first reply tells holds for those that follow, so this convention belongs to one list. Any page can be
  /// the first that is asked for, since its key is all that a request is made of. Where nothing leads on that can be
  /// followed, the list is the one page. The load size is not sent: a page number means nothing once the size has
  /// changed.
  ///
  /// - Parameters:
  ///   - look: Looks into a page.
  ///   - parameter: The query parameter of a cursor or a number, where the usual one is not it; nil: the usual one.
  ///     Asked for each page.
  ///   - next: Where a page has what leads on, where that is known; nil: it is found.
  ///   - body: What detection is to see of a page; lists in it may be shortened to their first and last element.
  ///   - onFound: Told what was found, once.
  package static func found(
    _ look: PageLook<Response>, parameter: @autoclosure @escaping @Sendable () -> String? = nil,
    next: [String]? = nil, body: @escaping @Sendable (Response) -> JSONValue,
    onFound: @escaping @Sendable (DetectedConvention) -> Void = { _ in }
  ) -> PageConvention {
    let settled = Settled()
    var convention = followingURLs(size: nil) { reply in
      let (found, isNew) = settled.found(as: parameter()) {
        DetectedConvention.detect(reply.http, body: body(reply.response), next: next, parameter: $0)
      }
      if isNew { onFound(found) }
      let convention = found.convention(look, sendsSize: false)
      // Its own keys are not those of the requests, which are all in the URL.
      var here = reply
      here.request.key = nil
      var keys = try convention.keys(here)
      if keys.previous == nil, found.namesURLs {
        keys.previous = NextMember.previous(in: reply, look.text).map { HTTPPageKey($0) }
      }
      keys.next = try keys.next.flatMap { try convention.location(of: $0, after: reply) }
      // A page without rows has no cursor but the one that it was asked with.
      if found.cursorStands, reply.itemCount == 0, keys.next?.url == reply.http.url { keys.next = nil }
      // Of rows that are counted back from here, it is not known how many come.
      keys.previous =
        try found.kind == .offset ? nil : keys.previous.flatMap { try convention.location(of: $0, after: reply) }
      return keys
    }
    convention.alsoEnds = { [400, 404].contains($0) && settled.kind == .pageNumber }
    return convention
  }

  /// The key's request as a URL.
  private func location(of key: HTTPPageKey, after reply: PageReply<Response>) throws -> HTTPPageKey? {
    var next = URLRequest(url: reply.http.url)
    try request(PageRequest(key: key, loadSize: max(1, reply.itemCount), type: .append), &next)
    return next.url.map { HTTPPageKey($0) }
  }
}

/// What was found, once it was.
private final class Settled: Sendable {
  private let state = Mutex<DetectedConvention?>(nil)

  var kind: DetectedConvention.Kind? { state.withLock { $0?.kind } }

  /// What was found, with the parameter that is named by now.
  func found(
    as parameter: String?, _ detect: (String?) -> DetectedConvention
  ) -> (DetectedConvention, isNew: Bool) {
    state.withLock { state in
      if let state { return (parameter.map { state.named($0) } ?? state, false) }
      let found = detect(parameter)
      state = found
      return (found, true)
    }
  }
}

extension DetectedConvention {
  /// What a reply tells whose body was decoded already.
  ///
  /// - Parameters:
  ///   - head: The reply; its own body is not looked at.
  ///   - body: The body; lists in it may be shortened to their first and last element.
  package static func detect(_ head: HTTPReply, body: JSONValue) -> DetectedConvention {
    ConventionDetection(head, body).finding
  }

  /// What a reply tells, where something of it is known.
  ///
  /// - Parameters:
  ///   - next: Where what leads on is: a URL by its look, else a cursor; nil: that is found.
  ///   - parameter: What it goes back under; nil: that is found. Where nothing else is, it is a cursor's.
  package static func detect(
    _ head: HTTPReply, body: JSONValue, next: [String]?, parameter: String?
  ) -> DetectedConvention {
    ConventionDetection(head, body).finding(next: next, parameter: parameter)
  }

  /// Whether pages name each other by URLs, in the body or in a header.
  package var namesURLs: Bool { [.linkHeader, .nextPageHeader, .nextURL, .jsonAPI, .oData].contains(kind) }

  /// Whether the parameter that a key goes back under is a guess: a server that does not know it gives the same page
  /// for ever.
  package var parameterIsGuessed: Bool { [.cursor, .keyset, .awsToken, .pageNumber, .offset].contains(kind) }

  /// What was found, for a server that takes its keys under another name.
  package func named(_ parameter: String) -> DetectedConvention {
    guard self.parameter != nil, !namesURLs else { return self }
    return DetectedConvention(
      kind: kind, items: items, otherItems: otherItems, next: next, parameter: parameter, sizeParameter: sizeParameter,
      firstPage: firstPage, pages: pages, reason: reason, lack: lack)
  }

  /// What has to be added to the list's URL before it can be walked; nil: nothing.
  package var whatIsMissing: String? { lack }

  /// Where the page's own information of a GraphQL connection is in `body`; nil where there is none.
  package static func pageInfo(in body: JSONValue) -> [String]? {
    ConventionDetection.path(to: "pageInfo", in: body, depth: 5)
  }

  /// Whether pages are counted, so that a server which does not know the parameter gives the same rows for ever.
  package var isNumbered: Bool { kind == .pageNumber || kind == .offset }

  /// Whether the page with that body says that there is another, in the way that was found.
  package func leadsOn(_ body: JSONValue) -> Bool {
    switch kind {
    case .single, .linkHeader, .nextPageHeader, .pageNumber, .offset: false
    case .keyset, .window: true
    case .searchAfter: !(items.flatMap { body.value(at: $0)?.elements } ?? []).isEmpty
    case .graphQL:
      next.flatMap { body.value(at: Array($0.dropLast()) + ["hasNextPage"]) } == .bool(true)
    default:
      !endFlags.contains { body.value(at: $0) == .bool(false) }
        && next.flatMap { body.value(at: $0) }.map { $0 != .null && $0 != .string("") && $0 != .bool(false) } ?? false
    }
  }
}

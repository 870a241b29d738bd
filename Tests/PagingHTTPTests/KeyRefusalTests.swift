import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

/// Expired keys, invalid ones, and refusals of something else.
@Suite struct KeyRefusalTests {
  private func code(
    _ status: Int, _ body: String, key: HTTPPageKey? = "k", change: (inout KeyRefusals) -> Void = { _ in }
  ) async -> PagingError.Code? {
    var convention = PageConvention<Feed>.cursor(\.next)
    change(&convention.keyRefusals)
    let source = HTTPPageSource(
      listURL, convention: convention, transport: StubTransport(status, body), items: \.items)
    return await source.code(key: key)
  }

  @Test(arguments: [
    #"{"error":"expired_cursor"}"#, #"{"code":"next_cursor_expired","message":"x"}"#,
    #"{"detail":{"code":"cursor_expired"}}"#, #"{"errors":[{"code":"PAGE_TOKEN_EXPIRED"}]}"#,
    #"{"error":{"code":"resyncRequired"}}"#, #"{"message":"The cursor has expired, start over."}"#,
  ])
  func H7_documentedWordsOfExpiry(body: String) async {
    #expect(await code(400, body) == .cursorExpired)
    #expect(await code(400, body, key: nil) == nil)
  }

  @Test(arguments: [
    #"{"ok":false,"error":"invalid_cursor"}"#, #"{"detail":"Invalid cursor"}"#, #"{"detail":"Invalid cursor value"}"#,
    #"{"error":{"code":"invalid_cursor"}}"#, #"{"code":"invalid_next_cursor"}"#,
    #"{"errors":{"page_info":"Invalid value."},"code":"invalid_page_info"}"#,
  ])
  func H7_documentedWordsOfNonsense(body: String) async {
    for status in [400, 404, 422] { #expect(await code(status, body) == .invalidKey) }
  }

  @Test func H7_otherRefusalsAreNotOfTheKey() async {
    for status in [401, 403, 408, 429, 500, 503] { #expect(await code(status, #"{"error":"invalid_cursor"}"#) == nil) }
    for body in [#"{"error":"no such list"}"#, "<h1>invalid_cursor</h1>", "", "[]"] {
      #expect(await code(400, body) == nil)
    }
  }

  @Test func H7_codesAreAdjustable() async {
    #expect(await code(410, "{}") == .cursorExpired)
    #expect(await code(410, "{}") { $0.expiredStatuses = [] } == nil)
    #expect(await code(419, "{}") { $0.expiredStatuses.insert(419) } == .cursorExpired)
    #expect(await code(404, "{}") { $0.invalidStatuses = [404] } == .invalidKey)
    #expect(await code(400, #"{"why":"Bad Marker!"}"#) { $0.invalidWords.append("bad_marker") } == .invalidKey)
    #expect(await code(400, #"{"why":"anything"}"#) { $0.invalidWords = ["", "--"] } == nil)
    // The word of an expired key counts before one of an invalid.
    #expect(await code(400, #"{"a":"invalid_cursor","b":"cursor_expired"}"#) == .cursorExpired)
  }

  /// A page whose rows may be missing, so that a refusal decodes as an empty one.
  private struct Loose: Decodable, Sendable {
    var items: [Row]?
    var next: String?
  }

  private func error(_ body: String, key: HTTPPageKey?) async -> any Error {
    let source = HTTPPageSource(
      listURL, convention: .cursor(\Loose.next), transport: StubTransport(200, body), items: { $0.items ?? [] })
    do {
      let page = try await source.load(LoadParams(.append, key: key, loadSize: 3))
      return page.items.isEmpty ? CancellationError() : HTTPPageError(.missing, message: "rows")
    } catch { return error }
  }

  @Test(arguments: [
    #"{"ok":false,"error":"invalid_cursor"}"#, #"{"success":false,"message":"Invalid page token"}"#,
    #"{"ok":false,"error":"invalid_cursor","items":[],"next":null}"#,
  ])
  func H7_aRefusalOfTheKeyWithStatus200IsNoEnd(body: String) async throws {
    #expect(await code(200, body) == .invalidKey)
    #expect((await error(body, key: "k") as? PagingError)?.code == .invalidKey)
    // Of the first page the same is a failure, with the server's words.
    let refused = try #require(await error(body, key: nil) as? HTTPPageError)
    #expect(
      refused.code == .refused
        && refused.message.contains(body.contains("invalid_cursor") ? "invalid_cursor" : "page token"))
  }

  @Test func H7_otherFailuresWithStatus200AreToldApart() async throws {
    #expect((await error(#"{"ok":false,"error":"cursor_expired"}"#, key: "k") as? PagingError)?.code == .cursorExpired)
    let limited = try #require(await error(#"{"ok":false,"error":"ratelimited"}"#, key: "k") as? HTTPPageError)
    #expect(limited.code == .refused && limited.message.contains("ratelimited"))
    // Where nothing says that it failed, words count only if there is no page to be read.
    #expect(await code(200, #"{"error":"invalid_cursor"}"#) == .invalidKey)
    #expect(await code(200, #"{"error":"invalid_cursor"}"#, key: nil) == nil)
    #expect(await error(#"{"q":"invalid_cursor","items":[]}"#, key: "k") is CancellationError)
    #expect(await error(#"{"ok":true,"items":[]}"#, key: "k") is CancellationError)
    #expect(await error(#"{"ok":false,"items":[{"id":1}]}"#, key: "k") as? HTTPPageError != nil)
  }
}

import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Synchronization
import Testing

/// Rows that can't be decoded: the page's failure, or passed over and counted.
@Suite struct SkippedItemTests {
  private struct Envelope: Decodable, Sendable {
    var items: LenientArray<Row>
    var total: Int?
  }

  private final class Told: Sendable {
    let pages = Mutex<[SkippedItems]>([])
  }

  private func config(_ told: Told) -> HTTPPageSourceConfig {
    var config = HTTPPageSourceConfig()
    config.skipsUndecodableItems = true
    config.onSkippedItems = { skipped in told.pages.withLock { $0.append(skipped) } }
    return config
  }

  private let body = #"[{"id":1},{"ID":2},7,null,{"id":"x"},[{"id":9}],{"id":3}]"#

  @Test func H9_badRowsFailThePageByDefault() async throws {
    for text in [body, #"{"items":\#(body)}"#] {
      let server = StubTransport(200, text)
      let error = await #expect(throws: HTTPPageError.self) {
        if text.first == "[" {
          _ = try await HTTPPageSource(listURL, convention: .linkHeader, transport: server, of: Row.self).first()
        } else {
          _ = try await HTTPPageSource(
            listURL, convention: PageConvention<Envelope>.linkHeader, transport: server, items: \.items.elements
          ).first()
        }
      }
      #expect(error?.code == .missing && error?.message.contains("[1]") == true, "\(String(describing: error))")
    }
  }

  @Test func H9_badRowsArePassedOverAndCounted() async throws {
    let told = Told()
    let server = StubTransport(200, body)
    let source = HTTPPageSource(
      listURL, convention: .linkHeader, config: config(told), transport: server, of: Row.self)
    #expect(try await source.first().items == [Row(id: 1), Row(id: 3)])
    let skipped = try #require(told.pages.withLock { $0 }.first)
    #expect(skipped.count == 5 && skipped.firstError.code == .missing)
    #expect(skipped.firstError.message.contains("/items") && skipped.firstError.message.contains("[1]"))
    #expect(told.pages.withLock { $0.count } == 1)
  }

  @Test func H9_positionsCountThemAll() async throws {
    let told = Told()
    let server = StubTransport(200, #"{"items":\#(body),"total":20}"#)
    let source = HTTPPageSource(
      listURL, convention: PageConvention<Envelope>.offset(total: \.total), config: config(told), transport: server,
      items: \.items.elements)
    let page = try await source.load(LoadParams(.append, key: 5, loadSize: 7))
    #expect(page.nextKey == 12 && page.itemsAfter == 8 && page.items.count == 2)
    // A page of nothing but bad rows is not an empty one.
    let bad = HTTPPageSource(
      listURL, convention: .offset(), config: config(told), transport: StubTransport(200, "[7,8]"), of: Row.self)
    #expect(try await bad.first().nextKey == 2)
  }

  @Test func nothingIsToldOfGoodPages() async throws {
    let told = Told()
    let server = StubTransport(200, rows(0..<3))
    let source = HTTPPageSource(
      listURL, convention: .linkHeader, config: config(told), transport: server, of: Row.self)
    #expect(try await source.first().items.count == 3)
    #expect(told.pages.withLock { $0.isEmpty })
  }

  @Test func H9_whatIsNoListIsAnErrorAllTheSame() async throws {
    for text in ["{}", "7", "null", "[1", "<p>"] {
      let source = HTTPPageSource(
        listURL, convention: .linkHeader, config: config(Told()), transport: StubTransport(200, text), of: Row.self)
      await #expect(throws: HTTPPageError.self) { try await source.first() }
    }
  }

  @Test func theLibrarysOwnRepliesPassThemOverToo() async throws {
    let told = Told()
    let config = config(told)
    let pages: [HTTPPageSource<Row>] = [
      HTTPPageSource(
        listURL, convention: .oData(), config: config, transport: StubTransport(200, #"{"value":[7,{"id":1}]}"#),
        items: \ODataPage<Row>.items),
      HTTPPageSource(
        listURL, convention: .datasette(), config: config, transport: StubTransport(200, #"{"rows":[7,{"id":1}]}"#),
        items: \DatasettePage<Row>.items),
      HTTPPageSource(
        listURL, convention: .kinto(), config: config, transport: StubTransport(200, #"{"data":[7,{"id":1}]}"#),
        items: \KintoPage<Row>.items),
    ]
    for source in pages { #expect(try await source.first().items == [Row(id: 1)]) }
    #expect(told.pages.withLock { $0.map(\.count) } == [1, 1, 1])
  }
}

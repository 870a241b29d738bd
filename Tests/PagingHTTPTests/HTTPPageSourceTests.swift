import Foundation
import Loading
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PageConvention {
  /// `Range: items=0-24`, answered with `Content-Range: items 0-24/100`.
  fileprivate static var itemRange: PageConvention {
    PageConvention { page, request in
      let start = page.key?.number ?? 0
      request.setValue("items=\(start)-\(start + page.loadSize - 1)", forHTTPHeaderField: "Range")
    } keys: { reply in
      guard let range = reply.http.headers["Content-Range"]?.split(whereSeparator: { " -/".contains($0) }),
        range.count == 4, let last = Int(range[2]), let total = Int(range[3])
      else { return PageKeys() }
      return PageKeys(next: last + 1 < total ? HTTPPageKey(last + 1) : nil, itemsAfter: total - last - 1)
    }
  }
}

@Suite struct HTTPPageSourceTests {
  @Test func aConventionOfOnesOwn() async throws {
    let server = StubTransport { request in
      let range = request.value(forHTTPHeaderField: "Range")?.split { "=-".contains($0) }.compactMap { Int($0) } ?? []
      let last = min(range[1], 11)
      return .stub(206, rows(range[0]...last), headers: ["Content-Range": "items \(range[0])-\(last)/12"], for: request)
    }
    let source = HTTPPageSource(listURL, convention: .itemRange, transport: server, of: Row.self)
    var ids: [Int] = []
    var key: HTTPPageKey?
    repeat {
      let page = try await source.load(LoadParams(.append, key: key, loadSize: 5))
      ids += page.items.map(\.id)
      #expect(page.itemsAfter == 12 - ids.count)
      key = page.nextKey
    } while key != nil
    #expect(ids == Array(0..<12))
    #expect(source.keyKind == .other)
  }

  @Test func rowsOnScreenComeFirst() async throws {
    let server = StubTransport(200, "[]")
    let source = HTTPPageSource(listURL, convention: .linkHeader, transport: server, of: Row.self)
    _ = try await source.load(LoadParams(.refresh, loadSize: 5))
    _ = try await source.load(LoadParams(.append, loadSize: 5, purpose: .prefetch))
    #expect(server.requests.map(\.ticket.priority) == [.high, .low])
  }

  @Test func theConfigurationReachesTheRequest() async throws {
    var config = HTTPPageSourceConfig(headers: ["accept": "application/vnd.api+json"])
    config.maxBodyBytes = -1
    config.decoder = {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return decoder
    }
    struct Snake: Decodable, Sendable, Identifiable {
      var id: Int
      var longName: String
    }
    let server = StubTransport(200, #"[{"id":1,"long_name":"x"}]"#)
    let source = HTTPPageSource(listURL, convention: .linkHeader, config: config, transport: server, of: Snake.self)
    #expect(try await source.load(LoadParams(.refresh, loadSize: 0)).items.map(\.longName) == ["x"])
    #expect(server.requests.first?.maxBodyBytes == 0)
    #expect(server.requests.first?.urlRequest.value(forHTTPHeaderField: "Accept") == "application/vnd.api+json")
  }

  @Test func aConventionIsToldAtLeastOneRow() async throws {
    let server = StubTransport(200, "[]")
    let source = HTTPPageSource(listURL, convention: .offset(), transport: server, of: Row.self)
    _ = try await source.load(LoadParams(.refresh, loadSize: -3))
    #expect(server.urls == ["https://example.com/items?offset=0&limit=1"])
  }
}

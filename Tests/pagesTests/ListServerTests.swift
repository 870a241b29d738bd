import Foundation
import Testing

@testable import pages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ListServerTests {
  private func get(_ url: String) async throws -> (status: Int, body: JSONSlice, link: String?) {
    let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: url)))
    let http = try #require(response as? HTTPURLResponse)
    return (http.statusCode, try JSONSlice(checking: Array(data)), http.value(forHTTPHeaderField: "Link"))
  }

  private let rows = ServedRows(count: 10) { "{\"id\": \($0 + 1)}" }

  private func ids(_ list: JSONSlice?) -> [Int] { list?.elements.compactMap { $0.member("id")?.integer } ?? [] }

  @Test func everyConventionPagesTheWholeList() async throws {
    let server = try ListServer(rows, cap: 4)
    let offset = try await get(server.url("/offset?offset=8&limit=3")).body
    #expect(ids(offset.member("items")) == [9, 10])
    #expect(offset.member("total")?.integer == 10)
    #expect(ids(try await get(server.url("/page?page=2&per_page=4")).body.member("items")) == [5, 6, 7, 8])
    let cursor = try await get(server.url("/cursor?limit=4")).body
    #expect(ids(cursor.member("items")) == [1, 2, 3, 4])
    let second = try #require(cursor.member("next_cursor")?.string)
    #expect(ids(try await get(server.url("/cursor?limit=4&cursor=\(second)")).body.member("items")) == [5, 6, 7, 8])
    let next = try await get(server.url("/next-url?limit=100")).body
    #expect(ids(next.member("items")) == [1, 2, 3, 4])
    #expect(next.member("next_url")?.string?.hasPrefix("/next-url?limit=100&cursor=") == true)
    let link = try await get(server.url("/link?limit=4&cursor=\(second)"))
    #expect(ids(link.body) == [5, 6, 7, 8])
    #expect(link.link?.contains("rel=\"next\"") == true)
    #expect(link.link?.contains("rel=\"prev\"") == true)
    #expect(server.requestCount == 6)
  }

  @Test func aSizeAboveTheCapAndNonsenseAreRefused() async throws {
    let server = try ListServer(rows, cap: 4, aboveCap: .refused)
    for path in [
      "/link?limit=5", "/link?limit=0", "/offset?offset=-1", "/cursor?cursor=4", "/page?page=0",
      "/page?page=9223372036854775807",
    ] {
      let reply = try await get(server.url(path))
      #expect(reply.status == 400)
      #expect(reply.body.member("error")?.string != nil)
    }
    #expect(try await get(server.url("/else")).status == 404)
  }

  @Test func demoRowsAreEnoughAndEachHasWhatARowNeeds() throws {
    for database in ["/var/lib/dpkg", "/nowhere"] {
      let demo = DemoRows(atLeast: 5000, database: database)
      #expect(demo.rows.count >= 5000)
      var ids: Set<Int> = []
      for index in 0..<demo.rows.count {
        let row = try JSONSlice(checking: Array(demo.rows[index].utf8))
        ids.insert(try #require(row.member("id")?.integer))
        #expect(row.member("title")?.string?.isEmpty == false)
        #expect(row.member("text")?.string != nil)
      }
      #expect(ids.count == demo.rows.count)
      #expect(DemoRows(atLeast: 5000, database: database).rows[4321] == demo.rows[4321])
    }
  }
}

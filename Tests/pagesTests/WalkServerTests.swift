import Foundation
import PagingHTTP
import TestSupport
import Testing

@testable import pages

/// The program walks real servers, given nothing but a URL: the convention is found, and every row comes once.
@Suite(
  .enabled(if: RealServer.Kind.django.isInstalled, "the servers are not installed"), .serialized,
  .timeLimit(.minutes(10)))
struct WalkServerTests {
  private static let count = WalkServers.count

  /// The numbers of the rows: `id`, or what of the row's ID is digits.
  private static func numbers(_ run: ToolRun, _ member: String) throws -> [Int] {
    try run.lines.map { line in
      let row = try JSONSlice(checking: Array(line.utf8))
      let id = try #require(member.isEmpty ? row.scalarText : row.member(member)?.scalarText)
      return try #require(Int(id.filter(\.isNumber)))
    }
  }

  @Test(arguments: [
    (RealServer.Kind.datasette, "", "id"), (.datasette, "?_shape=objects&_size=50", "id"),
    (.datasette, "?_shape=array", "id"), (.django, "/page/", "id"), (.django, "/offset/", "id"),
    (.django, "/cursor/", "id"), (.django, "/cursor-id/?page_size=30", "id"), (.django, "/jsonapi/", "id"),
    (.django, "/jsonapi-offset/", "id"), (.kinto, "", "id"), (.kinto, "?_limit=40", "id"), (.strawberry, "", "number"),
    (.graphene, "", "number"), (.fastapi, "/pages", "id"), (.fastapi, "/pages?size=33", "id"),
    (.fastapi, "/limit-offset", "id"), (.fastapi, "/cursor", "id"), (.fastapi, "/pages-links", "id"),
    (.fastapi, "/link", "id"), (.fastapi, "/stripe", "id"), (.fastapi, "/stripe?limit=7", "id"),
    (.fastapi, "/window", "id"), (.fastapi, "/ids", ""), (.fastapi, "/expiring", "id"), (.nginx, "", "id"),
  ])
  func everyRowComesOnceByTheURLAlone(kind: RealServer.Kind, target: String, member: String) async throws {
    guard kind.isInstalled else { return }
    let server = try await WalkServers.shared.server(kind)
    let run = try await Tool.run([
      "walk", target.isEmpty ? server.url.absoluteString : server.url(target).absoluteString,
    ])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let numbers = try Self.numbers(run, member)
    #expect(numbers.count == Self.count && Set(numbers) == Set(1...Self.count), "\(kind)\(target)")
  }

  @Test func aQueryInTheURLOrAsAnOptionIsFollowed() async throws {
    let server = try await WalkServers.shared.server(.strawberry)
    let query =
      "query($after: String) { itemsKeyset(first: 60, after: $after) "
      + "{ edges { node { number } } pageInfo { hasNextPage endCursor } } }"
    let byGet = server.url.settingQuery("query", to: query).absoluteString
    for words in [["walk", byGet], ["walk", server.url.absoluteString, "--query", query]] {
      let run = try await Tool.run(words)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      #expect(run.lines == (1...Self.count).reversed().map { "{\"number\":\($0)}" })
    }
    let first = try await Tool.run(["walk", byGet, "--max-pages", "2", "--verbose"])
    let rest = try await Tool.shell(try #require(first.offeredLine))
    #expect(first.lines + rest.lines == (1...Self.count).reversed().map { "{\"number\":\($0)}" })
  }

  @Test func aWalkOfASchemaCanBeGoneOnWith() async throws {
    let server = try await WalkServers.shared.server(.graphene)
    let first = try await Tool.run([
      "walk", server.url.absoluteString, "--max-pages", "1", "--page-size", "90", "--verbose",
    ])
    #expect(first.lines.count == 90 && first.errors.contains("its list items is walked"))
    let rest = try await Tool.shell(try #require(first.offeredLine))
    #expect(rest.status == 0)
    #expect(try Self.numbers(first, "number") + Self.numbers(rest, "number") == (1...Self.count).reversed().map { $0 })
  }

  @Test func theLastRowNamesTheNextPageWhereThatIsSaid() async throws {
    let server = try await WalkServers.shared.server(.fastapi)
    for words in [[], ["--convention", "last-id"], ["--param", "starting_after"]] {
      let run = try await Tool.run(["walk", server.url("/stripe?limit=50").absoluteString] + words)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      #expect(try Self.numbers(run, "id") == (1...Self.count).reversed())
    }
    let other = try await Tool.run(
      ["walk", server.url("/stripe").absoluteString, "--convention", "last-id", "--param", "after"])
    #expect(other.status == 1 && other.lines.count == 20)
  }

  @Test func whatCannotBeWalkedByItsURLAloneSaysWhy() async throws {
    let strawberry = try await WalkServers.shared.server(.strawberry)
    let query = strawberry.url.settingQuery(
      "query", to: "{ items(first: 5) { edges { node { number } } pageInfo { hasNextPage } } }")
    let fixed = try await Tool.run(["walk", query.absoluteString])
    #expect(fixed.status == 1 && fixed.lines.count == 5)
    #expect(fixed.errors.contains("a query that takes a cursor"))
    let httpbin = try await WalkServers.shared.server(.httpbin)
    let page = try await Tool.run(["walk", httpbin.url("/html").absoluteString])
    #expect(page.status == 1 && page.errors.contains("a web page"))
    let object = try await Tool.run(["walk", httpbin.url("/get").absoluteString])
    #expect(object.status == 1 && object.errors.contains("no list"))
    let fastapi = try await WalkServers.shared.server(.fastapi)
    let since = try await Tool.run(["walk", fastapi.url("/since?since_id=300").absoluteString])
    #expect(since.status == 1 && since.errors.contains("the same page again") && since.errors.contains("--param"))
    #expect(Set(since.lines).count == since.lines.count)
  }
}

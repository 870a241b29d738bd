import Foundation
import Testing

@testable import pages

/// The program walks a table of 10,000 rows on a Datasette, given nothing but a URL.
@Suite(.enabled(if: Datasette.isInstalled, "Datasette is not installed"), .serialized, .timeLimit(.minutes(10)))
struct DatasetteWalkTests {
  private func url(_ server: Datasette, size: Int) -> String { server.table + "?_shape=objects&_size=\(size)" }

  @Test func everyRowComesExactlyOnceForEachPageSize() async throws {
    let server = try await Datasette()
    let rows = try await server.rows()
    #expect(rows.count >= 10_000)
    for size in [7, 100, 1000] {
      let run = try await Tool.run(["walk", url(server, size: size)])
      #expect(run.status == 0)
      #expect(run.lines == rows, "page size \(size)")
      #expect(run.errors.isEmpty)
    }
    let single = try await Tool.run(["walk", url(server, size: 1), "--max-items", "300"])
    #expect(single.status == 0)
    #expect(single.lines == Array(rows.prefix(300)))
  }

  @Test func theNextURLInTheBodyAndTheHeaderAloneDoAsWell() async throws {
    let server = try await Datasette()
    let rows = try await server.rows()
    let body = try await Tool.run(["walk", url(server, size: 900), "--convention", "next-url"])
    #expect(body.lines == rows)
    let array = try await Tool.run(["walk", server.table + "?_shape=array&_size=900"])
    #expect(array.lines == rows)
    let cursor = try await Tool.run(["walk", url(server, size: 900), "--convention", "cursor", "--param", "_next"])
    #expect(cursor.lines == rows)
  }

  @Test func aSizeAboveTheCapGivesTheServersRefusal() async throws {
    let server = try await Datasette()
    let run = try await Tool.run(["walk", url(server, size: 1001)])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("400"))
    #expect(run.errors.contains("/machine/lines.json"))
    #expect(run.errors.contains("_size must be <= 1000"))
  }

  @Test func aServerThatDiesHalfWayLosesNothing() async throws {
    let server = try await Datasette()
    let rows = try await server.rows()
    let first = try await Tool.run(["walk", url(server, size: 100)]) { _, lines in
      if lines >= 5000 { server.end() }
    }
    #expect(first.status == 1)
    #expect(first.lines.count >= 5000)
    #expect(first.lines.count < rows.count)
    #expect(first.lines == Array(rows.prefix(first.lines.count)))
    let line = try #require(first.offeredLine)
    let again = try await Datasette(port: server.port)
    let second = try await Tool.shell(line)
    #expect(second.status == 0)
    #expect(first.lines + second.lines == rows)
    again.end()
  }
}

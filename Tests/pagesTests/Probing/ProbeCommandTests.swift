import Foundation
import PagingHTTP
import Testing

@testable import pages

@Suite(.timeLimit(.minutes(10))) struct ProbeCommandTests {
  private static let rows = ServedRows(count: 900) { "{\"id\": \($0 + 1), \"title\": \"Row \($0 + 1)\"}" }

  @Test func helpFitsAScreenAndSaysHowManyRequests() async throws {
    let run = try await Tool.run(["probe", "--help"])
    #expect(run.status == 0)
    #expect(run.lines.count <= 24)
    #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.lines.filter { $0.count > 80 })")
    #expect(run.output.contains("at most \(ProbeCommand.maxRequests)"))
    #expect(run.output.contains("$PAGES_ROW"))
  }

  @Test func theReportFitsItsColumnsAndEndsWithWhatToUse() async throws {
    let server = try ListServer(Self.rows, cap: 100)
    let run = try await Tool.run(["probe", server.url("/offset"), "--convention", "offset", "--pace", "0"])
    #expect(run.status == 0)
    #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.lines.filter { $0.count > 80 })")
    let end = try #require(run.output.range(of: "\nWhat to use\n"))
    #expect(run.output[end.upperBound...].contains(".offset(\"offset\""))
    #expect(run.output.contains("Style: offset and limit (speculative)"))
  }

  @Test func requestsAreCountedAndPaced() async throws {
    let server = try ListServer(Self.rows, cap: 100)
    let clock = ContinuousClock()
    let start = clock.now
    let run = try await Tool.run(["probe", server.url("/cursor"), "--json", "--pace", "30"])
    let json = try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8))
    #expect(json["requests"]?.integer == server.requestCount)
    #expect(server.requestCount <= 35)
    #expect(clock.now - start >= .milliseconds(30 * (server.requestCount - 1)))
  }

  @Test func aServersWordsSteerNoTerminal() async throws {
    let server = try LoopbackServer { _ in
      .json("{\"items\": [{\"id\": 1}], \"next_cursor\": \"a\\u001b[31mb\", \"total\": \"9\\u001b[2J+\"}")
    }
    let run = try await Tool.run(["probe", server.url("/"), "--pace", "0"])
    #expect(run.status == 0)
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test func totalsAndPagesBeyondAnyListTrapNothing() async throws {
    let server = try LoopbackServer { request in
      // A list that goes on to the last page that a number can tell.
      let page = request.number("page") ?? 1
      let rows = page < Int.max ? "[{\"id\": \(page)}, {\"id\": \"b\(page)\"}]" : "[]"
      return .json("{\"items\": \(rows), \"page\": \(page), \"total\": \(Int.max)}")
    }
    for page in [Int.max - 1, Int.max - 2, 1] {
      let run = try await Tool.run(["probe", server.url("/?page=\(page)"), "--convention", "page", "--pace", "0"])
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test(arguments: [
    (["--delete-cmd", "true"], "--insert-cmd"), (["--worksheet", "lists.txt"], ".md"),
    (["--pages", "99"], "from 1 to 20"),
    (["--insert-cmd", "echo 1", "--delete-cmd", "true"], "--yes"),
  ])
  func badUsageNamesALineThatWorks(_ words: [String], _ said: String) async throws {
    let run = try await Tool.run(["probe", "http://127.0.0.1:9/x"] + words)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains(said) && run.errors.contains("This would work:"))
  }

  @Test func headersAreSentAndNotShown() async throws {
    let server = try LoopbackServer { request in
      request.headers["x-key"] == "secret"
        ? .json("{\"items\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]}") : .refusal(401, "no key")
    }
    let run = try await Tool.run(["probe", server.url("/"), "--header", "X-Key: secret", "--pace", "0", "--json"])
    #expect(run.status == 0)
    #expect(!run.output.contains("secret") && !run.errors.contains("secret"))
  }

  @Test func aServerThatIsNotThereIsTold() async throws {
    let server = try ListServer(Self.rows)
    let url = server.url("/cursor")
    server.stop()
    let run = try await Tool.run(["probe", url, "--pace", "0"])
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.contains("pages: "))
  }

  @Test func anInterruptEndsIt() async throws {
    let hasEnded = DispatchSemaphore(value: 0)
    let mark = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: mark) }
    let server = try LoopbackServer { _ in
      _ = FileManager.default.createFile(atPath: mark, contents: nil)
      hasEnded.wait()
      return .json("[]")
    }
    let path = try Tool.path
    let run = try await Tool.shell(
      "\(shellQuoted(path)) probe \(server.url("/")) & child=$!; while [ ! -e \(mark) ]; do sleep 0.05; done; "
        + "kill -INT $child; wait $child; echo $?")
    hasEnded.signal()
    hasEnded.signal()
    #expect(run.lines == ["130"])
  }
}

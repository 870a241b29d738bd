import Foundation
import Testing

@testable import pages

/// What `--output FILE` costs the file that is there, and what is said of how to go on.
@Suite(.timeLimit(.minutes(10))) struct WalkOutputTests {
  private func inFolder(_ body: (_ file: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("out-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path + "/rows.ndjson")
  }

  private func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  private func write(_ text: String, _ file: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }

  @Test(arguments: [
    ServedReply.refusal(500, "out of order"), .json("<p>Sign in"), .json("{\"a\": [{}], \"b\": [{}]}"),
    .json("[{\"id\": 1}, {\"id\":"),
  ]) func aWalkThatCannotBeginLeavesTheFileAsItWas(_ reply: ServedReply) async throws {
    try await inFolder { file in
      let server = try LoopbackServer { _ in reply }
      try write("mine\n", file)
      try write("{\"of\": \"an earlier walk\"}", file + ".resume")
      for words in [[], ["--from", server.url("/rows?page=2")]] {
        let run = try await Tool.run(["walk", server.url("/rows"), "--output", file] + words)
        #expect(run.status == 1)
        #expect(try text(file) == "mine\n")
        #expect(try text(file + ".resume") == "{\"of\": \"an earlier walk\"}")
      }
    }
  }

  @Test func aServerThatIsDownLeavesTheFileAsItWas() async throws {
    try await inFolder { file in
      let server = try LoopbackServer { _ in .json("[]") }
      let url = server.url("/rows")
      server.stop()
      try write("mine\n", file)
      #expect(try await Tool.run(["walk", url, "--output", file]).status == 1)
      #expect(try text(file) == "mine\n")
    }
  }

  @Test func theFirstGoodPageEmptiesItThoughItHasNoRows() async throws {
    try await inFolder { file in
      let list = try LoopbackServer { request in
        .json(request.path == "/empty" ? "[]" : "[{\"id\": 1}]")
      }
      for (path, rows) in [("/rows", "{\"id\":1}\n"), ("/empty", "")] {
        try write("mine, and much longer than what comes\n", file)
        let run = try await Tool.run(["walk", list.url(path), "--output", file])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try text(file) == rows)
        #expect(!FileManager.default.fileExists(atPath: file + ".resume"))
      }
    }
  }

  @Test func theStateBesideItIsItsOwnersOnly() async throws {
    try await inFolder { file in
      let server = try LoopbackServer { request in
        .json("{\"items\": [{\"id\": \(request.number("p") ?? 0)}], \"next\": \"/?p=1&token=secret\"}")
      }
      let run = try await Tool.run(["walk", server.url("/"), "--output", file, "--max-pages", "1"])
      #expect(run.status == 0, "\(run.errors)")
      let attributes = try FileManager.default.attributesOfItem(atPath: file + ".resume")
      #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
    }
  }

  @Test func anInterruptBeforeTheFirstPageOffersTheLineItself() async throws {
    try await inFolder { file in
      let hasEnded = DispatchSemaphore(value: 0)
      let mark = file + ".asked"
      let server = try LoopbackServer { _ in
        _ = FileManager.default.createFile(atPath: mark, contents: nil)
        hasEnded.wait()
        return .json("[]")
      }
      try write("mine\n", file)
      let run = try await Tool.shell(
        "\(shellQuoted(try Tool.path)) walk \(server.url("/")) --output \(file) & child=$!; "
          + "while [ ! -e \(mark) ]; do sleep 0.05; done; kill -INT $child; wait $child; echo $?")
      hasEnded.signal()
      hasEnded.signal()
      #expect(run.lines == ["130"])
      #expect(try text(file) == "mine\n")
      // With --resume it would be refused, since the file is of no walk.
      #expect(run.offeredLine == "pages walk \(server.url("/")) --output \(file)", "\(run.errors)")
    }
  }

  @Test func aCursorThatSteersATerminalIsShownAsTextAndLeadsOn() async throws {
    let cursor = "\u{1B}]0;owned\u{07}'\u{202E}"
    let server = try LoopbackServer { request in
      switch request.query["cursor"] {
      case nil: .json("{\"items\": [{\"id\": 1}], \"next_cursor\": \(jsonString(cursor))}")
      case cursor where request.headers["x-good"] != nil: .json("{\"items\": [{\"id\": 2}], \"next_cursor\": null}")
      default: .refusal(500, "out of order")
      }
    }
    let words = ["walk", server.url("/"), "--convention", "cursor"]
    let first = try await Tool.run(words)
    #expect(first.status == 1 && first.lines == ["{\"id\":1}"])
    #expect(!first.errors.unicodeScalars.contains { steersTerminal($0) && $0 != "\n" }, "\(first.errors)")
    let line = try #require(first.offeredLine).dropFirst(5)
    let rest = try await Tool.run(
      "/bin/bash", ["-c", shellQuoted(try Tool.path) + line + " --header 'X-Good: 1'"])
    #expect(rest.status == 0 && rest.lines == ["{\"id\":2}"], "\(rest.errors)")
  }
}

import Foundation
import TestSupport
import Testing

@testable import pages

/// A real terminal, a real server, and keys: what a reader sees.
@Suite(.enabled(if: Tmux.isInstalled, "tmux is not installed"), .serialized, .timeLimit(.minutes(10)))
struct BrowseTerminalTests {
  /// The sizes that everything has to work at.
  static let sizes = [[80, 24], [200, 60]]

  /// A terminal in which `pages` is the program, and a folder for what it writes.
  private func terminal(
    _ size: [Int] = [80, 24], _ body: (Tmux, URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("browse-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bin = URL(fileURLWithPath: try Tool.path).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let tmux = try await Tmux(
      columns: size[0], lines: size[1],
      environment: ["PATH": bin + ":" + path, "XDG_CACHE_HOME": folder.path, "F": folder.path])
    try await body(tmux, folder)
  }

  /// Runs a line in the shell, reads on screen what `body` does, leaves with `q`, and checks that the terminal is as it was.
  private func browsing(
    _ line: String, in tmux: Tmux, leaving: (Tmux) async throws -> Void = { try await $0.press("q") },
    status: Int = 0, _ body: (Tmux) async throws -> Void
  ) async throws {
    try await tmux.run("clear; stty -a >$F/before; seq 5; echo ready")
    let before = try await tmux.wait("a clear screen") { $0.first == "1" && $0[5] == "ready" && $0[6] == "$" }.prefix(6)
    try await tmux.run("\(line); echo left $?; stty -a >$F/after; cmp $F/before $F/after && echo same modes")
    try await body(tmux)
    try await leaving(tmux)
    let after = try await tmux.wait("the shell") { $0.contains("same modes") }
    #expect(Array(after.prefix(before.count)) == Array(before))
    #expect(after.contains("left \(status)"))
  }

  private func file(_ count: Int, in folder: URL) throws {
    let rows = (1...count).map { "{\"id\":\($0),\"title\":\"Row \($0)\",\"text\":\"text of \($0)\"}\n" }.joined()
    try rows.write(to: folder.appendingPathComponent("rows.ndjson"), atomically: true, encoding: .utf8)
  }

  @Test(arguments: sizes) func scrollFlingJumpAndResize(_ size: [Int]) async throws {
    try await terminal(size) { tmux, folder in
      try file(20_000, in: folder)
      try await browsing("pages browse $F/rows.ndjson", in: tmux) { tmux in
        let lines = try await tmux.wait(for: "of 20,000")
        #expect(lines[0] == " Row 1 · 1 · text of 1")
        #expect(lines[size[1] - 2] == " Row \(size[1] - 1) · \(size[1] - 1) · text of \(size[1] - 1)")
        try await tmux.press("j", "j", "Down", "k")
        // A fling: many keys at once.
        for _ in 0..<4 { try await tmux.type(String(repeating: " ", count: 10)) }
        let row = 40 * (size[1] - 1) + 1
        try await tmux.wait(for: " Row \(row) · ")
        try await tmux.press("G")
        try await tmux.wait(for: "— the end —")
        try await tmux.wait(for: " Row 20000 · ")
        try await tmux.type(":12,345")
        try await tmux.wait { $0.last == " :12,345▏" }
        try await tmux.press("Enter")
        try await tmux.wait { $0.first == " Row 12345 · 12345 · text of 12345" }
        // The row under the cursor stays, whatever the size.
        try await tmux.press("j", "j", "j")
        for (columns, lines) in [(60, 12), (30, 3), (200, 60), (size[0], size[1])] {
          try await tmux.resize(columns: columns, lines: lines)
          try await tmux.wait { screen in
            screen.count == lines && screen.last?.contains("rows.ndjson") == true
              && screen.contains { $0.hasPrefix(" Row 12348 · ") }
          }
        }
        try await tmux.type("/of 17777")
        try await tmux.press("Enter")
        try await tmux.wait { $0.first == " Row 17777 · 17777 · text of 17777" }
        try await tmux.type(":99999")
        try await tmux.press("Enter")
        try await tmux.wait(for: "there is no row 99,999: the list has 20,000.")
        try await tmux.press("g")
        try await tmux.wait { $0.first == " Row 1 · 1 · text of 1" }
      }
    }
  }

  @Test(arguments: sizes) func whatFailsIsTriedAgainAtEitherEnd(_ size: [Int]) async throws {
    let feed = try BrowseFeed(newest: 500)
    try await terminal(size) { tmux, _ in
      try await browsing("pages browse '\(feed.url(limit: 100))'", in: tmux) { tmux in
        try await tmux.wait { $0.first == " Row 500 · 500 · text of 500" }
        feed.fails = true
        try await tmux.press("G")
        try await tmux.wait(for: "failed (R tries again): ")
        try await tmux.wait(for: "out of order")
        feed.fails = false
        try await tmux.press("R")
        try await tmux.wait { !$0.contains { $0.contains("failed") } }
        try await tmux.press("j", "j", "j")
        // So many rows were there before, by the height of the screen.
        let next = size[1] > 40 ? 300 : 400
        try await tmux.wait(for: " Row \(next) · ")
        // At the top the row above the first one says so.
        feed.fails = true
        try await tmux.press("g", "r")
        try await tmux.wait { $0.first?.hasPrefix(" the refresh failed (R tries again): ") == true }
        feed.fails = false
        try await tmux.press("Enter")
        try await tmux.wait { $0.first == " Row 500 · 500 · text of 500" }
        // A pull at the top loads anew.
        feed.grow(to: 503)
        try await tmux.press("Up")
        try await tmux.wait { $0.first == " Row 503 · 503 · text of 503" }
      }
    }
  }

  @Test(arguments: sizes) func aGapIsFilledFromAboveAndFromBelow(_ size: [Int]) async throws {
    let feed = try BrowseFeed(newest: 100)
    try await terminal(size) { tmux, _ in
      try await browsing("pages browse '\(feed.url())' --into $F/lists.db", in: tmux) { tmux in
        try await tmux.wait { $0.first == " Row 100 · 100 · text of 100" }
      }
      feed.grow(to: 200)
      try await browsing("pages browse '\(feed.url())' --into $F/lists.db", in: tmux) { tmux in
        // Yesterday's rows first; what is new waits, and nothing moves.
        let lines = try await tmux.wait { $0.first?.contains("new rows (n shows them)") == true }
        #expect(lines[1] == " Row 100 · 100 · text of 100")
        try await tmux.press("n")
        try await tmux.wait { $0.first == " Row 200 · 200 · text of 200" }
        try await tmux.type("/of 181")
        try await tmux.press("Enter", "j")
        let gap = "┄┄ rows are missing here ([ fills from above, ] from below) ┄┄"
        // On a high screen the gap was there before the reader went to it.
        let found = try await tmux.wait { $0[0].hasPrefix(" Row 181 ") && $0[1].contains(gap) }
        // From below: the row below the gap stays where it is.
        #expect(found[2].hasPrefix(" Row 100 "))
        try await tmux.press("]")
        try await tmux.wait { $0[2].hasPrefix(" Row 100 ") && $0[1].hasPrefix(" Row 101 ") }
        try await tmux.type("/of 181")
        try await tmux.press("Enter")
        try await tmux.wait { $0[0].hasPrefix(" Row 181 ") && $0[1].contains(gap) }
        try await tmux.press("j")
        try await tmux.press("[")
        // From above: the row above it does.
        try await tmux.wait { $0[0].hasPrefix(" Row 181 ") && $0[1].hasPrefix(" Row 180 ") }
      }
    }
  }

  @Test(arguments: sizes) func picturesAreDrawnInTheCells(_ size: [Int]) async throws {
    let feed = try BrowseFeed(newest: 2000, hasPictures: true)
    try await terminal(size) { tmux, _ in
      try await browsing("pages browse '\(feed.url(limit: 100))'", in: tmux) { tmux in
        try await tmux.wait { lines in
          let rows = lines.dropLast()
          return rows.first?.contains("Row 2000") == true && !rows.contains { $0.contains("░") }
        }
        #expect(try await tmux.colors().contains("[48;5;"))
        let height = size[1] >= 40 ? 4 : 3
        let screen = try await tmux.screen()
        #expect(screen[height].contains("  Row 1999"))
        #expect(screen[2 * height].contains("  Row 1998"))
        // Rows that fly by are not all loaded.
        let before = feed.pictureRequests
        for _ in 0..<5 { try await tmux.type(String(repeating: " ", count: 8)) }
        try await tmux.wait { $0.first?.contains("Row 2000") == false && !$0.contains { $0.contains("░") } }
        #expect(feed.pictureRequests - before < 40 * (size[1] / height))
        try await tmux.press("g")
        let again = try await tmux.wait { $0.first?.contains("Row 2000") == true }
        #expect(!again.contains { $0.contains("░") })
      }
      try await browsing("pages browse '\(feed.url(limit: 100))' --no-images", in: tmux) { tmux in
        try await tmux.wait { $0.first?.hasPrefix(" Row 2000 · 2000 · text of 2000") == true }
      }
    }
  }

  @Test(arguments: sizes) func wideCombiningAndRightToLeftTextKeepsItsColumns(_ size: [Int]) async throws {
    try await terminal(size) { tmux, folder in
      let rows = (0..<60).map { number in
        let title = String(repeating: BrowseFeed.titles[number % 10] + " ", count: 1 + number / 10 * 3)
        return "{\"title\":\"\(title)\",\"id\":\(number)}"
      }
      try (rows.joined(separator: "\n")).write(
        to: folder.appendingPathComponent("rows.ndjson"), atomically: true, encoding: .utf8)
      // Where the terminal gave a character other columns than was thought, the lines would not be those.
      let expected = rows.prefix(size[1] - 1).map {
        " " + TextCells(RowFace(Array($0.utf8)).text, limit: size[0] - 1).text.trimmingEnd
      }
      try await browsing("pages browse $F/rows.ndjson", in: tmux) { tmux in
        let lines = try await tmux.wait(for: "of 60")
        #expect(lines.dropLast().map(\.withoutIsolates) == Array(expected))
        // Over the whole screen and back, with the cursor on every line.
        try await tmux.type(String(repeating: "j", count: 70) + String(repeating: "k", count: 69))
        try await tmux.wait { $0.dropLast().map(\.withoutIsolates) == Array(expected) }
        try await tmux.resize(columns: 41, lines: size[1])
        let narrow = rows.prefix(size[1] - 1).map {
          " " + TextCells(RowFace(Array($0.utf8)).text, limit: 40).text.trimmingEnd
        }
        try await tmux.wait { $0.dropLast().map(\.withoutIsolates) == Array(narrow) }
        // The size is among what the terminal is to have kept.
        try await tmux.resize(columns: size[0], lines: size[1])
        try await tmux.wait { $0.dropLast().map(\.withoutIsolates) == Array(expected) }
      }
    }
  }

  @Test func anyEndLeavesTheTerminalAsItWas() async throws {
    let feed = try BrowseFeed(newest: 100)
    try await terminal { tmux, folder in
      try file(50, in: folder)
      let line = "pages browse $F/rows.ndjson"
      try await browsing(line, in: tmux, leaving: { try await $0.press("C-c") }, status: 130) {
        try await $0.wait(for: "Row 1 ")
      }
      try await browsing(
        "sh -c 'echo $$ >$F/pid; exec \(line)'", in: tmux,
        leaving: { _ in
          let text = try String(contentsOf: folder.appendingPathComponent("pid"), encoding: .utf8)
          kill(try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))), SIGTERM)
        }, status: 130
      ) { try await $0.wait(for: "Row 1 ") }
      feed.fails = true
      try await browsing("pages browse '\(feed.url())'", in: tmux) { try await $0.wait(for: "failed (R tries again)") }
    }
  }

  @Test func aStoreOpensOfflineWhereItWasLeft() async throws {
    let feed = try BrowseFeed(newest: 300)
    try await terminal { tmux, _ in
      let online = "pages browse '\(feed.url(limit: 100))' --into $F/lists.db"
      try await browsing(online, in: tmux) { tmux in
        try await tmux.wait { $0.first == " Row 300 · 300 · text of 300" }
        for page in 1...4 {
          try await tmux.type(" ")
          try await tmux.wait { $0.first?.hasPrefix(" Row \(300 - 23 * page) ") == true }
        }
      }
      feed.fails = true
      // By itself, and with a server that is out of order.
      try await browsing("pages browse $F/lists.db", in: tmux) { tmux in
        try await tmux.wait { $0.first?.hasPrefix(" Row 208 ") == true }
        try await tmux.press("j", "j", "k")
      }
      try await browsing(online, in: tmux) { tmux in
        try await tmux.wait { $0.first?.hasPrefix(" Row 208 ") == true && $0.last?.contains("failed") == true }
        feed.fails = false
        try await tmux.press("R")
        try await tmux.wait { $0.last?.contains("failed") == false && $0.first?.hasPrefix(" Row 208 ") == true }
        // A number leads to that row of the list, an ID or text to theirs.
        try await tmux.type(":20")
        try await tmux.press("Enter")
        try await tmux.wait { $0.first?.hasPrefix(" Row 281 ") == true }
        try await tmux.type("/250")
        try await tmux.press("Enter")
        try await tmux.wait { $0.first?.hasPrefix(" Row 250 ") == true }
        try await tmux.type("/no such row")
        try await tmux.press("Enter")
        try await tmux.wait(for: "“no such row” is in none of the")
      }
    }
  }

  @Test func theDemoShowsPicturesAndScrolls() async throws {
    try await terminal { tmux, _ in
      try await browsing("pages demo", in: tmux) { tmux in
        try await tmux.wait { lines in
          lines.last?.hasPrefix(" demo ") == true && lines.contains { $0.contains("▃") || $0.contains("▅") }
        }
        for _ in 0..<5 { try await tmux.type("   ") }
        try await tmux.wait { !$0.contains { $0.contains("░") } && $0.last?.contains("loaded") == true }
      }
    }
  }
}

extension Tmux {
  @discardableResult
  fileprivate func wait(until isSo: ([String]) -> Bool) async throws -> [String] {
    try await wait("what was waited for", until: isSo)
  }
}

extension String {
  /// Without the marks that keep text from right to left to itself.
  fileprivate var withoutIsolates: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { !(0x2066...0x2069).contains($0.value) }))
  }

  fileprivate var trimmingEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}

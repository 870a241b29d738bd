import Foundation
import Testing

@testable import pages

/// Manual pages, completions and their installation: made of the commands' tables, and fit for what reads them.
@Suite(.timeLimit(.minutes(10))) struct ManualTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private func has(_ program: String) async throws -> Bool {
    try await Tool.shell("command -v \(program) >/dev/null").status == 0
  }

  /// Runs a shell line with `text` in a file, whose path stands for `FILE`.
  private func shell(_ line: String, with text: String) async throws -> ToolRun {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: file))
    return try await Tool.shell(line.replacing("FILE", with: file))
  }

  @Test func eachCommandHasAPageWithAllItsOptions() async throws {
    for table in Commands.all.map(\.table) {
      let page = Manual.command(table)
      for option in table.allOptions {
        #expect(page.contains("\\fB\\-\\-" + option.name.replacing("-", with: "\\-") + "\\fR"), "\(table.name)")
      }
      #expect(Manual.program(Commands.all).contains("pages\\-\(table.name)"))
      let run = try await Tool.run(["help", "--man", table.name])
      #expect(run.status == 0 && run.output == page + "\n")
      #expect(try await Tool.run(["help", table.name]).output == table.help + "\n")
    }
    #expect(try await Tool.run(["help"]).output == Commands.help + "\n")
    #expect(try await Tool.run(["help", "nothing"]).status == 2)
  }

  @Test func groffReadsThePages() async throws {
    guard try await has("groff") else { return }
    for page in [Manual.program(Commands.all)] + Commands.all.map({ Manual.command($0.table) }) {
      let run = try await shell("groff -ww -z -man -Tutf8 FILE", with: page)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      let shown = try await shell("groff -man -Tascii -P-cbou FILE", with: page)
      #expect(shown.output.contains("EXIT STATUS"))
    }
    let walk = try await shell("groff -man -Tascii -P-cbou FILE", with: Manual.command(WalkCommand.table))
    // The header's value stands as it is to be typed, quotes and all.
    #expect(walk.output.contains("--header 'N: V'"), "\(walk.output)")
  }

  @Test(arguments: Completions.Shell.allCases)
  func completionsKnowEachCommandAndOption(shell: Completions.Shell) async throws {
    let run = try await Tool.run(["completions", shell.rawValue])
    #expect(run.status == 0 && run.output == Completions.script(for: shell, Commands.all) + "\n")
    for table in Commands.all.map(\.table) {
      #expect(run.output.contains(table.name))
      for option in table.allOptions {
        #expect(run.output.contains((shell == .fish ? "-l " : "--") + option.name), "\(table.name) --\(option.name)")
      }
    }
    guard try await has(shell.rawValue) else { return }
    let checked = try await self.shell("\(shell.rawValue) -n FILE", with: run.output)
    #expect(checked.status == 0 && checked.errors.isEmpty, "\(checked.errors)")
  }

  @Test func bashCompletesCommandsOptionsAndFiles() async throws {
    let script = Completions.script(for: .bash, Commands.all)
    func complete(_ words: String, _ count: Int) async throws -> [String] {
      let line = "bash -c 'cd \(Self.root); source FILE; COMP_WORDS=(\(words)); COMP_CWORD=\(count); _pages; "
      return try await shell(line + "printf \"%s\\n\" \"${COMPREPLY[@]}\"'", with: script).lines
    }
    #expect(try await complete("pages wa", 1) == ["walk"])
    #expect(Set(try await complete("pages \"\"", 1)) == Set(Commands.all.map(\.table.name) + ["help"]))
    #expect(try await complete("pages walk --max", 2) == ["--max-items", "--max-pages"])
    #expect(try await complete("pages walk --output Pack", 3) == ["Package.swift"])
    #expect(try await complete("pages walk --convention \"\"", 3) == [])
  }

  @Test func anotherShellIsRefused() async throws {
    let run = try await Tool.run(["completions", "csh"])
    #expect(run.status == 2 && run.errors.contains("pages completions bash"))
  }

  @Test func anInstallCanBeTakenAwayAgain() async throws {
    let prefix = FileManager.default.temporaryDirectory.appendingPathComponent("prefix-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: prefix) }
    try FileManager.default.createDirectory(atPath: prefix + "/share/man/man1", withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: prefix + "/share/man/man1/other.1", contents: Data())
    let install = Self.root + "/Scripts/install"
    let run = try await Tool.run("/bin/bash", [install, "--binary", try Tool.path, "--prefix", prefix])
    #expect(run.status == 0 && run.errors.contains("not on your PATH"), "\(run.errors)")
    let help = try await Tool.run(prefix + "/bin/pages", ["--help"])
    #expect(help.output == Commands.help + "\n")
    var files = [
      "bin/pages", "share/man/man1/pages.1", "share/bash-completion/completions/pages",
      "share/zsh/site-functions/_pages",
      "share/fish/vendor_completions.d/pages.fish",
    ]
    files += Commands.all.map { "share/man/man1/pages-\($0.table.name).1" }
    for file in files {
      #expect(((FileManager.default.contents(atPath: prefix + "/" + file)?.count) ?? 0) > 100, "\(file)")
    }
    let removed = try await Tool.run("/bin/bash", [install, "--uninstall", "--prefix", prefix])
    #expect(removed.status == 0)
    for file in files { #expect(!FileManager.default.fileExists(atPath: prefix + "/" + file), "\(file)") }
    #expect(FileManager.default.fileExists(atPath: prefix + "/share/man/man1/other.1"))
    #expect(try await Tool.run("/bin/bash", [install, "--nonsense"]).status == 1)
  }
}

import Foundation

/// A terminal that nobody looks at, with a shell in it: a server of tmux of its own, gone with this object.
final class Tmux: Sendable {
  /// Something that was waited for did not come in a generous time.
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// Whether tmux is installed.
  static var isInstalled: Bool { path != nil }

  private static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { $0 + "/tmux" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  private let name = "pages-tests-" + UUID().uuidString
  private let program: String

  /// A terminal of that size, whose shell shows `$ ` and is ready.
  init(columns: Int = 80, lines: Int = 24, environment: [String: String] = [:]) async throws {
    guard let path = Self.path else { throw CocoaError(.executableNotLoadable) }
    program = path
    let settings = environment.map { "\($0)=\(shellQuotedForTests($1))" }.joined(separator: " ")
    try await tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", String(lines),
      "env \(settings) LC_ALL=C.UTF-8 TERM=screen-256color PS1='$ ' ENV= /bin/sh",
    ])
    try await wait("a shell") { $0.first == "$" }
  }

  deinit {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-L", name, "kill-server"]
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }

  /// The lines on screen, without the spaces at their ends; all that there are.
  func screen() async throws -> [String] {
    try await tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The screen with its colours, as escapes.
  func colors() async throws -> String { try await tmux(["capture-pane", "-p", "-e"]) }

  /// Presses keys, by tmux's names.
  func press(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

  /// Types text as it is.
  func type(_ text: String) async throws { try await tmux(["send-keys", "-l", text]) }

  /// Runs a line in the shell.
  func run(_ line: String) async throws {
    try await type(line)
    try await press("Enter")
  }

  /// Gives the terminal another size.
  func resize(columns: Int, lines: Int) async throws {
    try await tmux(["resize-window", "-x", String(columns), "-y", String(lines)])
  }

  /// Waits until the screen is as it should be; then it is returned.
  @discardableResult
  func wait(_ what: String, until isSo: ([String]) -> Bool) async throws -> [String] {
    let end = ContinuousClock.now + .seconds(90)
    while true {
      let lines = try await screen()
      if isSo(lines) { return lines }
      if ContinuousClock.now > end {
        throw Missing(description: "\(what) did not come; the screen:\n" + lines.joined(separator: "\n"))
      }
      try await Task.sleep(for: .milliseconds(40))
    }
  }

  /// Waits until a line has that text in it.
  @discardableResult
  func wait(for text: String) async throws -> [String] {
    try await wait("“\(text)”") { $0.contains { $0.contains(text) } }
  }

  @discardableResult
  private func tmux(_ words: [String]) async throws -> String {
    let run = try await Tool.run(program, ["-L", name] + words)
    guard run.status == 0 else { throw Missing(description: "tmux \(words): \(run.errors)") }
    return run.output
  }
}

private func shellQuotedForTests(_ word: String) -> String {
  "'" + word.replacing("'", with: "'\\''") + "'"
}

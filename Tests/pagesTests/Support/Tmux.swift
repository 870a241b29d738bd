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
    try Self.launch(
      path,
      [
        "-L", name, "-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", String(lines),
        "env \(settings) LC_ALL=C.UTF-8 TERM=screen-256color PS1='$ ' ENV= /bin/sh",
      ])
    try await wait("a shell") { $0.first == "$" }
  }

  deinit { try? Self.launch(program, ["-L", name, "kill-server"]) }

  /// Runs tmux and waits for it. Foundation waits for whoever has inherited its files, so for a server it would wait for ever.
  private static func launch(_ program: String, _ words: [String]) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // What other tests have open meanwhile: the server would keep the ends of their pipes, which they read to the end, for
    // as long as it runs.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      guard let descriptor = Int32(name), descriptor > 2 else { continue }
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    // A thread of the tests may hold signals back, which the terminal's programs would inherit.
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let copies = ([program] + words).map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var pid: pid_t = 0
    var status: Int32 = 0
    guard posix_spawn(&pid, program, &actions, &attributes, copies + [nil], environ) == 0,
      waitpid(pid, &status, 0) == pid,
      status == 0
    else { throw Missing(description: "tmux \(words) failed with \(status)") }
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
    let end = ContinuousClock.now + .seconds(Int(ProcessInfo.processInfo.environment["BROWSE_WAIT"] ?? "") ?? 90)
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

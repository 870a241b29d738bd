import Foundation

/// Runs a program to its end, its output thrown away, and tells its exit status and the most memory that it held.
///
/// Memory is in bytes, as the system counted it for this one process.
func peakMemory(of program: String, _ words: [String]) async throws -> (status: Int32, bytes: Int) {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        let unit = 1
      #else
        var actions = posix_spawn_file_actions_t()
        let unit = 1024
      #endif
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      defer { posix_spawn_file_actions_destroy(&actions) }
      var arguments = ([program] + words).map { strdup($0) } + [nil]
      defer { arguments.forEach { free($0) } }
      var pid: pid_t = 0
      let code = posix_spawn(&pid, program, &actions, nil, &arguments, environ)
      guard code == 0 else {
        return continuation.resume(throwing: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
      }
      var status: Int32 = 0
      var usage = rusage()
      while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
      continuation.resume(returning: (status, usage.ru_maxrss * unit))
    }
  }
}

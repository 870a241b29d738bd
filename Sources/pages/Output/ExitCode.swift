/// How the program ends.
enum ExitCode: Int32, Sendable {
  /// All done, or the reader went away.
  case done = 0
  /// A server, a file or a disk failed, or a list may not be whole; standard error says what, and where to resume.
  case otherSideFailed = 1
  /// The command line can't be followed; standard error says what would work.
  case badUsage = 2
  /// Interrupted by the user; standard error says how to go on.
  case interrupted = 130
}

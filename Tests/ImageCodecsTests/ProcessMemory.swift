#if canImport(Glibc)
  import Foundation

  /// What this process takes of memory, which is that of all tests that run in it: to be asked in a process of its own.
  enum ProcessMemory {
    /// How many bytes more than before the process holds at most while `body` runs.
    static func growth(during body: () throws -> Void) rethrows -> Int {
      forgetPeak()
      let before = peak
      try body()
      return peak - before
    }

    /// The most so far.
    private static var peak: Int {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
      return (line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0) << 10
    }

    /// Has the most be what there is now, so that nothing that went before hides what comes.
    private static func forgetPeak() {
      guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
      try? file.write(contentsOf: Data("5".utf8))
      try? file.close()
    }
  }
#endif

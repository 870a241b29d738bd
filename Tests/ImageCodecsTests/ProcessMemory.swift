#if canImport(Glibc)
  import Foundation

  /// What this process takes of memory, in bytes.
  enum ProcessMemory {
    /// Now.
    static var resident: Int { value("VmRSS") }
    /// The most so far.
    static var peak: Int { value("VmHWM") }

    private static func value(_ name: String) -> Int {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
      return (line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0) << 10
    }
  }
#endif

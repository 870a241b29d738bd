import Glibc

struct SystemError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = what + ": " + String(cString: strerror(errno)) }
}

enum Files {
  /// A file's bytes, without Foundation, whose own memory would be in the figures.
  static func bytes(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw SystemError(path) }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      filled = fread(buffer.baseAddress, 1, buffer.count, file)
    }
  }
}

enum Memory {
  /// The bytes that decoding needs at its peak beyond what the process held with the file in memory, plus the file.
  static func growth(decoding path: String, side: Int) throws -> Int {
    let bytes = try Files.bytes(path)
    let before = try status("VmRSS:")
    consume(try Ours.decode(bytes, side: side))
    return try status("VmHWM:") - before + bytes.count
  }

  /// The same in a process of its own, which nothing has grown before.
  static func ofChild(decoding path: String, side: Int) throws -> Int {
    let command = "/proc/self/exe"
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard readlink(command, &buffer, buffer.count - 1) > 0 else { throw SystemError(command) }
    let program = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let output = popen("'\(program)' decode '\(path)' \(side)", "r") else { throw SystemError(program) }
    defer { pclose(output) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, output) != nil else { throw SystemError(program) }
    return atol(line)
  }

  private static func status(_ field: String) throws -> Int {
    let text = String(decoding: try read("/proc/self/status"), as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }) else { throw SystemError(field) }
    return 1024 * (Int(line.split(whereSeparator: { $0 == "\t" || $0 == " " })[1]) ?? 0)
  }

  /// A file of the kernel's, whose size is not known before.
  private static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw SystemError(path) }
    defer { fclose(file) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      filled = fread(buffer.baseAddress, 1, buffer.count, file)
    }
  }
}

enum Times {
  /// Milliseconds of processor time of two that take turns, so that both meet the same machine: medians of nine.
  static func medians(_ ours: () -> Void, baseline: () -> Void) -> (ours: Double, baseline: Double) {
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for _ in 0..<2 {
      ours()
      baseline()
    }
    for _ in 0..<9 {
      times.ours.append(time(ours))
      times.baseline.append(time(baseline))
    }
    return (times.ours.sorted()[4], times.baseline.sorted()[4])
  }

  private static func time(_ body: () -> Void) -> Double {
    let start = processor()
    body()
    return processor() - start
  }
}

/// What the process has had of the processors, which others on the machine change less than the time on the wall.
private func processor() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

enum Text {
  static func milliseconds(_ value: Double) -> String { hundredths(value) + " ms" }
  static func mebibytes(_ value: Int) -> String { hundredths(Double(value) / 1_048_576) + " MiB" }

  static func hundredths(_ value: Double) -> String {
    let whole = Int((value * 100).rounded())
    return "\(whole / 100).\(whole % 100 < 10 ? "0" : "")\(whole % 100)"
  }
}

/// Keeps a result from being optimised away.
@inline(never) func consume<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

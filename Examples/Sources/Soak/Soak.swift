import Foundation

/// A list with pictures over a store over a server with faults, used at random for as long as one likes.
///
///     Soak [minutes] [seed]
///
/// All along it checks that no row is there twice, out of order, mixed up or silently missing, that likes outlive restarts and that no
/// row shows another row's picture; in the end, that what is stored is what the server has and that memory, descriptors and threads stayed
/// where they were after the warm-up. It exits with 1 and says what was found where something doesn't hold. The seed repeats what the
/// user and the server do, though not in which moments.
@main struct Soak {
  @MainActor static func main() async throws {
    let arguments = CommandLine.arguments
    let minutes = arguments.count > 1 ? Double(arguments[1]) : 20
    let seed = arguments.count > 2 ? UInt64(arguments[2]) : UInt64.random(in: 0..<1_000_000)
    guard let minutes, minutes > 0, let seed else {
      print("Usage: Soak [minutes] [seed]")
      exit(2)
    }
    print("seed \(seed), \(minutes) minutes")
    let folder = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let server = SoakServer(seed: seed &+ 1)
    let user = try SoakUser(server: server, folder: folder, seed: seed)
    let clock = ContinuousClock()
    let start = clock.now
    let end = start.advanced(by: .seconds(minutes * 60))
    // About 200 samples, whatever the length.
    let interval = Duration.seconds(max(0.25, minutes * 60 / 200))
    var (steps, nextSample) = (0, start)
    var record = UsageRecord()
    var planted = Planted(ProcessInfo.processInfo.environment["SOAK_PLANT"])
    while clock.now < end, user.broken.isEmpty {
      steps += 1
      try await user.step()
      planted.step(steps)
      try await Task.sleep(for: .milliseconds(4))
      if clock.now >= nextSample {
        record.add(Usage.now())
        nextSample = nextSample.advanced(by: interval)
      }
    }
    if user.broken.isEmpty { try await user.finish() }

    print("\(steps) steps, \(server.counts)")
    print(user.done.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    print(record.text)
    let wrong = user.broken.prefix(10) + record.grown()
    for line in wrong { print("WRONG: \(line)") }
    guard wrong.isEmpty else {
      print("To see it again: Scripts/soak \(minutes) \(seed)")
      try? FileManager.default.removeItem(at: folder)
      exit(1)
    }
    print("All of it held.")
  }
}

/// A leak that is there to be found: `SOAK_PLANT=memory`, `descriptors` or `threads`; `rows` is the server's.
struct Planted {
  private let what: String?
  private var kept: [[UInt8]] = []
  private var files: [FileHandle] = []

  init(_ what: String?) { self.what = what }

  mutating func step(_ number: Int) {
    switch what {
    case "memory": kept.append([UInt8](repeating: UInt8(number % 256), count: 8 << 10))
    case "descriptors" where number % 100 == 0:
      if let file = FileHandle(forReadingAtPath: "/dev/null") { files.append(file) }
    case "threads" where number % 100 == 0: Thread.detachNewThread { Thread.sleep(forTimeInterval: 3_600) }
    default: break
    }
  }
}

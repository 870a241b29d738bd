import Foundation
import Loading

/// A process of its own that works on a store, for tests that kill it, or run two of it, or need one without rights.
///
///     BlobWriter endless FOLDER SEED MAXBYTES       writes and reads until it is killed; tells what it does
///     BlobWriter share FOLDER SEED MAXBYTES COUNT   so many steps beside others; fails where bytes are wrong
///     BlobWriter unreadable FOLDER                  a store with files and folders that it has no right to
@main enum BlobWriter {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 2 else { exit(64) }
    let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
    let numbers = arguments.dropFirst(2).compactMap { UInt64($0) }
    switch (arguments[1], numbers.count) {
    case ("endless", 2): try endless(folder, seed: numbers[0], maxBytes: Int(numbers[1]))
    case ("share", 3): try share(folder, seed: numbers[0], maxBytes: Int(numbers[1]), count: Int(numbers[2]))
    case ("unreadable", 0): try Unreadable.run(folder)
    default: exit(64)
    }
  }

  /// Tells of each step before it (`w key number`, `r key`) and after it (`.`), unbuffered.
  private static func endless(_ folder: URL, seed: UInt64, maxBytes: Int) throws {
    var config = BlobStoreConfig(maxBytes: maxBytes)
    config.useTimeResolution = .zero
    let store = try BlobStore(at: folder, config: config)
    var generator = SeededGenerator(seed: seed)
    tell("open")
    while true {
      let key = Int.random(in: 0..<60, using: &generator)
      if Int.random(in: 0..<3, using: &generator) == 0 {
        tell("r \(key)")
        _ = try store.data(for: NumberedValue.key(key))
      } else {
        let number = generator.next()
        tell("w \(key) \(number)")
        try store.write(NumberedValue.bytes(key: key, number: number), for: NumberedValue.key(key))
      }
      tell(".")
    }
  }

  private static func share(_ folder: URL, seed: UInt64, maxBytes: Int, count: Int) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<count / 20 {
      // Opened again and again, so that each removes what it takes for left behind while the other writes.
      let store = try BlobStore(at: folder, config: BlobStoreConfig(maxBytes: maxBytes))
      for _ in 0..<20 {
        let key = Int.random(in: 0..<40, using: &generator)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<8:
          let number = generator.next()
          try store.write(NumberedValue.bytes(key: key, number: number), for: NumberedValue.key(key))
        // Keys from 20 on are never removed: once written they have to stay.
        case 8 where key < 20: try store.remove(NumberedValue.key(key))
        default:
          guard let data = try store.data(for: NumberedValue.key(key)) else { continue }
          guard NumberedValue.isWhole(data, key: key) else { exit(1) }
        }
      }
      guard store.damagedCount == 0 else { exit(2) }
    }
  }

  static func tell(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

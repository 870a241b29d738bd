package import Foundation
import Loading

/// A value that tells which it is: its number, then bytes that its number and its key make.
package enum NumberedValue {
  /// The value; of at least 8 and at most 8,000 bytes.
  package static func bytes(key: Int, number: UInt64) -> Data {
    var generator = SeededGenerator(seed: number &* 1_000_003 &+ UInt64(key))
    let count = Int(generator.next() % 1_000)
    var words = [number.littleEndian]
    for _ in 0..<count { words.append(generator.next().littleEndian) }
    return words.withUnsafeBytes { Data($0) }
  }

  /// Whether these are the bytes of some value of that key.
  package static func isWhole(_ data: Data, key: Int) -> Bool {
    guard data.count >= 8 else { return false }
    let number = data.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    return data == bytes(key: key, number: number)
  }

  /// The name of a key.
  package static func key(_ key: Int) -> String { "key \(key)" }
}

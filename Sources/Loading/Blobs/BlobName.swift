/// What a blob is called in its folder: 128 bits that are made of its key.
///
/// A store that opens a folder knows the names of its blobs and not their keys, which it would have to read; so an
/// ``EvictionPolicy`` for blobs speaks of names. Two keys may come to the same name by chance: the store compares the
/// keys.
public struct BlobName: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// The name of a key's blob: XXH64 of the key's UTF-8 bytes with the seeds 0 and 1. O(n) in the key's length.
  public init(of key: String) {
    var key = key
    (high, low) = key.withUTF8 { bytes in
      (
        XXHash64.hash(UnsafeRawBufferPointer(bytes), seed: 0),
        XXHash64.hash(UnsafeRawBufferPointer(bytes), seed: 1)
      )
    }
  }

  // MARK: - The file's name

  static let suffix = ".blob"
  /// The length of ``fileName`` in bytes.
  static let fileNameLength = 32 + suffix.utf8.count

  /// 32 hexadecimal digits and ``suffix``.
  package var fileName: String {
    String(unsafeUninitializedCapacity: Self.fileNameLength) { buffer in
      write(to: buffer)
      return Self.fileNameLength
    }
  }

  /// Writes ``fileName`` to a buffer that has room for it.
  func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
    for digit in 0..<16 {
      let shift = UInt64(60 &- 4 &* digit)
      buffer[digit] = Self.digit((high &>> shift) & 15)
      buffer[digit &+ 16] = Self.digit((low &>> shift) & 15)
    }
    var place = 32
    for byte in Self.suffix.utf8 {
      buffer[place] = byte
      place &+= 1
    }
  }

  private static func digit(_ value: UInt64) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: value)
    return value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
  }

  /// The name that a file's name stands for; nil where it is none of a blob.
  init?(fileName: UnsafeRawBufferPointer) {
    guard fileName.count == Self.fileNameLength, fileName.suffix(Self.suffix.utf8.count).elementsEqual(Self.suffix.utf8)
    else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    for place in 0..<16 {
      guard let high = Self.value(fileName[place]), let low = Self.value(fileName[place + 16]) else { return nil }
      words = (words.0 << 4 | high, words.1 << 4 | low)
    }
    (high, low) = words
  }

  private static func value(_ digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}

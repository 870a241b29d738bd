/// How a blob lies in its file.
///
/// A file holds one value and is never changed, only replaced. It is the value, the key, a tail of 32 bytes, and
/// nothing else; the value comes first, so that it can be read into the memory that is handed out. Numbers are
/// little-endian. The file of the value `hello` for the key `page 7`:
///
/// ```text
/// 00  68 65 6c 6c 6f             the value: "hello"
/// 05  70 61 67 65 20 37          the key, as UTF-8: "page 7"
/// 0b  05 00 00 00 00 00 00 00    the value's length in bytes: 5
/// 13  06 00 00 00 00 00 00 00    the key's length in bytes: 6
/// 1b  21 ae 23 21 88 e8 f1 39    the checksum
/// 23  53 57 42 4c 4f 42 0a 01    "SWBLOB", a line feed, and the version: 1
/// ```
///
/// The checksum is XXH64 of the value, seeded with XXH64 of the key, seeded with XXH64 of the 16 bytes of the lengths.
/// A file that is longer or shorter than its tail says is damaged, as is one that ends in other bytes than these or
/// whose checksum differs. The line feed tells of a transfer that changed line ends.
enum BlobFormat {
  /// The last eight bytes of every file, as a little-endian number.
  static let magic: UInt64 = 0x010a_424f_4c42_5753
  /// The tail's length in bytes.
  static let tailLength = 32

  /// The lengths and the checksum that a tail tells of.
  struct Tail: Equatable {
    let valueLength: Int
    let keyLength: Int
    let checksum: UInt64

    /// The tail at the end of `bytes`; nil where they end otherwise, or tell of another length than the file's.
    init?(_ bytes: UnsafeRawBufferPointer, fileLength: Int) {
      let start = bytes.count - tailLength
      guard start >= 0, fileLength >= tailLength, BlobFormat.word(bytes, start + 24) == magic,
        let valueLength = Int(exactly: BlobFormat.word(bytes, start)),
        let keyLength = Int(exactly: BlobFormat.word(bytes, start + 8)),
        keyLength <= fileLength - tailLength, valueLength == fileLength - tailLength - keyLength
      else { return nil }
      self.valueLength = valueLength
      self.keyLength = keyLength
      checksum = BlobFormat.word(bytes, start + 16)
    }
  }

  /// What a file measures that holds a key and a value of these lengths in bytes; nil beyond the largest number.
  static func fileLength(keyLength: Int, valueLength: Int) -> Int? {
    let (sum, overflows) = (tailLength + keyLength).addingReportingOverflow(valueLength)
    return overflows ? nil : sum
  }

  /// Everything behind the value.
  static func end(key: String, value: UnsafeRawBufferPointer) -> [UInt8] {
    var key = key
    return key.withUTF8 { key in
      var bytes = Array(key)
      let sum = checksum(key: UnsafeRawBufferPointer(key), value: value)
      for word in [UInt64(value.count), UInt64(key.count), sum, magic] {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
      }
      return bytes
    }
  }

  /// The checksum of a file of that key and value.
  static func checksum(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> UInt64 {
    let lengths = (UInt64(value.count).littleEndian, UInt64(key.count).littleEndian)
    let start = withUnsafeBytes(of: lengths) { XXHash64.hash($0) }
    return XXHash64.hash(value, seed: XXHash64.hash(key, seed: start))
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }
}

/// How a blob lies in its file.
///
/// A file holds one value and is never changed, only replaced. It is a head of 32 bytes, the key, the value, and nothing
/// after them. Numbers are little-endian. The file of the value `hello` for the key `page 7`:
///
/// ```text
/// 00  53 57 42 4c 4f 42 0a 01    "SWBLOB", a line feed, and the version: 1
/// 08  06 00 00 00 00 00 00 00    the key's length in bytes: 6
/// 10  05 00 00 00 00 00 00 00    the value's length in bytes: 5
/// 18  78 45 de 42 8b 60 a7 fd    the checksum
/// 20  70 61 67 65 20 37          the key, as UTF-8: "page 7"
/// 26  68 65 6c 6c 6f             the value: "hello"
/// ```
///
/// The checksum covers every byte but its own: XXH64 of the value, seeded with XXH64 of the key, seeded with XXH64 of
/// the first 24 bytes. A file that is longer or shorter than its head says is damaged, as is one whose checksum differs.
/// The line feed tells of a transfer that changed line ends.
enum BlobFormat {
  /// The first eight bytes of every file, as a little-endian number.
  static let magic: UInt64 = 0x010a_424f_4c42_5753
  /// The head's length in bytes, without the key.
  static let headLength = 32

  /// The lengths and the checksum that a head tells of.
  struct Head: Equatable {
    let keyLength: Int
    let valueLength: Int
    let checksum: UInt64

    /// The head at the start of `bytes`; nil where they begin otherwise, or tell of another length than the file's.
    init?(_ bytes: UnsafeRawBufferPointer, fileLength: Int) {
      guard bytes.count >= headLength, fileLength >= headLength, BlobFormat.word(bytes, 0) == magic,
        let keyLength = Int(exactly: BlobFormat.word(bytes, 8)),
        let valueLength = Int(exactly: BlobFormat.word(bytes, 16)),
        keyLength <= fileLength - headLength, valueLength == fileLength - headLength - keyLength
      else { return nil }
      self.keyLength = keyLength
      self.valueLength = valueLength
      checksum = BlobFormat.word(bytes, 24)
    }
  }

  /// What a file measures that holds a key and a value of these lengths in bytes; nil beyond the largest number.
  static func fileLength(keyLength: Int, valueLength: Int) -> Int? {
    let (sum, overflows) = (headLength + keyLength).addingReportingOverflow(valueLength)
    return overflows ? nil : sum
  }

  /// Everything before the value.
  static func head(key: String, value: UnsafeRawBufferPointer) -> [UInt8] {
    var key = key
    return key.withUTF8 { key in
      [UInt8](unsafeUninitializedCapacity: headLength + key.count) { buffer, count in
        let bytes = UnsafeMutableRawBufferPointer(buffer)
        bytes.storeBytes(of: magic.littleEndian, toByteOffset: 0, as: UInt64.self)
        bytes.storeBytes(of: UInt64(key.count).littleEndian, toByteOffset: 8, as: UInt64.self)
        bytes.storeBytes(of: UInt64(value.count).littleEndian, toByteOffset: 16, as: UInt64.self)
        UnsafeMutableRawBufferPointer(rebasing: bytes[headLength...]).copyMemory(from: UnsafeRawBufferPointer(key))
        let sum = checksum(head: UnsafeRawBufferPointer(bytes), value: value)
        bytes.storeBytes(of: sum.littleEndian, toByteOffset: 24, as: UInt64.self)
        count = bytes.count
      }
    }
  }

  /// The checksum of a file whose first bytes, the key included, are `head`.
  static func checksum(head: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> UInt64 {
    let start = XXHash64.hash(UnsafeRawBufferPointer(rebasing: head[..<24]))
    let named = XXHash64.hash(UnsafeRawBufferPointer(rebasing: head[headLength...]), seed: start)
    return XXHash64.hash(value, seed: named)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }
}

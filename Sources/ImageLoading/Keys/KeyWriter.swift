/// Writes fields with their lengths before them, as ``ImageKey`` has them, into memory that is large enough.
struct KeyWriter {
  /// What a field takes at most beside its text: a prefix, its length, a colon; or a number and its length.
  static let overhead = 32

  private let memory: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

  /// A field of a prefix of a few letters and a text.
  mutating func field(_ prefix: String, _ text: String) {
    number(prefix.utf8.count + text.utf8.count)
    byte(UInt8(ascii: ":"))
    append(prefix)
    append(text)
  }

  /// A field of a number, or an empty one.
  mutating func field(_ value: Int?) {
    guard let value else { return field("", "") }
    let start = count
    number(value)
    let digits = count - start
    // The length goes before it, and is itself of one digit or two.
    let head = digits < 10 ? 2 : 3
    for index in stride(from: count - 1, through: start, by: -1) { memory[index + head] = memory[index] }
    count = start
    number(digits)
    byte(UInt8(ascii: ":"))
    count += digits
  }

  private mutating func byte(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  private mutating func number(_ value: Int) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = count
    repeat {
      byte(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    memory[start..<count].reverse()
  }

  private mutating func append(_ text: String) {
    let start = count
    let copied: Int? = text.utf8.withContiguousStorageIfAvailable { source in
      let rest = UnsafeMutableBufferPointer(rebasing: memory[start...])
      _ = rest.update(fromContentsOf: source)
      return source.count
    }
    if let copied {
      count += copied
    } else {
      for byte in text.utf8 { self.byte(byte) }
    }
  }
}

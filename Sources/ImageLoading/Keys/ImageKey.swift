/// What identifies something that a loader holds or does: fields with their lengths before them, so that no two lists
/// of fields give the same key. The same text names it in memory and, hashed, on disk.
struct ImageKey: Hashable, Sendable {
  let text: String

  /// Joins fields.
  init(_ fields: String...) {
    var text = ""
    text.reserveCapacity(fields.reduce(0) { $0 + $1.utf8.count + 4 })
    for field in fields { Self.append(field, to: &text) }
    self.text = text
  }

  /// A key of fields that are joined already.
  init(text: String) { self.text = text }

  /// The key with further fields.
  func appending(_ fields: String...) -> ImageKey {
    var text = text
    for field in fields { Self.append(field, to: &text) }
    return ImageKey(text: text)
  }

  /// Whether this key's first fields are those.
  func begins(with prefix: ImageKey) -> Bool { text.utf8.starts(with: prefix.text.utf8) }

  private static func append(_ field: String, to text: inout String) {
    text += String(field.utf8.count)
    text += ":"
    text += field
  }
}

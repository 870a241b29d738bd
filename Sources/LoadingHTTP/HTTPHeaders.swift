/// Header fields in the order they came, names compared without regard to case, repeated values kept apart.
///
/// Complexity of a lookup: linear in the number of fields; a reply has a few dozen.
/// Source: RFC 9110, section 5.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One header field.
  public struct Field: Sendable, Hashable {
    /// The name as it was written.
    public var name: String
    /// The value as it was written, without the space around it.
    public var value: String

    /// A field of that name and value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    /// Equal when the names differ in case at most and the values are equal byte for byte.
    public static func == (a: Field, b: Field) -> Bool {
      HTTPHeaders.isSame(a.name, b.name) && HTTPHeaders.isIdentical(a.value, b.value)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(HTTPHeaders.lowered(byte)) }
      hasher.combine(value)
    }
  }

  private var fields: [Field]

  /// No fields.
  public init() {
    fields = []
  }

  /// The fields in their order.
  public init(_ fields: some Sequence<Field>) {
    self.fields = Array(fields)
  }

  /// Fields written as a literal; a name may come more than once.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The value of `name`, several joined by a comma and a space (RFC 9110, section 5.3); nil when there is none.
  ///
  /// Setting replaces every field of that name; nil removes them. Use ``values(for:)`` for fields whose values may hold
  /// commas of their own, such as `Set-Cookie`.
  public subscript(name: String) -> String? {
    get {
      let values = values(for: name)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      if let newValue { set(newValue, for: name) } else { remove(name) }
    }
  }

  /// Every value of `name`, in order, one for each field line.
  public func values(for name: String) -> [String] {
    fields.compactMap { Self.isSame($0.name, name) ? $0.value : nil }
  }

  /// Adds a field after all others, beside those of the same name.
  public mutating func append(_ value: String, for name: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Puts `value` in the place of the first field of that name and removes the others; appends when there is none.
  public mutating func set(_ value: String, for name: String) {
    guard let first = fields.firstIndex(where: { Self.isSame($0.name, name) }) else {
      append(value, for: name)
      return
    }
    let field = Field(name: name, value: value)
    var kept = Array(fields[..<first])
    kept.append(field)
    kept += fields[first...].dropFirst().filter { !Self.isSame($0.name, name) }
    fields = kept
  }

  /// Removes every field of that name.
  public mutating func remove(_ name: String) {
    fields.removeAll { Self.isSame($0.name, name) }
  }

  /// Whether two names are the same but for the case of ASCII letters.
  package static func isSame(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lowered($0) == lowered($1) }
  }

  /// Whether two values are the same byte for byte: texts are equal already where they look the same.
  static func isIdentical(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a.utf8.elementsEqual(b.utf8)
  }

  fileprivate static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension HTTPHeaders: RandomAccessCollection {
  /// The position of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The position after the last field.
  public var endIndex: Int { fields.endIndex }
  /// The field at `position`, which must be one of `indices`.
  public subscript(position: Int) -> Field { fields[position] }
}

/// Why a text is not JSON (RFC 8259).
struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  enum Kind: Hashable, Sendable {
    /// Nothing but white space.
    case empty
    /// It stops in the middle.
    case endsEarly
    /// A byte that can't stand there.
    case unexpected(UInt8)
    /// Something follows the value.
    case trailing
    /// A string that is not UTF-8.
    case notUTF8
    /// Nested deeper than is read.
    case tooDeep
  }

  let kind: Kind
  /// How many bytes precede the fault.
  let offset: Int

  var description: String {
    let place = " at byte \(offset)"
    return switch kind {
    case .empty: "there is nothing in it"
    case .endsEarly: "it ends in the middle of a value\(place)"
    case .unexpected(let byte):
      byte >= 0x20 && byte < 0x7F
        ? "'\(Character(Unicode.Scalar(byte)))' can't stand\(place)" : "a byte \(byte) can't stand\(place)"
    case .trailing: "something follows its value\(place)"
    case .notUTF8: "a string is not UTF-8\(place)"
    case .tooDeep: "it is nested more than \(JSONScanner.maxDepth) deep\(place)"
    }
  }
}

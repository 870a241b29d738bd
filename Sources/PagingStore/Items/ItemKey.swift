#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The canonical text of an item's ID: one text for each ID of a type, and one ID for each text.
///
/// A `String` is its own text, an integer its decimal digits, everything else its JSON with sorted keys. Texts are the
/// same when their UTF-8 bytes are, as servers compare them: two spellings of "é" are two items, although Swift's
/// strings are equal.
struct ItemKey: Hashable, Sendable {
  /// The text, as the database keeps it.
  let text: String

  /// A text that was made before.
  init(text: String) {
    self.text = text
  }

  /// The text of an ID.
  ///
  /// - Throws: `coding` when the ID can't be encoded.
  init<ID: Encodable>(_ id: ID) throws(ListStoreError) {
    // By the type, not by a cast of the value: an optional string isn't a string, its nil has a text too.
    if ID.self == String.self, let id = id as? String {
      text = id
    } else if ID.self == Int.self, let id = id as? Int {
      text = String(id)
    } else if ID.self is any FixedWidthInteger.Type, let id = id as? any FixedWidthInteger {
      text = String(describing: id)
    } else {
      do {
        text = String(decoding: try JSONEncoder.ofKeys.encode(id), as: UTF8.self)
      } catch {
        throw ListStoreError(
          .coding, message: "An ID of type \(ID.self) can't be encoded. Give the item an ID that JSON can hold.",
          cause: error)
      }
    }
  }

  /// The ID that has this text.
  ///
  /// - Throws: `coding` when it isn't the text of an ID of this type.
  func id<ID: Decodable>(as type: ID.Type = ID.self) throws(ListStoreError) -> ID {
    if ID.self == String.self, let id = text as? ID { return id }
    if let integer = ID.self as? any FixedWidthInteger.Type {
      guard let id = integer.init(decimal: text) as? ID else { throw unreadable(type, nil) }
      return id
    }
    do { return try JSONDecoder.ofKeys.decode(type, from: Data(text.utf8)) } catch { throw unreadable(type, error) }
  }

  private func unreadable<ID>(_ type: ID.Type, _ cause: (any Error)?) -> ListStoreError {
    ListStoreError(
      .coding,
      message:
        "A stored ID can't be read as \(type): the type of the items' IDs has changed. Give the type another storedKind.",
      cause: cause)
  }

  static func == (a: ItemKey, b: ItemKey) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension FixedWidthInteger {
  fileprivate init?(decimal text: String) { self.init(text, radix: 10) }
}

extension JSONEncoder {
  fileprivate static let ofKeys: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
}

extension JSONDecoder {
  fileprivate static let ofKeys = JSONDecoder()
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How items become bytes and items again.
///
/// ```swift
/// var config = ListStoreConfig()
/// config.coder = ItemCoder(
///   encode: { try PropertyListEncoder().encode($0) },
///   decode: { try PropertyListDecoder().decode($0, from: $1) })
/// ```
/// A store must be opened with the coder that it was filled with: items that don't decode are skipped and counted.
public struct ItemCoder: Sendable {
  private enum Way: Sendable {
    case json
    case custom(
      encode: @Sendable (any Encodable) throws -> Data,
      decode: @Sendable (any Decodable.Type, Data) throws -> any Decodable)
  }

  private let way: Way

  /// JSON with sorted keys, so that equal items have equal bytes. Infinite numbers and those that are none are kept as
  /// text.
  ///
  /// With it an edit is kept as the fields that it changed, so that a fresher copy from the server shows in the others.
  public static let json = ItemCoder(way: .json)

  /// Any other format. An edit is then kept as the whole item.
  ///
  /// - Parameters:
  ///   - encode: Bytes for a value; equal values should have equal bytes. Called from any thread.
  ///   - decode: The value of that type again. Called from any thread.
  public init(
    encode: @escaping @Sendable (any Encodable) throws -> Data,
    decode: @escaping @Sendable (any Decodable.Type, Data) throws -> any Decodable
  ) {
    way = .custom(encode: encode, decode: decode)
  }

  private init(way: Way) {
    self.way = way
  }

  /// Whether the bytes are JSON.
  var isJSON: Bool {
    switch way {
    case .json: true
    case .custom: false
    }
  }

  /// The bytes of a value.
  ///
  /// - Throws: `coding`.
  func encode<Value: Encodable>(_ value: Value) throws(ListStoreError) -> [UInt8] {
    do {
      switch way {
      case .json: return Array(try Self.encoder.encode(value))
      case .custom(let encode, _): return Array(try encode(value))
      }
    } catch {
      throw ListStoreError(
        .coding, message: "A value of type \(Value.self) can't be encoded. See the cause for the field.", cause: error)
    }
  }

  /// The value that was encoded.
  ///
  /// - Throws: `coding`.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(ListStoreError) -> Value {
    do {
      switch way {
      case .json: return try Self.decoder.decode(type, from: Data(bytes))
      case .custom(_, let decode):
        guard let value = try decode(type, Data(bytes)) as? Value else { throw WrongType() }
        return value
      }
    } catch {
      throw ListStoreError(
        .coding,
        message:
          "A stored value can't be read as \(type). Keep new fields optional or give them a default in init(from:), "
          + "or give the type another storedKind.",
        cause: error)
    }
  }

  private struct WrongType: Error, CustomStringConvertible {
    var description: String { "The coder's decode answered a value of another type." }
  }

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }()
}

import Foundation
import PagingStore

/// A row as a list store keeps it: its JSON, byte for byte.
///
/// A store has every item once, whatever lists it is in, and two servers may use one ID for different things; so the ID
/// holds the list's name too. Open the store with the default coder.
struct StoredRow: StoredItem {
  /// The list's name, a unit separator (U+001F), and the JSON text of the row's own ID, which has no such character.
  let id: String
  /// The row in one line.
  let json: String

  /// `row` of the list `list`.
  ///
  /// A row without an ID of its own is told by its contents, so of rows that are equal a store keeps one.
  init(_ row: RawRow, in list: String) {
    json = String(decoding: row.line, as: UTF8.self)
    let own =
      switch row.id {
      case .text(let text): text
      case .textAndContents(let text, _): text + " " + Self.digest(of: row.line)
      case .unknown: Self.digest(of: row.line)
      }
    id = Self.id(own, in: list)
  }

  /// The ID of the row of `list` whose own ID has the JSON text `own`.
  static func id(_ own: String, in list: String) -> String { list + "\u{1F}" + own }

  /// The row as it came, for those that show rows.
  var raw: RawRow {
    RawRow(id: .text(id), line: Array(json.utf8))
  }

  /// 128 bits of FNV-1a (draft-eastlake-fnv) over the bytes, in hexadecimal: the same in every run.
  private static func digest(of bytes: [UInt8]) -> String {
    var high: UInt64 = 0x6C62_272E_07BB_0142
    var low: UInt64 = 0x62B8_2175_6295_C58D
    for byte in bytes {
      low ^= UInt64(byte)
      // The prime is 2^88 + 0x13B.
      let (carry, product) = low.multipliedFullWidth(by: 0x13B)
      high = high &* 0x13B &+ carry &+ (low << 24)
      low = product
    }
    return hexadecimal(high) + hexadecimal(low)
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

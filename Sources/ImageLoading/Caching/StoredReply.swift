import Foundation
import LoadingHTTP

/// An answer as it lies on the disk: a head and the body behind it, in one blob, so that neither is there without the
/// other.
///
/// ```text
/// 4 bytes   "SPI" and the version, 1
/// 4         the head's length in bytes
/// head      status (2), received (8), requested (8), fields (4 and each name, value),
///           selecting (4 and each name, hash)
/// body      the rest, as it came
/// ```
///
/// Numbers are little-endian, dates seconds since 1970 as a double, texts their length in four bytes and UTF-8, so that
/// values of any characters come back as they went. What holds it tells damage; what was written by another version
/// reads as none.
struct StoredReply: Equatable, Sendable {
  var head: StoredHead
  let body: [UInt8]

  private static let magic: UInt32 = 0x0149_5053

  /// The blob; linear in the body's length.
  var blob: Data {
    var writer = ByteWriter()
    writer.write(UInt16(clamping: head.status))
    writer.write(head.receivedAt)
    writer.write(head.requestedAt)
    writer.write(UInt32(clamping: head.headers.count))
    for field in head.headers {
      writer.write(field.name)
      writer.write(field.value)
    }
    writer.write(UInt32(clamping: head.selecting.count))
    for field in head.selecting {
      writer.write(field.name)
      writer.write(field.hash)
    }
    var start = ByteWriter()
    start.write(Self.magic)
    start.write(UInt32(clamping: writer.bytes.count))
    var blob = Data(capacity: start.bytes.count + writer.bytes.count + body.count)
    blob.append(contentsOf: start.bytes)
    blob.append(contentsOf: writer.bytes)
    blob.append(contentsOf: body)
    return blob
  }

  init(head: StoredHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// The answer in a blob; nil where it is none.
  init?(blob: Data) {
    var reader = ByteReader(blob)
    guard reader.number(UInt32.self) == Self.magic, let length = reader.number(UInt32.self),
      let head = Self.head(&reader), reader.place == 8 + Int(length)
    else { return nil }
    self.head = head
    body = [UInt8](blob.dropFirst(reader.place))
  }

  private static func head(_ reader: inout ByteReader) -> StoredHead? {
    guard let status = reader.number(UInt16.self), let receivedAt = reader.date(), let requestedAt = reader.date(),
      let fields = pairs(&reader), let selecting = pairs(&reader)
    else { return nil }
    return StoredHead(
      status: Int(status), headers: HTTPHeaders(fields.map { .init(name: $0, value: $1) }), receivedAt: receivedAt,
      requestedAt: requestedAt, selecting: selecting.map { .init(name: $0, hash: $1) })
  }

  private static func pairs(_ reader: inout ByteReader) -> [(String, String)]? {
    guard let count = reader.number(UInt32.self) else { return nil }
    var pairs: [(String, String)] = []
    // The count may be of damage; each pair ends the loop where there are no bytes for it.
    for _ in 0..<count {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }
}

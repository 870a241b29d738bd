import Foundation
import ImageCodecs

/// A picture as it was asked for, decoded, as it lies on the disk: a head, its size and its pixels.
///
/// ```text
/// 4 bytes   "SPP" and the version, 1
/// 4 and 4   width and height
/// 4         the head's length in bytes
/// head      that of the answer it was made from: it holds as long as that does
/// pixels    four bytes each, row by row
/// ```
struct StoredPixels {
  let head: StoredHead
  let image: DecodedImage

  private static let magic: UInt32 = 0x0150_5053
  private static let longestSide = 1 << 20

  init(head: StoredHead, image: DecodedImage) {
    self.head = head
    self.image = image
  }

  /// The blob; linear in the number of pixels.
  var blob: Data {
    let head = StoredReply(head: head, body: []).blob
    var start = ByteWriter()
    start.write(Self.magic)
    start.write(UInt32(clamping: image.size.width))
    start.write(UInt32(clamping: image.size.height))
    start.write(UInt32(clamping: head.count))
    var blob = Data(capacity: start.bytes.count + head.count + image.byteCount)
    blob.append(contentsOf: start.bytes)
    blob.append(head)
    image.withPixels { blob.append(contentsOf: $0) }
    return blob
  }

  /// The picture in a blob; nil where it is none, before any memory is asked for.
  init?(blob: Data) {
    var reader = ByteReader(blob)
    guard reader.number(UInt32.self) == Self.magic, let width = reader.number(UInt32.self),
      let height = reader.number(UInt32.self), let headLength = reader.number(UInt32.self),
      (1...Self.longestSide).contains(Int(width)), (1...Self.longestSide).contains(Int(height)),
      Int(headLength) <= blob.count - reader.place,
      let head = StoredReply(blob: blob.dropFirst(reader.place).prefix(Int(headLength)))?.head
    else { return nil }
    let size = PixelSize(width: Int(width), height: Int(height))
    let pixels = blob.dropFirst(reader.place + Int(headLength))
    guard pixels.count == size.area * 4,
      let image = try? DecodedImage(
        size: size, writing: { memory throws(ImageCodecError) in memory.copyBytes(from: pixels) })
    else { return nil }
    self.head = head
    self.image = image
  }
}

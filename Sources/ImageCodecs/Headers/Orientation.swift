/// How the rows and columns of a file become an upright picture: the values 1 to 8 of EXIF's tag 0x0112.
struct Orientation: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8

  /// Nil for what is none of the eight.
  init?(rawValue: UInt8) {
    guard (1...8).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// As it is stored.
  static let upright = Orientation(1)

  /// Whether rows become columns.
  var isTransposed: Bool { rawValue >= 5 }
  /// Whether the picture is mirrored from left to right, after rows have become columns.
  var flipsColumns: Bool { [2, 3, 6, 7].contains(rawValue) }
  /// Whether the picture is mirrored from top to bottom, after rows have become columns.
  var flipsRows: Bool { [3, 4, 7, 8].contains(rawValue) }

  /// The size of the upright picture.
  func upright(_ stored: PixelSize) -> PixelSize { isTransposed ? stored.transposed : stored }
}

import CNcurses

/// Text as it lies in the columns of a terminal.
///
/// What a terminal draws in one column or two is what the C library says, as the terminal's library goes by it too.
/// Emoji that several characters make up are shown as their parts, whose widths are certain.
struct TextCells: Hashable, Sendable {
  /// The characters by their Unicode numbers, combining ones behind what they go on.
  private(set) var scalars: [UInt32] = []
  /// How many columns they take.
  private(set) var columns = 0
  private var combined = 0
  private var hasRightToLeft = false
  private var isClosed = false

  /// How many characters can lie on one that takes columns: the library has room for four, of which one may end an
  /// isolate.
  private static let maxCombined = 3
  private static let firstStrongIsolate: UInt32 = 0x2068
  private static let popDirectionalIsolate: UInt32 = 0x2069

  /// As much of `text` as fits into `limit` columns; where it doesn't all fit, it ends with an ellipsis.
  ///
  /// Text that is written from right to left is isolated, so that a terminal which turns it around leaves its
  /// surroundings where they are. Something has to stand before it in the line.
  init(_ text: some StringProtocol, limit: Int) {
    self.init(Pieces(text), limit: limit)
  }

  private init() {}

  private init(_ pieces: Pieces, limit: Int) {
    guard limit > 0 else { return }
    // Where the text could still be cut so that an ellipsis has room.
    var fallback: TextCells?
    for piece in pieces.all {
      if columns + piece.columns > limit {
        if let fallback { self = fallback }
        put(Pieces.Piece(scalar: 0x2026, columns: 1))
        break
      }
      if fallback == nil, columns + piece.columns > limit - 1 { fallback = self }
      put(piece)
    }
    close()
  }

  /// `text` in at most `lines` lines of at most `limit` columns, broken at spaces where there are any; the last one
  /// ends with an ellipsis where more was to come.
  static func wrapped(_ text: String, limit: Int, lines: Int) -> [TextCells] {
    guard limit > 0, lines > 0 else { return [] }
    var rest = Pieces(text).all[...]
    var result: [TextCells] = []
    while !rest.isEmpty, result.count < lines {
      guard result.count < lines - 1 else {
        result.append(TextCells(Pieces(all: Array(rest)), limit: limit))
        break
      }
      var used = 0
      var end = rest.startIndex
      var lastSpace: Int?
      while end < rest.endIndex, used + rest[end].columns <= limit {
        if rest[end].isSpace { lastSpace = end }
        used += rest[end].columns
        end += 1
      }
      // A character of two columns doesn't fit into one.
      if end == rest.startIndex { end += 1 }
      if end < rest.endIndex, !rest[end].isSpace, let lastSpace, lastSpace > rest.startIndex { end = lastSpace }
      result.append(TextCells(Pieces(all: Array(rest[..<end])), limit: limit))
      rest = rest[end...].drop { $0.isSpace || $0.columns == 0 }
    }
    return result
  }

  /// So many spaces.
  static func blank(_ columns: Int) -> TextCells {
    var cells = TextCells()
    cells.scalars = Array(repeating: 0x20, count: max(0, columns))
    cells.columns = max(0, columns)
    return cells
  }

  /// The text, without what isolates it.
  var text: String {
    var text = ""
    for number in scalars where number != Self.firstStrongIsolate && number != Self.popDirectionalIsolate {
      if let scalar = Unicode.Scalar(number) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  private mutating func put(_ piece: Pieces.Piece) {
    if piece.columns == 0 {
      guard combined < Self.maxCombined else { return }
      combined += 1
    } else {
      combined = 0
    }
    if !hasRightToLeft, isRightToLeft(piece.scalar) {
      hasRightToLeft = true
      scalars.insert(Self.firstStrongIsolate, at: 0)
    }
    scalars.append(piece.scalar)
    columns += piece.columns
  }

  private mutating func close() {
    if hasRightToLeft, !isClosed { scalars.append(Self.popDirectionalIsolate) }
    isClosed = true
  }
}

/// The characters of a text with their widths, as far as they are to be shown.
private struct Pieces {
  struct Piece {
    var scalar: UInt32
    var columns: Int
    var isSpace: Bool { scalar == 0x20 }
  }

  var all: [Piece]

  init(all: [Piece]) {
    self.all = all
  }

  init(_ text: some StringProtocol) {
    _ = Self.localeKnowsUnicode
    all = []
    var followsEmoji = false
    for scalar in text.unicodeScalars {
      let joinsEmoji = scalar.value == 0x200D || scalar.properties.isVariationSelector
      if followsEmoji, joinsEmoji || scalar.properties.isEmojiModifier { continue }
      if !joinsEmoji { followsEmoji = scalar.properties.isEmoji && scalar.value > 0xFF }
      let columns = scalar.isASCII ? 1 : Int(nc_width(scalar.value))
      // What combines with nothing gets a space to lie on.
      if columns == 0, all.isEmpty { all.append(Piece(scalar: 0x20, columns: 1)) }
      // What the C library doesn't know is shown as one thing that it does.
      all.append(columns < 0 ? Piece(scalar: 0xFFFD, columns: 1) : Piece(scalar: scalar.value, columns: columns))
    }
  }

  /// Without a locale that knows Unicode no width is known, and the terminal's library could only write ASCII.
  static let localeKnowsUnicode: Bool = {
    if setlocale(LC_ALL, "") == nil || nc_is_single_byte() { return setlocale(LC_CTYPE, "C.UTF-8") != nil }
    return true
  }()
}

/// Whether text with this character is written from right to left (Unicode Standard Annex 9, classes R and AL).
private func isRightToLeft(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
  default: false
  }
}

/// Sets the locale of the process so that Unicode can be shown, once.
func prepareLocaleForUnicode() { _ = Pieces.localeKnowsUnicode }

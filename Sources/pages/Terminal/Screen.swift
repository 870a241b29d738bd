import CNcurses

/// The terminal, taken over until it is closed. Used from one thread.
struct Screen: ~Copyable {
  private let handle: OpaquePointer
  private var shown: [BrowsePicture.Line] = []
  private var pairs: [ColorPair: Int32] = [:]

  private struct ColorPair: Hashable {
    var foreground: Int16
    var background: Int16
  }

  /// Takes the terminal over; nil where it can't be driven.
  init?() {
    prepareLocaleForUnicode()
    guard let handle = nc_open() else { return nil }
    self.handle = handle
  }

  /// Gives the terminal back as it was.
  consuming func close() { nc_close(handle) }

  /// How many lines it has.
  var lines: Int { Int(nc_rows()) }
  /// How many columns it has.
  var columns: Int { Int(nc_columns()) }
  /// How many colours pictures can have; 0 where there aren't enough.
  var colors: Int { nc_pairs() > 256 ? Int(nc_colors()) : 0 }

  /// The terminal has another size.
  mutating func fit() {
    nc_fit()
    repaint()
  }

  /// Everything is sent again with the next picture.
  mutating func repaint() {
    nc_repaint()
    shown = []
  }

  /// Shows `picture`: writes the lines that have changed.
  mutating func show(_ picture: BrowsePicture) {
    // Pairs that are on screen can't get other colours, so where there may be too few, all begin anew.
    if pairs.count + picture.lines.reduce(0, { $0 + $1.parts.count }) >= limit {
      pairs = [:]
      repaint()
    }
    for (row, line) in picture.lines.prefix(lines).enumerated() {
      if row < shown.count, shown[row] == line { continue }
      nc_begin_line(Int32(clamping: row))
      for part in line.parts { put(part) }
    }
    shown = picture.lines
    nc_refresh()
  }

  /// The next key that was pressed; nil where none was. Doesn't wait.
  func key() -> BrowseKey? {
    while true {
      let code = nc_key()
      if code == 0 { return nil }
      if let key = BrowseKey(code: code) { return key }
    }
  }

  /// One less than the library's pairs, as it takes their numbers as short ones.
  private var limit: Int { min(Int(nc_pairs()), Int(Int16.max)) - 1 }

  private mutating func put(_ part: BrowsePicture.Part) {
    nc_style(part.look.code, pair(ColorPair(foreground: part.foreground, background: part.background)))
    nc_add(part.scalars, Int32(clamping: part.scalars.count))
  }

  private mutating func pair(_ colors: ColorPair) -> Int32 {
    if colors.foreground < 0, colors.background < 0 { return 0 }
    if let known = pairs[colors] { return known }
    guard pairs.count < limit else { return 0 }
    let pair = Int32(clamping: pairs.count + 1)
    nc_set_pair(pair, Int32(colors.foreground), Int32(colors.background))
    pairs[colors] = pair
    return pair
  }
}

extension BrowsePicture.Look {
  fileprivate var code: nc_look {
    switch self {
    case .plain: nc_plain
    case .faint: nc_faint
    case .strong: nc_strong
    case .inverse: nc_inverse
    }
  }
}

extension BrowseKey {
  /// The key that the library tells of: a character by its number, another key by the negative of its code.
  fileprivate init?(code: Int32) {
    switch -code {
    case Int32(nc_up.rawValue): self = .up
    case Int32(nc_down.rawValue): self = .down
    case Int32(nc_page_up.rawValue): self = .pageUp
    case Int32(nc_page_down.rawValue): self = .pageDown
    case Int32(nc_home.rawValue): self = .home
    case Int32(nc_end.rawValue): self = .end
    case Int32(nc_enter.rawValue), -10, -13: self = .enter
    case Int32(nc_backspace.rawValue), -8, -127: self = .erase
    case -27: self = .escape
    default:
      guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
      self = .character(scalar)
    }
  }
}

import CNcurses

/// The terminal, taken over until it is closed. Used from one thread.
struct Screen: ~Copyable {
  private let handle: OpaquePointer

  /// Takes the terminal over; nil where it can't be driven.
  init?() {
    // Without a locale that knows Unicode the library could only write ASCII.
    if setlocale(LC_ALL, "") == nil || nc_is_single_byte() { setlocale(LC_CTYPE, "C.UTF-8") }
    guard let handle = nc_open() else { return nil }
    self.handle = handle
  }

  /// Gives the terminal back as it was.
  consuming func close() { nc_close(handle) }

  /// How many lines it has.
  var height: Int { Int(nc_rows()) }

  /// Shows `picture`.
  func show(_ picture: BrowsePicture) {
    nc_erase()
    let width = Int(nc_columns())
    for (row, line) in picture.lines.prefix(max(0, height - 1)).enumerated() {
      put(line, row, width)
    }
    put(picture.status, height - 1, width)
    nc_refresh()
  }

  /// Waits at most `milliseconds` for a key; nil where none came.
  func key(within milliseconds: Int) -> BrowseKey? {
    let code = nc_key(Int32(clamping: milliseconds))
    switch code {
    case Int32(nc_up.rawValue): return .up
    case Int32(nc_down.rawValue): return .down
    case Int32(nc_page_up.rawValue): return .pageUp
    case Int32(nc_page_down.rawValue): return .pageDown
    case Int32(nc_home.rawValue): return .first
    case Int32(nc_end.rawValue): return .last
    case Int32(nc_resize.rawValue): return .resized
    default: return UInt32(exactly: code).flatMap(Unicode.Scalar.init).flatMap(BrowseKey.init(scalar:))
    }
  }

  private func put(_ line: BrowsePicture.Line, _ row: Int, _ width: Int) {
    guard row >= 0, width > 0 else { return }
    let isFull = line.style == .selected || line.style == .status
    var cells: [UInt32] = []
    var used = 0
    for scalar in line.text.unicodeScalars {
      let columns = Int(nc_width(scalar.value))
      guard columns >= 0 else { continue }
      guard used + columns <= width else { break }
      cells.append(scalar.value)
      used += columns
    }
    if isFull { cells += Array(repeating: 0x20, count: width - used) }
    nc_style(line.style.code)
    nc_move(Int32(clamping: row), 0)
    nc_add(cells, Int32(clamping: cells.count))
    nc_style(BrowsePicture.Style.plain.code)
  }
}

extension BrowsePicture.Style {
  fileprivate var code: nc_look {
    switch self {
    case .plain: nc_plain
    case .dim: nc_faint
    case .selected, .status: nc_inverse
    case .failure: nc_strong
    }
  }
}

/// What a reader may press.
enum BrowseKey: Hashable {
  case up, down, pageUp, pageDown, first, last, refresh, retry, quit, resized

  /// The key of a letter; nil where it means nothing.
  init?(scalar: Unicode.Scalar) {
    switch scalar {
    case "k": self = .up
    case "j": self = .down
    case "b": self = .pageUp
    case " ", "f": self = .pageDown
    case "g": self = .first
    case "G": self = .last
    case "r": self = .refresh
    case "R": self = .retry
    case "q": self = .quit
    default: return nil
    }
  }
}

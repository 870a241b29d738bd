import CChafa
import ImageCodecs

/// A picture as characters with colours, for cells of a terminal.
struct PictureCells: Hashable, Sendable {
  /// One cell: a character that takes one column, and its colours by their numbers in the terminal's palette.
  struct Cell: Hashable, Sendable {
    var scalar: UInt32
    /// -1: the terminal's own.
    var foreground: Int16
    /// -1: the terminal's own.
    var background: Int16

    static let blank = Cell(scalar: 0x20, foreground: -1, background: -1)
  }

  /// A size in cells.
  struct Size: Hashable, Sendable {
    var columns: Int
    var lines: Int

    /// Enough pixels for all that cells of that number can show.
    var pixels: PixelSize { PixelSize(width: columns * 16, height: lines * 32) }
  }

  /// The size that was asked for; the picture may be smaller, and is in the middle then.
  let size: Size
  private let cells: [Cell]

  /// One line of cells.
  func line(_ number: Int) -> ArraySlice<Cell> {
    cells[(number * size.columns)..<((number + 1) * size.columns)]
  }

  /// Draws `image` into cells.
  ///
  /// Colours are those of the palette of 256 that terminals share, without its first sixteen, which users change; where
  /// there are fewer, the picture is in two colours, the terminal's own. Takes time in proportion to the pixels.
  init(_ image: DecodedImage, size: Size, colors: Int) {
    self.size = size
    cells = Self.drawn(image, size, hasColors: colors >= 256)
  }

  private static func drawn(_ image: DecodedImage, _ size: Size, hasColors: Bool) -> [Cell] {
    var cells = Array(repeating: Cell.blank, count: max(0, size.columns) * max(0, size.lines))
    guard !cells.isEmpty else { return cells }
    var width = Int32(clamping: size.columns)
    var height = Int32(clamping: size.lines)
    // A cell is twice as high as it is wide.
    chafa_calc_canvas_geometry(
      Int32(clamping: image.size.width), Int32(clamping: image.size.height), &width, &height, 0.5, 1, 0)
    let drawn = Size(columns: max(1, min(Int(width), size.columns)), lines: max(1, min(Int(height), size.lines)))
    guard let canvas = canvas(of: drawn, hasColors) else { return cells }
    defer { chafa_canvas_unref(canvas) }
    image.withPixels { pixels in
      guard let start = pixels.baseAddress else { return }
      chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGBA8_PREMULTIPLIED, start.assumingMemoryBound(to: UInt8.self),
        Int32(clamping: image.size.width), Int32(clamping: image.size.height), Int32(clamping: image.size.width * 4))
    }
    let left = (size.columns - drawn.columns) / 2
    let top = (size.lines - drawn.lines) / 2
    for y in 0..<drawn.lines {
      for x in 0..<drawn.columns {
        cells[(top + y) * size.columns + left + x] = cell(canvas, Int32(clamping: x), Int32(clamping: y), hasColors)
      }
    }
    return cells
  }

  /// An empty canvas; nil where there is no memory for one.
  private static func canvas(of size: Size, _ hasColors: Bool) -> OpaquePointer? {
    guard let symbols = chafa_symbol_map_new() else { return nil }
    defer { chafa_symbol_map_unref(symbols) }
    guard let config = chafa_canvas_config_new() else { return nil }
    defer { chafa_canvas_config_unref(config) }
    chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_SPACE)
    chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_BLOCK)
    chafa_canvas_config_set_symbol_map(config, symbols)
    chafa_canvas_config_set_geometry(config, Int32(clamping: size.columns), Int32(clamping: size.lines))
    chafa_canvas_config_set_canvas_mode(
      config, hasColors ? CHAFA_CANVAS_MODE_INDEXED_240 : CHAFA_CANVAS_MODE_FGBG)
    return chafa_canvas_new(config)
  }

  private static func cell(_ canvas: OpaquePointer, _ x: Int32, _ y: Int32, _ hasColors: Bool) -> Cell {
    var foreground: Int32 = -1
    var background: Int32 = -1
    if hasColors { chafa_canvas_get_raw_colors_at(canvas, x, y, &foreground, &background) }
    let scalar = chafa_canvas_get_char_at(canvas, x, y)
    return Cell(scalar: scalar == 0 ? 0x20 : scalar, foreground: color(foreground), background: color(background))
  }

  private static func color(_ number: Int32) -> Int16 { (0..<256).contains(number) ? Int16(number) : -1 }
}

#if !canImport(ImageIO)
  /// Where one frame of an animation goes on the canvas, and what becomes of it.
  struct FramePatch: Hashable {
    /// What the canvas shows of the frame once its time is over.
    enum Disposal: Hashable {
      /// It stays, and the next frame is drawn on it.
      case keep
      /// Its rectangle becomes transparent.
      case background
      /// Its rectangle becomes what it was before the frame was drawn.
      case previous
    }

    /// How the frame's pixels meet those of the canvas.
    enum Blend: Hashable {
      /// They take their place, transparent ones too.
      case source
      /// They lie over them.
      case over
    }

    /// The column of the frame's left edge; anything left or right of the canvas is cut off.
    var x: Int
    /// The row of the frame's upper edge; anything above or below the canvas is cut off.
    var y: Int
    /// The size of the frame's own pixels.
    var size: PixelSize
    var disposal: Disposal
    var blend: Blend

    /// What is seen of the frame on a canvas of that size.
    func area(on canvas: PixelSize) -> FrameArea {
      let columns = Self.span(x, size.width, in: canvas.width), rows = Self.span(y, size.height, in: canvas.height)
      return columns.isEmpty || rows.isEmpty
        ? FrameArea(columns: 0..<0, rows: 0..<0) : FrameArea(columns: columns, rows: rows)
    }

    /// Whether the frame leaves nothing of what a canvas of that size showed before, also once it is disposed of.
    func replaces(_ canvas: PixelSize) -> Bool {
      blend == .source && disposal != .previous
        && area(on: canvas) == FrameArea(columns: 0..<canvas.width, rows: 0..<canvas.height)
    }

    private static func span(_ start: Int, _ length: Int, in limit: Int) -> Range<Int> {
      let (end, overflow) = start.addingReportingOverflow(max(0, length))
      let lower = min(max(0, start), limit)
      return lower..<max(lower, min(overflow ? limit : end, limit))
    }
  }

  /// A rectangle of a canvas; both ranges are empty or neither is.
  struct FrameArea: Hashable {
    var columns: Range<Int>
    var rows: Range<Int>

    /// The bytes of its pixels.
    var byteCount: Int { 4 * columns.count * rows.count }
  }
#endif

#if !canImport(ImageIO)
  /// Which pixels of a picture a pass holds (PNG, third edition, 8.1).
  struct PNGPass: Hashable {
    private let firstColumn: Int
    private let columnStep: Int
    private let firstRow: Int
    private let rowStep: Int
    /// The rectangle that each pixel stands for until later passes come.
    private let block: PixelSize

    private init(columns: (Int, Int), rows: (Int, Int), block: (Int, Int)) {
      (firstColumn, columnStep) = columns
      (firstRow, rowStep) = rows
      self.block = PixelSize(width: block.0, height: block.1)
    }

    /// The only pass of a picture that is not interlaced.
    static let whole = PNGPass(columns: (0, 1), rows: (0, 1), block: (1, 1))

    /// The seven passes of an interlaced picture.
    static let interlaced = [
      PNGPass(columns: (0, 8), rows: (0, 8), block: (8, 8)), PNGPass(columns: (4, 8), rows: (0, 8), block: (4, 8)),
      PNGPass(columns: (0, 4), rows: (4, 8), block: (4, 4)), PNGPass(columns: (2, 4), rows: (0, 4), block: (2, 4)),
      PNGPass(columns: (0, 2), rows: (2, 4), block: (2, 2)), PNGPass(columns: (1, 2), rows: (0, 2), block: (1, 2)),
      PNGPass(columns: (0, 1), rows: (1, 2), block: (1, 1)),
    ]

    /// How many columns and rows of pixels of a picture the pass holds; either may be none.
    func size(in picture: PixelSize) -> PixelSize {
      PixelSize(
        width: max(0, picture.width - firstColumn + columnStep - 1) / columnStep,
        height: max(0, picture.height - firstRow + rowStep - 1) / rowStep)
    }

    /// Where the pixels of a row of the pass belong.
    func row(_ index: Int, count: Int) -> PNGRow {
      PNGRow(index: firstRow + index * rowStep, first: firstColumn, step: columnStep, count: count, block: block)
    }
  }

  /// Where the pixels of a row belong in the picture.
  struct PNGRow: Hashable {
    /// The row of the picture.
    let index: Int
    /// The column of the first pixel.
    let first: Int
    /// Columns from one pixel to the next.
    let step: Int
    /// How many pixels.
    let count: Int
    /// The rectangle, from the pixel to the right and down, that it stands for until later passes come.
    let block: PixelSize
  }
#endif

#if !canImport(ImageIO)
  extension PNGReader {
    /// Reads the pixels into a picture of the plan's size.
    ///
    /// Rows are scaled as they come, a few at a time. An interlaced file has the pixels of each row all over it, and
    /// the exact mean needs all of its passes; those that shrink much are summed up where they end, others are put
    /// together whole first, at four bytes a pixel of the file, which ``ImageLimits/maxSourcePixels`` bounds.
    consuming func picture(_ plan: DecodePlan, _ watch: DecodeWatch) throws(ImageCodecError) -> DecodedImage {
      guard size == plan.stored else {
        throw ImageCodecError(.corrupt, message: "the PNG file tells two sizes, \(plan.stored) and \(size)")
      }
      let conversion = conversion()
      let scaler = try scaled(plan, watch)
      guard let conversion else { return try scaler.finish() }
      return try scaler.finish { (pixels: UnsafeMutablePointer<UInt8>, count: Int) throws(ImageCodecError) in
        conversion.convert(pixels, count: count)
      }
    }

    /// Whether sums for what comes out take less memory than what is in the file.
    static func sumsUp(_ plan: DecodePlan) -> Bool {
      ScatteredMean.canScale(from: plan.stored, to: plan.output)
        && plan.output.area < plan.stored.area / (ScatteredMean.bytesPerPixel / 4)
    }

    private mutating func scaled(_ plan: DecodePlan, _ watch: DecodeWatch) throws(ImageCodecError) -> RowScaler {
      if !isInterlaced { return try scaledRows(plan, watch) }
      return Self.sumsUp(plan) ? try scaledSums(plan, watch) : try scaledWhole(plan, watch)
    }

    private mutating func scaledRows(_ plan: DecodePlan, _ watch: DecodeWatch) throws(ImageCodecError) -> RowScaler {
      var scaler = try RowScaler(plan, from: size)
      let isOpaque = isOpaque
      try forEachRow(watch, partial: plan.options.allowsPartial) { pixels, _ in
        if isOpaque { scaler.add(pixels) } else { scaler.add(unmultiplied: pixels) }
      }
      return scaler
    }

    private mutating func scaledSums(_ plan: DecodePlan, _ watch: DecodeWatch) throws(ImageCodecError) -> RowScaler {
      var mean = try ScatteredMean(from: size, to: plan.output)
      let isOpaque = isOpaque
      try forEachRow(watch, partial: plan.options.allowsPartial) { pixels, row in
        if !isOpaque { Alpha.multiply(pixels, into: pixels, count: row.count) }
        mean.add(pixels, count: row.count, row: row.index, first: row.first, step: row.step)
      }
      var scaler = try RowScaler(plan, from: plan.output)
      let line = UnsafeRow(count: 4 * plan.output.width)
      defer { withExtendedLifetime(line) {} }
      for row in 0..<plan.output.height {
        mean.write(row: row, to: line.start)
        scaler.add(line.start)
      }
      return scaler
    }

    private mutating func scaledWhole(_ plan: DecodePlan, _ watch: DecodeWatch) throws(ImageCodecError) -> RowScaler {
      let whole = try PixelMemory(size)
      let (start, size, isPartial) = (UnsafeMutableRawPointer(whole.start), size, plan.options.allowsPartial)
      try forEachRow(watch, partial: isPartial) { pixels, row in
        // Early passes fill the places of later ones where those may not come.
        let rows = isPartial ? row.index..<min(row.index + row.block.height, size.height) : row.index..<(row.index + 1)
        let blockWidth = isPartial ? row.block.width : 1
        for index in 0..<row.count {
          let pixel = UnsafeRawPointer(pixels).load(fromByteOffset: 4 * index, as: UInt32.self)
          let column = row.first + index * row.step
          for row in rows {
            for column in column..<min(column + blockWidth, size.width) {
              start.storeBytes(of: pixel, toByteOffset: 4 * (row * size.width + column), as: UInt32.self)
            }
          }
        }
      }
      var scaler = try RowScaler(plan, from: size)
      for row in 0..<size.height {
        if row % 64 == 0 { try watch.check() }
        scaler.add(unmultiplied: whole.start + 4 * row * size.width)
      }
      return scaler
    }
  }

  extension PNGReader {
    /// Reads all rows; where a part of the picture is allowed, a fault after the first row only ends it.
    mutating func forEachRow(
      _ watch: DecodeWatch, partial: Bool, _ body: (UnsafeMutablePointer<UInt8>, PNGRow) -> Void
    ) throws(ImageCodecError) {
      var hasRow = false
      do throws(ImageCodecError) {
        try forEachRow(watch) { pixels, row in
          hasRow = true
          body(pixels, row)
        }
      } catch {
        guard partial, hasRow, error.code == .truncated || error.code == .corrupt else { throw error }
      }
    }
  }
#endif

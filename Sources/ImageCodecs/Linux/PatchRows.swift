#if !canImport(ImageIO)
  /// The first frame of an animation, or a picture that is smaller than its canvas, scaled as its rows come: without a canvas.
  struct PatchRows: ~Copyable {
    private var scaler: RowScaler
    private let canvas: PixelSize
    private let patch: FramePatch
    private let area: FrameArea
    private let line: UnsafeRow
    /// The whole frame, where its rows come in another order than from the top.
    private let whole: UnsafeRow?
    private var done = 0
    /// Whether any row has come.
    private(set) var hasAny = false

    /// - Parameters:
    ///   - plan: Its stored size is the canvas.
    ///   - patch: Where on it the frame is.
    ///   - inOrder: Whether rows come from the top.
    /// - Throws: ``ImageCodecError/Code/limit`` where there is no memory.
    init(_ plan: DecodePlan, _ patch: FramePatch, inOrder: Bool) throws(ImageCodecError) {
      self.init(try RowScaler(plan, from: plan.stored), plan, patch, inOrder)
    }

    private init(_ scaler: consuming RowScaler, _ plan: DecodePlan, _ patch: FramePatch, _ inOrder: Bool) {
      self.scaler = scaler
      canvas = plan.stored
      self.patch = patch
      // Not read back from `self`: of a struct that can't be copied the optimizer of Swift 6.3 lets go of it twice.
      let area = patch.area(on: plan.stored)
      self.area = area
      line = UnsafeRow(count: 4 * plan.stored.width)
      if inOrder || area.rows.isEmpty { whole = nil } else { whole = UnsafeRow(count: max(1, area.byteCount)) }
    }

    /// Takes a row of the frame, colours multiplied by alpha.
    mutating func add(_ row: UnsafePointer<UInt8>, at index: Int) {
      let target = patch.y + index
      guard area.rows.contains(target) else { return }
      hasAny = true
      let visible = row + 4 * (area.columns.lowerBound - patch.x)
      let count = 4 * area.columns.count
      if let whole {
        (whole.start + (target - area.rows.lowerBound) * count).update(from: visible, count: count)
      } else {
        put(visible, at: target)
      }
    }

    /// The picture; around the frame, and where no rows have come, it is transparent.
    ///
    /// - Parameter convert: See ``RowScaler/finish(_:)``.
    consuming func finish(
      _ convert: ((UnsafeMutablePointer<UInt8>, Int) throws(ImageCodecError) -> Void)? = nil
    ) throws(ImageCodecError) -> DecodedImage {
      if let whole {
        for (index, row) in area.rows.enumerated() { put(whole.start + index * 4 * area.columns.count, at: row) }
      }
      skip(to: canvas.height)
      return try scaler.finish(convert)
    }

    private mutating func put(_ pixels: UnsafePointer<UInt8>, at row: Int) {
      skip(to: row)
      (line.start + 4 * area.columns.lowerBound).update(from: pixels, count: 4 * area.columns.count)
      scaler.add(line.start)
      done += 1
    }

    /// Rows up to that one are transparent.
    private mutating func skip(to row: Int) {
      guard done < row else { return }
      line.start.update(repeating: 0, count: 4 * canvas.width)
      while done < row {
        scaler.add(line.start)
        done += 1
      }
    }
  }
#endif

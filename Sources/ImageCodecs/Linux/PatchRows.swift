#if !canImport(ImageIO)
  /// The first frame of an animation, or a picture that is smaller than its canvas, scaled as its rows come: without a
  /// canvas.
  struct PatchRows: ~Copyable {
    private var scaler: RowScaler
    private let canvas: PixelSize
    private let patch: FramePatch
    private let area: FrameArea
    private let line: PixelMemory
    /// The whole frame, where its rows come in another order than from the top; else one pixel.
    private let frame: PixelMemory
    private let isInOrder: Bool
    private var done = 0
    /// Whether any row has come.
    private(set) var hasAny = false

    /// - Parameters:
    ///   - plan: Its stored size is the canvas.
    ///   - patch: Where on it the frame is.
    ///   - inOrder: Whether rows come from the top.
    /// - Throws: ``ImageCodecError/Code/limit`` where there is no memory.
    init(_ plan: DecodePlan, _ patch: FramePatch, inOrder: Bool) throws(ImageCodecError) {
      let area = patch.area(on: plan.stored)
      let kept = inOrder ? PixelSize(width: 1, height: 1) : area.size
      let scaler = try RowScaler(plan, from: plan.stored)
      let line = try PixelMemory(PixelSize(width: plan.stored.width, height: 1))
      let frame = try PixelMemory(kept)
      self.init(scaler, line, frame, plan.stored, patch, area, inOrder)
    }

    private init(
      _ scaler: consuming RowScaler, _ line: consuming PixelMemory, _ frame: consuming PixelMemory,
      _ canvas: PixelSize, _ patch: FramePatch, _ area: FrameArea, _ inOrder: Bool
    ) {
      self.scaler = scaler
      self.line = line
      self.frame = frame
      self.canvas = canvas
      self.patch = patch
      self.area = area
      isInOrder = inOrder
    }

    /// Takes a row of the frame, colours multiplied by alpha.
    mutating func add(_ row: UnsafePointer<UInt8>, at index: Int) {
      let target = patch.y + index
      guard area.rows.contains(target) else { return }
      hasAny = true
      let visible = row + 4 * (area.columns.lowerBound - patch.x)
      if isInOrder {
        put(visible, at: target)
      } else {
        let count = 4 * area.columns.count
        (frame.start + (target - area.rows.lowerBound) * count).update(from: visible, count: count)
      }
    }

    /// The picture; around the frame, and where no rows have come, it is transparent.
    ///
    /// - Parameter convert: See ``RowScaler/finish(_:)``.
    consuming func finish(
      _ convert: ((UnsafeMutablePointer<UInt8>, Int) throws(ImageCodecError) -> Void)? = nil
    ) throws(ImageCodecError) -> DecodedImage {
      if !isInOrder {
        for (index, row) in area.rows.enumerated() { put(frame.start + index * 4 * area.columns.count, at: row) }
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

  extension FrameArea {
    /// Its sides; one pixel where it is empty, so that there is memory for it.
    fileprivate var size: PixelSize {
      PixelSize(width: max(1, columns.count), height: max(1, rows.count))
    }
  }
#endif

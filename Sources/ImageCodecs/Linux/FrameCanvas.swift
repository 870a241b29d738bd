#if !canImport(ImageIO)
  /// The picture that the frames of an animation are drawn on, one after another: premultiplied RGBA of the size in the
  /// file.
  ///
  /// For each frame: ``begin(_:)``, then its rows by ``draw(_:at:)`` or ``draw(unmultiplied:at:first:step:count:)`` in
  /// any order, then read the canvas. What the frame leaves behind is settled when the next one begins. Starts
  /// transparent.
  ///
  /// Holds the canvas and, where frames are disposed of to what was before them, the largest rectangle of those; both
  /// together are bounded by ``ImageLimits/maxFrameBytes``. A canvas that needs more is refused: frames can be scaled
  /// only after they are composed, since blending and scaling can't change places at a frame's edges.
  struct FrameCanvas: ~Copyable {
    let size: PixelSize
    private let pixels: UnsafeMutablePointer<UInt8>
    private let saved: UnsafeMutablePointer<UInt8>
    private let savedBytes: Int
    private var patch: FramePatch?
    private var area = FrameArea(columns: 0..<0, rows: 0..<0)

    /// A transparent canvas.
    ///
    /// - Parameters:
    ///   - size: The size in the file.
    ///   - patches: All frames that will come; room is made for what ``FramePatch/Disposal/previous`` has to bring
    ///     back.
    /// - Throws: ``ImageCodecError/Code/limit`` where canvas and saved rectangle take more than `maxFrameBytes`.
    init(
      size: PixelSize, patches: some Sequence<FramePatch>, limits: ImageLimits
    ) throws(ImageCodecError) {
      try limits.admit(source: size)
      let byteCount = try limits.frameBytes(canvas: size)
      var savedBytes = 0
      for patch in patches where patch.disposal == .previous {
        // The rectangle is part of the canvas, so it is no larger.
        savedBytes = max(savedBytes, patch.area(on: size).byteCount)
      }
      _ = try limits.frameBytes(canvas: size, besides: savedBytes)
      self.size = size
      self.savedBytes = savedBytes
      pixels = .allocate(capacity: byteCount)
      pixels.initialize(repeating: 0, count: byteCount)
      saved = .allocate(capacity: max(1, savedBytes))
    }

    deinit {
      pixels.deallocate()
      saved.deallocate()
    }

    /// Makes all transparent, as before the first frame.
    mutating func clear() {
      patch = nil
      pixels.update(repeating: 0, count: 4 * size.area)
    }

    /// Disposes of the frame before, and makes ready for the rows of this one.
    mutating func begin(_ next: FramePatch) {
      dispose()
      patch = next
      area = next.area(on: size)
      guard next.disposal == .previous, area.byteCount <= savedBytes else { return }
      let length = 4 * area.columns.count
      for (index, row) in area.rows.enumerated() {
        (saved + index * length).update(from: start(of: row), count: length)
      }
    }

    /// Draws a row of the frame that has begun.
    ///
    /// - Parameters:
    ///   - row: As many pixels as the frame is wide, RGBA, colours multiplied by alpha.
    ///   - index: The row in the frame, counted from 0; one outside the canvas or the frame is left out.
    mutating func draw(_ row: UnsafePointer<UInt8>, at index: Int) {
      guard let (from, to) = ends(of: row, at: index), let patch else { return }
      let count = area.columns.count
      if patch.blend == .source {
        to.update(from: from, count: 4 * count)
        return
      }
      for offset in stride(from: 0, to: 4 * count, by: 4) {
        Self.put((from[offset], from[offset + 1], from[offset + 2], from[offset + 3]), over: to + offset)
      }
    }

    /// Draws pixels of a row of the frame that has begun, for files that have them in passes; each may be drawn once.
    ///
    /// - Parameters:
    ///   - row: The pixels, colours not yet multiplied by alpha.
    ///   - index: The row in the frame.
    ///   - first: The column in the frame of the first pixel, not negative.
    ///   - step: Columns from one to the next, at least 1.
    ///   - count: How many there are.
    mutating func draw(unmultiplied row: UnsafePointer<UInt8>, at index: Int, first: Int, step: Int, count: Int) {
      guard let (from, to) = ends(of: row, at: index), let patch else { return }
      // Columns counted from the first one that is seen.
      let skipped = (row.distance(to: from)) / 4
      var pixel = row
      for column in stride(from: first, to: patch.size.width, by: step).prefix(count) {
        defer { pixel += 4 }
        guard column >= skipped, column - skipped < area.columns.count else { continue }
        let target = to + 4 * (column - skipped)
        let alpha = UInt32(pixel[3])
        let color = (
          Alpha.product(pixel[0], alpha), Alpha.product(pixel[1], alpha), Alpha.product(pixel[2], alpha), pixel[3]
        )
        if patch.blend == .over {
          Self.put(color, over: target)
        } else {
          (target[0], target[1], target[2], target[3]) = color
        }
      }
    }

    /// Calls `body` with the pixels, row by row from the top left, `4 * size.width` bytes each; the pointer must not be
    /// kept.
    borrowing func withPixels<Result: ~Copyable, Failure: Error>(
      _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try body(UnsafePointer(pixels))
    }

    /// What the canvas shows, as large as the plan says and upright.
    ///
    /// - Parameter convert: Changes the colours of pixels in place; see ``RowScaler/finish(_:)``.
    /// - Throws: What `watch` and `convert` throw.
    borrowing func image(
      _ plan: DecodePlan, _ watch: DecodeWatch,
      _ convert: ((UnsafeMutablePointer<UInt8>, Int) throws(ImageCodecError) -> Void)? = nil
    ) throws(ImageCodecError) -> DecodedImage {
      var scaler = try RowScaler(plan, from: size)
      for row in 0..<size.height {
        if row % 64 == 0 { try watch.check() }
        scaler.add(pixels + 4 * row * size.width)
      }
      return try scaler.finish(convert)
    }

    private mutating func dispose() {
      guard let last = patch else { return }
      patch = nil
      let length = 4 * area.columns.count
      switch last.disposal {
      case .keep: return
      case .previous where area.byteCount <= savedBytes:
        for (index, row) in area.rows.enumerated() {
          start(of: row).update(from: saved + index * length, count: length)
        }
      case .background, .previous:
        for row in area.rows { start(of: row).update(repeating: 0, count: length) }
      }
    }

    /// The first pixel of the area in a row of the canvas.
    private func start(of row: Int) -> UnsafeMutablePointer<UInt8> {
      pixels + 4 * (row * size.width + area.columns.lowerBound)
    }

    /// Where the visible part of a frame's row begins, and where it goes.
    private func ends(
      of row: UnsafePointer<UInt8>, at index: Int
    ) -> (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>)? {
      guard let patch, index >= 0, index < patch.size.height else { return nil }
      let (target, overflow) = patch.y.addingReportingOverflow(index)
      guard !overflow, area.rows.contains(target) else { return nil }
      return (row + 4 * (area.columns.lowerBound - patch.x), start(of: target))
    }

    private static func put(_ pixel: (UInt8, UInt8, UInt8, UInt8), over target: UnsafeMutablePointer<UInt8>) {
      if pixel.3 == 255 {
        (target[0], target[1], target[2], target[3]) = pixel
      } else if pixel != (0, 0, 0, 0) {
        let left = UInt32(255 - pixel.3)
        target[0] = sum(pixel.0, Alpha.product(target[0], left))
        target[1] = sum(pixel.1, Alpha.product(target[1], left))
        target[2] = sum(pixel.2, Alpha.product(target[2], left))
        target[3] = sum(pixel.3, Alpha.product(target[3], left))
      }
    }

    /// Never above 255, whatever a frame's colours are.
    private static func sum(_ first: UInt8, _ second: UInt8) -> UInt8 {
      let (sum, overflow) = first.addingReportingOverflow(second)
      return overflow ? 255 : sum
    }
  }
#endif

#if !canImport(ImageIO)
  /// Decodes JPEG by libjpeg: baseline and progressive, gray, colour and CMYK, Huffman and arithmetic coding.
  ///
  /// Rows are scaled as they come, so memory doesn't grow with a baseline file's picture; a progressive one takes the
  /// coefficients of the whole picture, 3 bytes a pixel for most files.
  public struct JPEGDecoder: ImageDecoder {
    /// A decoder; all are equal.
    public init() {}

    /// Whether a file begins as a JPEG does.
    public func canDecode(header: [UInt8]) -> Bool { ImageFormat(sniffing: header) == .jpeg }

    /// The size of the upright picture.
    ///
    /// - Throws: ``ImageCodecError``.
    public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { try Self.header(of: data).upright }

    /// The picture.
    ///
    /// - Throws: ``ImageCodecError``.
    public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
      let header = try Self.header(of: data)
      let plan = try DecodePlan(stored: header.stored, orientation: header.orientation, options: options)
      return try data.withBytes { (bytes) throws(ImageCodecError) in try JPEGDecode(bytes, plan).picture() }
    }

    private static func header(of data: [UInt8]) throws(ImageCodecError) -> ImageHeader {
      let header = try ImageHeader(data)
      guard header.format == .jpeg else {
        throw ImageCodecError(.unsupported, message: "a \(header.format) file was given to the decoder of JPEG")
      }
      return header
    }
  }

  /// One file on its way to a picture.
  struct JPEGDecode {
    let data: UnsafeRawBufferPointer
    let plan: DecodePlan
    let scans: JPEGScans
    /// libjpeg decodes at 1 over this: 8, 4, 2 or 1.
    let denominator: Int
    private let watch: DecodeWatch

    /// Looks at the markers; nothing is decoded yet.
    ///
    /// - Parameter denominator: Nil for the one that fits.
    init(_ data: UnsafeRawBufferPointer, _ plan: DecodePlan, denominator: Int? = nil) throws(ImageCodecError) {
      self.data = data
      self.plan = plan
      watch = DecodeWatch(plan.options.limits)
      scans = try JPEGScans(data, plan.options.limits)
      // The mean of inks isn't the mean of the colours that they make.
      let hasInks = scans.frame?.components.count == 4
      self.denominator = denominator ?? (hasInks ? 1 : Self.denominator(from: plan.stored, to: plan.output))
      let isWhole = scans.isComplete || scans.bringsEverything
      guard isWhole && !scans.isTooShort(data.count) || plan.options.allowsPartial else {
        throw ImageCodecError(
          .truncated, message: "the JPEG ends too early; load it again, or ask for what there is of it")
      }
    }

    /// The largest that leaves enough pixels.
    ///
    /// A mean of means over a coarse grid isn't quite the mean of the pixels. Where that could be seen and costs little
    /// to avoid, more pixels are decoded than come out: all of a small picture, and of a middling one at least two for
    /// one each way.
    static func denominator(from stored: PixelSize, to output: PixelSize) -> Int {
      guard stored.area > 1 << 20 else { return 1 }
      let spare = stored.area > 8 << 20 ? 1 : 2
      return [8, 4, 2].first { factor in
        stored.width / (factor * spare) >= output.width && stored.height / (factor * spare) >= output.height
      } ?? 1
    }

    /// What of the file is decoded.
    var ranges: [Range<Int>] {
      // A file that is cut is judged by all its bytes, unless whatever comes is good.
      guard denominator == 8, scans.isComplete || plan.options.allowsPartial else { return [0..<scans.usableEnd] }
      return scans.bytesForMeans(scans.usableEnd)
    }

    func picture() throws(ImageCodecError) -> DecodedImage {
      var ranges = ranges
      while true {
        var failedScan = 0
        do { return try picture(of: ranges, failedScan: &failedScan) } catch {
          // Shows the scans before a damaged one.
          guard plan.options.allowsPartial, error.code == .corrupt || error.code == .truncated,
            let shorter = cut(ranges, before: failedScan)
          else { throw error }
          ranges = shorter
        }
      }
    }

    private func picture(of ranges: [Range<Int>], failedScan: inout Int) throws(ImageCodecError) -> DecodedImage {
      let options = plan.options
      var reader = try JPEGReader(data, ranges, isTolerant: options.allowsPartial, options.limits)
      let layout = try reader.readHead(expecting: plan.stored)
      let conversion = conversion(of: layout)
      // Inks without a profile are mixed before they are scaled, which is exact.
      let rows = try reader.start(
        denominator: denominator, smooths: !scans.isComplete && denominator < 8, keepsInks: conversion != nil,
        maxBytes: maxBytes)
      do { try reader.absorb(watch) } catch {
        failedScan = reader.scan
        throw error
      }
      // Newer libraries read lossless files too, and don't shrink those.
      var scaler = try RowScaler(plan, from: rows, unit: rows == plan.stored ? 1 : denominator)
      var hasRows = false
      do {
        try reader.readRows(of: rows, watch) { row in
          hasRows = true
          scaler.add(row)
        }
      } catch {
        // The rows above stay, where there are any.
        guard hasRows, options.allowsPartial, [.corrupt, .truncated].contains(error.code) else { throw error }
      }
      guard let conversion else { return try scaler.finish() }
      return try scaler.finish { conversion.convert($0, count: $1) }
    }

    /// The bytes before the scan of that number, counted from 1 in what is decoded; nil where nothing would be left.
    private func cut(_ ranges: [Range<Int>], before number: Int) -> [Range<Int>]? {
      let decoded = scans.scans.filter { scan in ranges.contains { $0.contains(scan.bytes.lowerBound) } }
      guard number > 1, number <= decoded.count else { return nil }
      let end = decoded[number - 1].bytes.lowerBound
      return ranges.filter { $0.lowerBound < end }.map { $0.clamped(to: 0..<end) }
    }

    /// The coefficients and what libjpeg needs besides.
    private var maxBytes: Int { (scans.frame?.coefficientBytes ?? 0) + (8 << 20) }

    private func conversion(of layout: ColorConversion.Layout) -> ColorConversion? {
      guard plan.options.colors == .sRGB, let profile = JPEGProfile.bytes(in: data) else { return nil }
      return profile.withUnsafeBytes { ColorConversion(icc: $0, layout) }
    }
  }
#endif

import CImageFixtures
import Testing

@testable import ImageCodecs

/// Leaving out what doesn't matter at 1/8 must not change a bit.
@Suite struct JPEGScansTests {
  @Test(arguments: JPEGFixture.kinds)
  func I9_whatIsLeftOutAtAnEighthChangesNothing(kind: JPEGFixture) throws {
    for size in [PixelSize(width: 137, height: 93), PixelSize(width: 3, height: 70)] {
      let file = kind.file(width: size.width, height: size.height)
      try Self.expectSame(file)
    }
  }

  @Test func I9_theFinestScansAreLeftOut() throws {
    func share(_ kind: JPEGFixture) throws -> Double {
      let file = kind.file(width: 400, height: 300)
      let kept = try file.withUnsafeBytes { bytes in
        try JPEGScans(bytes, ImageLimits()).bytesForMeans(bytes.count).reduce(0) { $0 + $1.count }
      }
      return Double(kept) / Double(file.count)
    }
    // Colours with a quarter of the samples keep theirs, since libjpeg makes four pixels of each block of them.
    #expect(try share(JPEGFixture(process: .progressive)) < 0.4)
    #expect(try share(JPEGFixture(process: .progressive, sampling: (1, 1))) < 0.3)
    #expect(try share(JPEGFixture(process: .progressive, colors: .gray)) < 0.3)
    #expect(try share(JPEGFixture(process: .progressive, isArithmetic: true)) < 0.4)
    #expect(try share(JPEGFixture(process: .separate)) == 1)
    #expect(try share(JPEGFixture()) == 1)
  }

  @Test func I9_colourScansStayWhereTheyMatter() throws {
    let file = JPEGFixture(process: .progressive).file(width: 200, height: 200)
    let kept = try file.withUnsafeBytes { bytes in
      let scans = try JPEGScans(bytes, ImageLimits())
      let ranges = scans.bytesForMeans(bytes.count)
      return scans.scans.filter { scan in ranges.contains { $0.contains(scan.bytes.lowerBound) } }
    }
    #expect(kept.allSatisfy { $0.components != [0] || $0.coefficients == 0...0 })
    #expect(kept.contains { $0.components == [1] && $0.coefficients == 1...63 })
    #expect(kept.contains { $0.components == [2] && $0.coefficients == 1...63 })
  }

  @Test func I10_scansAreCountedBeforeAnythingIsDecoded() throws {
    let file = JPEGFixture(process: .progressive).file(width: 40, height: 40)
    var limits = ImageLimits(maxScans: 10)
    #expect(try file.withUnsafeBytes { try JPEGScans($0, limits).scans.count } == 10)
    limits.maxScans = 9
    let error = #expect(throws: ImageCodecError.self) { try file.withUnsafeBytes { _ = try JPEGScans($0, limits) } }
    #expect(error?.code == .limit)
    #expect(error?.message.contains("maxScans") == true)
  }

  @Test func I10_theReaderCountsScansToo() throws {
    let file = JPEGFixture(process: .progressive).file(width: 40, height: 40)
    let error = #expect(throws: ImageCodecError.self) { try Self.rows(file, nil, ImageLimits(maxScans: 9)) }
    #expect(error?.code == .limit)
    _ = try Self.rows(file, nil, ImageLimits(maxScans: 10))
  }

  @Test func I10_coefficientsBeyondTheBoundAreRefused() throws {
    let file = JPEGFixture(process: .progressive).file(width: 1024, height: 1024)
    let error = #expect(throws: ImageCodecError.self) { try Self.rows(file, nil, ImageLimits(), maxBytes: 2 << 20) }
    #expect(error?.code == .limit)
    let bytes = try file.withUnsafeBytes { try JPEGScans($0, ImageLimits()).frame?.coefficientBytes }
    #expect(bytes == 3 << 20)
    _ = try Self.rows(file, nil, ImageLimits(), maxBytes: (3 << 20) + (256 << 10))
  }

  @Test func B107_aSegmentThatIsCutIsNotUsed() throws {
    let file = JPEGFixture(process: .progressive).file(width: 90, height: 70)
    let scans = try JPEGBytes.scans(file)
    // The header of the fourth scan lacks a byte.
    let cut = Array(file.prefix(scans[3].lowerBound + 5))
    let (end, isComplete) = try cut.withUnsafeBytes { bytes in
      let scans = try JPEGScans(bytes, ImageLimits())
      return (scans.usableEnd, scans.isComplete)
    }
    #expect(end == scans[3].lowerBound)
    #expect(!isComplete)
  }

  @Test func I9_whetherAllBitsCameIsKnown() throws {
    let file = JPEGFixture(process: .progressive).file(width: 90, height: 70)
    let scans = try JPEGBytes.scans(file)
    for (index, scan) in scans.enumerated() {
      let isAll = try file.prefix(scan.upperBound).withUnsafeBytes { try JPEGScans($0, ImageLimits()).bringsEverything }
      #expect(isAll == (index == scans.count - 1))
    }
  }

  /// Rows at 1/8 with and without the filter, and libjpeg's own.
  static func expectSame(_ file: [UInt8], _ comment: Comment? = nil) throws {
    let ranges = try file.withUnsafeBytes { bytes in
      try JPEGScans(bytes, ImageLimits()).bytesForMeans(bytes.count)
    }
    let filtered = try rows(file, ranges, ImageLimits())
    #expect(filtered == (try rows(file, nil, ImageLimits())), comment)
    let plain = try #require(JPEGPicture(plainly: file, scale: 8))
    #expect(JPEGPicture(size: plain.size, rgba: filtered).difference(from: plain) < 0.51, comment)
  }

  /// All pixels at 1/8.
  @discardableResult
  static func rows(
    _ file: [UInt8], _ ranges: [Range<Int>]?, _ limits: ImageLimits, maxBytes: Int = 64 << 20
  ) throws -> [UInt8] {
    try file.withUnsafeBytes { bytes in
      let size = try ImageHeader(file).stored
      var reader = try JPEGReader(bytes, ranges ?? [0..<bytes.count], isTolerant: false, limits)
      _ = try reader.readHead(expecting: size)
      let rows = try reader.start(denominator: 8, smooths: false, keepsInks: false, maxBytes: maxBytes)
      let watch = DecodeWatch(limits)
      try reader.absorb(watch)
      var pixels: [UInt8] = []
      try reader.readRows(of: rows, watch) { pixels += UnsafeBufferPointer(start: $0, count: 4 * rows.width) }
      return pixels
    }
  }
}

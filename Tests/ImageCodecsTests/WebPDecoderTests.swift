#if !canImport(ImageIO) && WebP
  import CLCMS
  import Testing

  @testable import ImageCodecs

  @Suite struct WebPDecoderTests {
    private let decoder = WebPDecoder()

    private func fit(_ width: Int, _ height: Int) -> DecodeOptions {
      DecodeOptions(target: .fit(PixelSize(width: width, height: height)))
    }

    @Test(arguments: [(-1, false), (-1, true), (80, false), (80, true)] as [(Float, Bool)])
    func I9_originalIsWhatLibwebpDecodes(quality: Float, alpha: Bool) throws {
      let file = try WebPFixture.encoded(61, 47, quality: quality, WebPFixture.photograph(61, 47, alpha: alpha))
      let image = try decoder.decode(file, DecodeOptions())
      #expect(image.size == PixelSize(width: 61, height: 47))
      #expect(image.rgba == (try WebPFixture.decoded(file).rgba))
      #expect(try decoder.size(of: file) == image.size)
      #expect(try decoder.frames(of: file, DecodeOptions()) == nil)
    }

    @Test(arguments: [(-1, false), (-1, true), (80, false), (80, true)] as [(Float, Bool)], [160, 120, 77, 20, 1])
    func I9_scaledIsTheMean(kind: (Float, Bool), width: Int) throws {
      let file = try WebPFixture.encoded(240, 180, quality: kind.0, WebPFixture.photograph(240, 180, alpha: kind.1))
      let image = try decoder.decode(file, fit(width, 1_000))
      #expect(image.size.width == width)
      let difference = image.difference(fromMeanOf: try WebPFixture.decoded(file))
      #expect(difference.allSatisfy { $0 <= 1 }, "\(difference)")
    }

    @Test func I9_largeLossyPictureIsScaledInsideLibwebp() throws {
      let size = PixelSize(width: 1_920, height: 1_280)
      #expect(size.area > WebPPicture.wholePixels)
      let file = try WebPFixture.encoded(
        size.width, size.height, quality: 80, WebPFixture.photograph(size.width, size.height))
      let whole = try WebPFixture.decoded(file)
      for width in [1_500, 960, 850, 480, 100] {
        let image = try decoder.decode(file, fit(width, 2_000))
        let difference = image.difference(fromMeanOf: whole)
        #expect(difference.allSatisfy { $0 <= 2 }, "\(width): \(difference)")
      }
    }

    @Test(arguments: [-1, 90] as [Float])
    func B103_noHaloAroundTransparency(quality: Float) throws {
      // White on black that isn't seen.
      let file = try WebPFixture.encoded(96, 96, quality: quality) { x, y in
        (x - 48) * (x - 48) + (y - 48) * (y - 48) < 1_200 ? 0xFFFF_FFFF : 0x0000_0000
      }
      let image = try decoder.decode(file, fit(25, 25)).rgba
      var edges = 0
      for offset in stride(from: 0, to: image.count, by: 4) where image[offset + 3] > 8 && image[offset + 3] < 250 {
        edges += 1
        #expect(Int(image[offset]) * 255 / Int(image[offset + 3]) >= 245, "\(image[offset..<(offset + 4)])")
      }
      #expect(edges > 8)
    }

    @Test func B101_onlyGrowsWhereAsked() throws {
      let file = try WebPFixture.encoded(10, 6, WebPFixture.photograph(10, 6))
      #expect(try decoder.decode(file, fit(100, 100)).size == PixelSize(width: 10, height: 6))
      let target = DecodeTarget.fit(PixelSize(width: 100, height: 100)).upscaled
      #expect(try decoder.decode(file, DecodeOptions(target: target)).size == PixelSize(width: 100, height: 60))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func B97_eachOrientationIsUpright(value: UInt8) throws {
      let (width, height) = (48, 32)
      let orientation = try #require(Orientation(rawValue: value))
      let colors: [UInt32] = [0xFF00_00FF, 0x00FF_00FF, 0x0000_FFFF, 0xFFFF_00FF]
      // Upright: red, green, blue and yellow quarters from the top left; stored so that it becomes that.
      let stored = orientation.isTransposed ? (height, width) : (width, height)
      let still = try WebPFixture.encoded(stored.0, stored.1) { x, y in
        var (column, row) = orientation.isTransposed ? (y, x) : (x, y)
        if orientation.flipsColumns { column = width - 1 - column }
        if orientation.flipsRows { row = height - 1 - row }
        let quarter = (row < height / 2 ? 0 : 2) + (column < width / 2 ? 0 : 1)
        return colors[quarter]
      }
      for prefix in [[], Array("Exif\u{0}\u{0}".utf8)] {
        let file = WebPFixture.extended(still, stored.0, stored.1, exif: prefix + WebPFixture.exif(value))
        #expect(try decoder.size(of: file) == PixelSize(width: width, height: height))
        for options in [DecodeOptions(), fit(24, 24), fit(12, 100)] {
          let image = try decoder.decode(file, options)
          #expect(image.size.width * 2 == image.size.height * 3)
          let quarter = (image.size.width / 4, image.size.height / 4)
          let rgba = image.rgba
          for (index, color) in colors.enumerated() {
            let (x, y) = (quarter.0 * (index % 2 * 2 + 1), quarter.1 * (index / 2 * 2 + 1))
            let offset = 4 * (y * image.size.width + x)
            let found = rgba[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(found == color, "\(index) of \(image.size)")
          }
        }
      }
    }

    @Test func I9_profileBecomesSRGB() throws {
      let profile = try Self.profileOfExchangedPrimaries()
      let still = try WebPFixture.encoded(40, 30) { x, _ in x < 20 ? 0xC800_00FF : 0x8080_80FF }
      let file = WebPFixture.extended(still, 40, 30, profile: profile)
      for options in [DecodeOptions(), fit(20, 20)] {
        let image = try decoder.decode(file, options).rgba
        // What the file calls red is green.
        #expect(image[1] > 190 && image[0] < 10, "\(image[0..<4])")
        var stored = options
        stored.colors = .asStored
        #expect(try decoder.decode(file, stored).rgba[0..<4] == [0xC8, 0, 0, 255])
      }
    }

    private static func profileOfExchangedPrimaries() throws -> [UInt8] {
      var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
      var primaries = cmsCIExyYTRIPLE(
        Red: cmsCIExyY(x: 0.30, y: 0.60, Y: 1), Green: cmsCIExyY(x: 0.64, y: 0.33, Y: 1),
        Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
      let curve = try #require(cmsBuildGamma(nil, 2.2))
      defer { cmsFreeToneCurve(curve) }
      var curves: [OpaquePointer?] = [curve, curve, curve]
      let profile = try #require(cmsCreateRGBProfile(&white, &primaries, &curves))
      defer { cmsCloseProfile(profile) }
      var count: cmsUInt32Number = 0
      #expect(cmsSaveProfileToMem(profile, nil, &count) != 0)
      var bytes = [UInt8](repeating: 0, count: Int(count))
      #expect(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
      return bytes
    }

    @Test(arguments: [(-1, false), (80, false), (80, true)] as [(Float, Bool)])
    func B107_cutFileSaysSoOrGivesItsRows(quality: Float, alpha: Bool) throws {
      let file = try WebPFixture.encoded(64, 200, quality: quality, WebPFixture.photograph(64, 200, alpha: alpha))
      let whole = try WebPFixture.decoded(file).rgba
      var best = 0
      for percent in 0..<100 {
        let cut = Array(file[..<(20 + (file.count - 21) * percent / 100)])
        #expect(errorCode { _ = try decoder.decode(cut, DecodeOptions()) } == .truncated, "\(cut.count)")
        do {
          let image = try decoder.decode(cut, DecodeOptions(allowsPartial: true)).rgba
          var rows = 0
          while rows < 200, image[(256 * rows)..<(256 * rows + 256)].contains(where: { $0 != 0 }) { rows += 1 }
          #expect(image[..<(256 * rows)] == whole[..<(256 * rows)], "\(percent) %: \(rows) rows")
          #expect(image[(256 * rows)...].allSatisfy { $0 == 0 })
          #expect(rows >= best)
          best = rows
        } catch {
          #expect(error.code == .truncated)
          #expect(best == 0)
        }
      }
      #expect(best > 100)
    }

    @Test func B108_otherBytesAreUnsupported() {
      for bytes: [UInt8] in [
        [], Array("RIFF".utf8), Array("RIFF....WAVE".utf8), Array("<html>".utf8), Array("GIF89a".utf8),
      ] {
        #expect(!decoder.canDecode(header: bytes))
        #expect(errorCode { _ = try decoder.size(of: bytes) } == .unsupported)
        #expect(errorCode { _ = try decoder.decode(bytes, DecodeOptions()) } == .unsupported)
        #expect(errorCode { _ = try decoder.frames(of: bytes, DecodeOptions()) } == .unsupported)
      }
      #expect(errorCode { _ = try decoder.decode(WebPFixture.riff([]), DecodeOptions()) } == .truncated)
    }

    @Test func BUG15_sourceIsBoundedByItsHead() throws {
      let file = try WebPFixture.encoded(40, 40, quality: 50, WebPFixture.photograph(40, 40))
      #expect(
        errorCode { _ = try decoder.decode(file, DecodeOptions(limits: ImageLimits(maxSourcePixels: 1_599))) } == .limit
      )
      #expect(errorCode { _ = try decoder.decode(file, DecodeOptions(limits: ImageLimits(maxSide: 39))) } == .limit)
      #expect(
        errorCode { _ = try decoder.decode(file, DecodeOptions(limits: ImageLimits(maxOutputPixels: 1_599))) } == .limit
      )
      #expect(errorCode { _ = try decoder.decode(file, DecodeOptions(limits: ImageLimits(maxTime: .zero))) } == .limit)
      // 268 million pixels in a few bytes.
      var bomb = try WebPFixture.encoded(8, 8, quality: 50, WebPFixture.photograph(8, 8))
      for place in 26..<30 { bomb[place] = place % 2 == 0 ? 0xFF : 0x3F }
      #expect(try decoder.size(of: bomb) == PixelSize(width: 16_383, height: 16_383))
      #expect(errorCode { _ = try decoder.decode(bomb, DecodeOptions()) } == .limit)
      let canvas = WebPFixture.animation(16_777_216, 16_777_216, [])
      #expect(errorCode { _ = try decoder.decode(canvas, DecodeOptions()) } == .limit)
    }

    @Test func I14_noChangedByteTraps() throws {
      let files = [
        try WebPFixture.encoded(30, 20, quality: 60, WebPFixture.photograph(30, 20)),
        try WebPFixture.encoded(30, 20, quality: 60, WebPFixture.photograph(30, 20, alpha: true)),
        try WebPFixture.encoded(30, 20, WebPFixture.photograph(30, 20, alpha: true)),
      ]
      let still = WebPFixture.extended(files[0], 30, 20, profile: [1, 2, 3], exif: WebPFixture.exif(6))
      let frame = WebPFixture.Frame(width: 30, height: 20, file: files[2])
      let animation = WebPFixture.animation(
        32, 24, [frame, WebPFixture.Frame(x: 2, y: 4, width: 30, height: 20, file: files[1])])
      let limits = ImageLimits(maxSourcePixels: 1 << 20, maxFrameBytes: 4 << 20)
      var random = CodecRandom(seed: 11)
      for round in 0..<3_000 {
        var changed = (files + [still, animation])[round % 5]
        // Mostly where the chunks' heads are.
        let reach = round % 3 == 0 ? changed.count : 60
        for _ in 0...(round % 4) {
          changed[Int(random.next() % UInt64(reach))] = UInt8(truncatingIfNeeded: random.next())
        }
        if round % 7 == 0 { changed = Array(changed.prefix(Int(random.next() % UInt64(changed.count)))) }
        let options = DecodeOptions(
          target: .fit(PixelSize(width: 17, height: 17)), limits: limits, allowsPartial: round % 2 == 0)
        let codes: [ImageCodecError.Code?] = [
          errorCode { _ = try decoder.size(of: changed) }, errorCode { _ = try decoder.decode(changed, options) },
          errorCode { if let frames = try decoder.frames(of: changed, options) { while try frames.next() != nil {} } },
        ]
        #expect(codes.allSatisfy { $0 != .cancelled }, "\(codes)")
      }
    }

    @Test func B117_manyThreadsGetTheSame() async throws {
      let file = try WebPFixture.encoded(200, 100, quality: 70, WebPFixture.photograph(200, 100))
      let decoder = WebPDecoder()
      let results = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<16 {
          group.addTask { try decoder.decode(file, DecodeOptions(target: .fit(PixelSize(width: 50, height: 50)))).rgba }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count == 16 && Set(results).count == 1)
    }

    @Test func I10_cancellationEndsIt() async throws {
      let file = try WebPFixture.encoded(64, 64, quality: 70, WebPFixture.photograph(64, 64))
      let decoder = WebPDecoder()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try decoder.decode(file, DecodeOptions())
      }
      let result = await task.result
      #expect(errorCode { try result.get() } == .cancelled)
    }
  }
#endif

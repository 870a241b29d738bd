#if !canImport(ImageIO) && AVIF
  import Testing

  @testable import ImageCodecs

  @Suite(.enabled(if: Corpus.folder != nil, Corpus.absence)) struct AVIFDecoderTests {
    private let decoder = AVIFDecoder()

    @Test func B97_rotationAndMirroringGiveTheSameUprightPicture() throws {
      let files = Corpus.files(in: "avif").filter { $0.name.contains("/rot") }
      let target = DecodeTarget.fit(PixelSize(width: 64, height: 64))
      let images = try files.map { try decoder.decode(try $0.bytes(), DecodeOptions(target: target)) }
      let first = try #require(images.first)
      for (file, image) in zip(files, images) {
        #expect(image.size == first.size)
        #expect(CorpusMean.difference(image, first) < 6, "\(file.name)")
      }
    }

    @Test func B115_anAnimationGivesEachFrameAndSeeks() throws {
      let bytes = try Corpus.file("avif/colors-animated-8bpc.avif").bytes()
      let target = DecodeTarget.fit(PixelSize(width: 20, height: 20))
      let frames = try #require(try decoder.frames(of: bytes, DecodeOptions(target: target)))
      #expect(frames.count == 5)
      #expect(frames.size == PixelSize(width: 20, height: 20))
      var pictures: [[UInt8]] = []
      while let frame = try frames.next() {
        #expect(frame.image.size == frames.size)
        #expect(frame.duration >= .milliseconds(20))
        pictures.append(frame.image.withPixels { Array($0) })
      }
      #expect(pictures.count == 5)
      #expect(Set(pictures).count > 1)
      for index in [3, 0, 4, 1] {
        try frames.seek(to: index)
        #expect(try frames.next()?.image.withPixels { Array($0) } == pictures[index])
      }
      try frames.seek(to: 9)
      #expect(try frames.next() == nil)
      // The first frame is the picture.
      let still = try decoder.decode(bytes, DecodeOptions(target: target))
      #expect(still.withPixels { Array($0) } == pictures.first)
      #expect(try decoder.frames(of: try Corpus.file("avif/hopper.avif").bytes(), DecodeOptions()) == nil)
    }

    @Test func B115_anAnimationAboveItsBudgetIsRefusedAndItsPictureIsNot() throws {
      let bytes = try Corpus.file("avif/colors-animated-8bpc.avif").bytes()
      let canvas = 4 * (try decoder.size(of: bytes)).area
      var options = DecodeOptions(
        target: .fit(PixelSize(width: 20, height: 20)), limits: ImageLimits(maxFrameBytes: canvas))
      #expect(try decoder.frames(of: bytes, options)?.count == 5)
      options.limits.maxFrameBytes = canvas - 1
      let error = #expect(throws: ImageCodecError.self) { try decoder.frames(of: bytes, options) }
      #expect(error?.code == .limit)
      #expect(error?.message.contains("maxFrameBytes") == true)
      #expect(try decoder.decode(bytes, options).size.width == 20)
    }

    @Test func B103_alphaMultipliesColors() throws {
      let image = try decoder.decode(try Corpus.file("avif/draw_points_idat.avif").bytes(), DecodeOptions())
      let isMultiplied = image.withPixels { pixels in
        stride(from: 0, to: pixels.count, by: 4).allSatisfy {
          max(pixels[$0], pixels[$0 + 1], pixels[$0 + 2]) <= pixels[$0 + 3]
        }
      }
      #expect(isMultiplied)
      #expect(image.withPixels { pixels in stride(from: 3, to: pixels.count, by: 4).contains { pixels[$0] < 255 } })
    }

    @Test func B104_limitsHoldBeforePixels() throws {
      try HEIFDamage.expectLimits(decoder, try Corpus.file("avif/hopper.avif").bytes())
    }

    @Test(arguments: Corpus.files(in: "avif").filter { $0.name.hasSuffix(".avif") && !$0.name.contains("rot") })
    func I14_aDamagedFileIsRefusedOrGivesAPicture(file: CorpusFile) throws {
      try HEIFDamage.expectNoTrap(decoder, try file.bytes())
    }

    @Test func B107_aFileThatIsCutIsAnError() throws {
      let bytes = try Corpus.file("avif/hopper.avif").bytes()
      for percent in [1, 10, 50, 90] {
        #expect(throws: ImageCodecError.self) {
          try decoder.decode(Array(bytes.prefix(bytes.count * percent / 100)), DecodeOptions())
        }
      }
    }
  }
#endif

#if !canImport(ImageIO) && HEIC
  import Testing

  @testable import ImageCodecs

  @Suite(.enabled(if: Corpus.folder != nil, Corpus.absence)) struct HEICDecoderTests {
    private let decoder = HEICDecoder()

    @Test func B102_aPhotographHasColorsAndItsSize() throws {
      let bytes = try Corpus.file("avif/sd_TestImage.heic").bytes()
      let size = try decoder.size(of: bytes)
      let target = DecodeTarget.fit(PixelSize(width: 100, height: 100))
      let image = try decoder.decode(bytes, DecodeOptions(target: target))
      #expect(image.size == target.outputSize(for: size))
      let means = CorpusMean.of(image)
      #expect(means[3] == 255)
      // It is no gray surface.
      #expect(image.withPixels { Set($0).count } > 100)
      #expect(try decoder.frames(of: bytes, DecodeOptions()) == nil)
    }

    @Test func B104_limitsHoldBeforePixels() throws {
      try HEIFDamage.expectLimits(decoder, try Corpus.file("avif/sd_TestImage.heic").bytes())
    }

    @Test func B107_aFileThatIsCutIsAnError() throws {
      let bytes = try Corpus.file("avif/sd_TestImage.heic").bytes()
      for percent in [0, 1, 30] {
        #expect(throws: ImageCodecError.self) {
          try decoder.decode(Array(bytes.prefix(bytes.count * percent / 100)), DecodeOptions())
        }
      }
    }

    @Test func I14_aDamagedHeadIsRefusedOrGivesASize() throws {
      var random = ScalerRandom(seed: ScalerRandom.seedOfThisRun)
      let bytes = try Corpus.file("avif/sd_TestImage.heic").bytes()
      for _ in 0..<200 {
        var changed = bytes
        for _ in 0..<4 { changed[Int.random(in: 0..<1000, using: &random)] = UInt8.random(in: 0...255, using: &random) }
        #expect(throws: Never.self, "seed \(random.seed)") {
          do { _ = try decoder.size(of: changed) } catch is ImageCodecError {}
        }
      }
    }
  }
#endif

#if !canImport(ImageIO) && (HEIC || AVIF)
  /// What holds for both.
  private enum HEIFDamage {
    static func expectLimits(_ decoder: any ImageDecoder, _ bytes: [UInt8]) throws {
      for limits in [ImageLimits(maxSourcePixels: 100), ImageLimits(maxSide: 20), ImageLimits(maxOutputPixels: 100)] {
        #expect { try decoder.decode(bytes, DecodeOptions(limits: limits)) } throws: { error in
          (error as? ImageCodecError)?.code == .limit
        }
      }
      #expect { try decoder.decode(bytes, DecodeOptions(limits: ImageLimits(maxTime: .zero))) } throws: { error in
        (error as? ImageCodecError)?.code == .limit
      }
    }

    static func expectNoTrap(_ decoder: any ImageDecoder, _ bytes: [UInt8]) throws {
      var random = ScalerRandom(seed: ScalerRandom.seedOfThisRun)
      let options = DecodeOptions(
        target: .fit(PixelSize(width: 32, height: 32)), limits: ImageLimits(maxSourcePixels: 1 << 20))
      for _ in 0..<30 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        #expect(throws: Never.self, "seed \(random.seed)") {
          do { _ = try decoder.decode(changed, options) } catch is ImageCodecError {}
        }
      }
    }
  }
#endif

#if !canImport(ImageIO)
  import CLCMS

  /// Turns the colours of a file into sRGB as its profile says, by Little CMS.
  ///
  /// Belongs to one decode: it has a context of its own, so that decodes on other threads share nothing with it.
  final class ColorConversion {
    /// What the four bytes of a pixel are before they are converted.
    enum Layout: Equatable {
      /// Red, green, blue and alpha, colours multiplied by alpha.
      case rgb
      /// The same for a gray picture, whose profile is about one channel.
      case gray
      /// Cyan, magenta, yellow and black: 0 is no ink, or all of it where inverted, as Adobe writes them.
      case cmyk(inverted: Bool)
    }

    private let layout: Layout
    private let transform: Transform?

    /// - Parameters:
    ///   - icc: The profile's bytes, not needed afterwards.
    ///   - layout: What is converted.
    /// - Returns: Nil where the profile is sRGB to within rounding, is for other colours, is damaged or larger than 4 MiB.
    init?(icc: UnsafeRawBufferPointer, _ layout: Layout = .rgb) {
      guard let transform = Transform(icc, layout) else { return nil }
      self.layout = layout
      self.transform = transform
      if layout == .rgb || layout == .gray, isIdentity() { return nil }
    }

    private init(plain layout: Layout) {
      self.layout = layout
      transform = nil
    }

    /// For CMYK without a profile, or whose profile is no good: each of red, green and blue is what its ink and black leave of the light.
    static func plainCMYK(inverted: Bool) -> ColorConversion { ColorConversion(plain: .cmyk(inverted: inverted)) }

    /// Converts pixels in place, into red, green, blue and alpha multiplied by it.
    func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
      // Stretches that stay in the cache.
      var index = 0
      while index < count {
        let stretch = min(4096, count - index)
        convertStretch(pixels + 4 * index, stretch)
        index += stretch
      }
    }

    private func convertStretch(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int) {
      switch layout {
      case .cmyk(let isInverted):
        if let transform {
          transform.run(pixels, count)
          for index in 0..<count { pixels[4 * index + 3] = 255 }
        } else {
          Self.convertPlainly(pixels, count, isInverted)
        }
      case .rgb, .gray:
        let isOpaque = Alpha.isOpaque(pixels, count: count)
        if !isOpaque { Alpha.divide(pixels, count: count) }
        transform?.run(pixels, count)
        if !isOpaque { Alpha.multiply(pixels, into: pixels, count: count) }
      }
    }

    private static func convertPlainly(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int, _ isInverted: Bool) {
      let mask: UInt8 = isInverted ? 0 : 255
      for index in 0..<count {
        let pixel = pixels + 4 * index
        // What is left of the light; the product of the two, as of a colour and alpha.
        let light = pixel[3] ^ mask
        for channel in 0..<3 { pixel[channel] ^= mask }
        pixel[3] = light
        Alpha.multiply(pixel, into: pixel, count: 1)
        pixel[3] = 255
      }
    }

    /// Whether no colour of a grid becomes another by more than rounding.
    private func isIdentity() -> Bool {
      var colors: [UInt8] = []
      for value in UInt8.min...255 { colors += [value, value, value, 255] }
      if layout == .rgb {
        let steps: [UInt8] = [0, 36, 73, 109, 146, 182, 219, 255]
        for red in steps {
          for green in steps {
            for blue in steps { colors += [red, green, blue, 255] }
          }
        }
      }
      var converted = colors
      converted.withUnsafeMutableBufferPointer { pixels in
        if let start = pixels.baseAddress { transform?.run(start, pixels.count / 4) }
      }
      return zip(colors, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
  }

  /// A transform of Little CMS with the context that it lives in.
  private final class Transform {
    private let context: cmsContext
    private let transform: cmsHTRANSFORM

    init?(_ icc: UnsafeRawBufferPointer, _ layout: ColorConversion.Layout) {
      // Less than a header is no profile; more than this is an attack, or of no use for eight bits.
      guard (128...(4 << 20)).contains(icc.count), let context = cmsCreateContext(nil, nil) else { return nil }
      guard let transform = Self.transform(context, icc, layout) else {
        cmsDeleteContext(context)
        return nil
      }
      self.context = context
      self.transform = transform
    }

    deinit {
      cmsDeleteTransform(transform)
      cmsDeleteContext(context)
    }

    /// In place; both sides are four bytes a pixel, and the last one of the target stays as it is.
    func run(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int) {
      cmsDoTransform(transform, pixels, pixels, cmsUInt32Number(count))
    }

    private static func transform(
      _ context: cmsContext, _ icc: UnsafeRawBufferPointer, _ layout: ColorConversion.Layout
    ) -> cmsHTRANSFORM? {
      // Without a handler of ours the context keeps errors to itself, and only nil tells of them.
      guard let profile = cmsOpenProfileFromMemTHR(context, icc.baseAddress, cmsUInt32Number(icc.count)) else {
        return nil
      }
      defer { cmsCloseProfile(profile) }
      let format: PixelFormat
      switch (layout, cmsGetColorSpace(profile)) {
      // Gray files with a profile of three channels are common; gray is as good a colour as others.
      case (.rgb, cmsSigRgbData), (.gray, cmsSigRgbData): format = .rgba
      case (.gray, cmsSigGrayData): format = .grayAndThree
      case (.cmyk(let isInverted), cmsSigCmykData): format = isInverted ? .invertedCMYK : .cmyk
      default: return nil
      }
      guard let sRGB = cmsCreate_sRGBProfileTHR(context) else { return nil }
      defer { cmsCloseProfile(sRGB) }
      return cmsCreateTransformTHR(
        context, profile, format.rawValue, sRGB, PixelFormat.rgba.rawValue, cmsUInt32Number(INTENT_PERCEPTUAL),
        cmsUInt32Number(cmsFLAGS_NOCACHE))
    }
  }

  /// Formats of eight bits a channel and four bytes a pixel, put together as `lcms2.h` does in macros that Swift doesn't see.
  private enum PixelFormat: cmsUInt32Number {
    /// Three channels and a byte that is left alone; colour space 4.
    case rgba = 0x4_0099
    /// One channel, and three bytes that are passed over; colour space 3.
    case grayAndThree = 0x3_0189
    /// Four channels; colour space 6.
    case cmyk = 0x6_0021
    /// The same, 255 being no ink.
    case invertedCMYK = 0x6_2021
  }
#endif

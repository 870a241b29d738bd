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
    private let transform: ColorTransform

    /// - Parameters:
    ///   - icc: The profile's bytes, not needed afterwards.
    ///   - layout: What is converted.
    /// - Returns: Nil where the profile is sRGB to within rounding, is for other colours, is damaged or larger than 4
    ///   MiB.
    convenience init?(icc: UnsafeRawBufferPointer, _ layout: Layout = .rgb) {
      // Less than a header is no profile; more than this is an attack, or of no use for eight bits.
      guard (128...(4 << 20)).contains(icc.count) else { return nil }
      self.init(layout) { cmsOpenProfileFromMemTHR($0, icc.baseAddress, cmsUInt32Number(icc.count)) }
    }

    /// For colours that a file tells by numbers of its own, not by a profile.
    ///
    /// - Returns: Nil where they are those of sRGB, or not known to be anything else.
    convenience init?(_ codePoints: ColorCodePoints) {
      guard !codePoints.isSRGB else { return nil }
      self.init(.rgb) { codePoints.profile($0) }
    }

    private init?(_ layout: Layout, _ profile: (cmsContext) -> cmsHPROFILE?) {
      guard let transform = ColorTransform(layout, profile) else { return nil }
      self.layout = layout
      self.transform = transform
      if layout == .rgb || layout == .gray, isIdentity() { return nil }
    }

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
      case .cmyk:
        transform.run(pixels, count)
        for index in 0..<count { pixels[4 * index + 3] = 255 }
      case .rgb, .gray:
        let isOpaque = Alpha.isOpaque(pixels, count: count)
        if !isOpaque { Alpha.divide(pixels, count: count) }
        transform.run(pixels, count)
        if !isOpaque { Alpha.multiply(pixels, into: pixels, count: count) }
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
        if let start = pixels.baseAddress { transform.run(start, pixels.count / 4) }
      }
      return zip(colors, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
  }
#endif

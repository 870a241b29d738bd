#if !canImport(ImageIO)
  import CLCMS

  /// Colours by the numbers of ITU-T H.273, as AVIF and HEIC tell them.
  struct ColorCodePoints {
    let primaries: Int
    let transfer: Int

    /// Whether nothing is to be done: sRGB, or what is unknown and shown as if it were.
    var isSRGB: Bool { chromaticities == nil || curve == nil || (primaries == 1 && curve == .sRGB) }

    private enum Curve: Equatable {
      case sRGB
      case power(Double)
    }

    /// Nil for what isn't known, and for the curves of high dynamic range, which need more than a conversion.
    private var curve: Curve? {
      switch transfer {
      // Those of television are shown with the screen's own curve, by everyone.
      case 1, 2, 6, 13, 14, 15: .sRGB
      case 4: .power(2.2)
      case 5: .power(2.8)
      case 8: .power(1)
      default: nil
      }
    }

    /// White, red, green and blue, each x and y; nil for what isn't known.
    private var chromaticities: [Double]? {
      switch primaries {
      case 1: [0.3127, 0.3290, 0.640, 0.330, 0.300, 0.600, 0.150, 0.060]
      case 5: [0.3127, 0.3290, 0.640, 0.330, 0.290, 0.600, 0.150, 0.060]
      case 6, 7: [0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070]
      case 9: [0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046]
      case 11: [0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
      case 12: [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
      default: nil
      }
    }

    /// A profile of those colours, to be closed by the caller; nil where they aren't known.
    func profile(_ context: cmsContext) -> cmsHPROFILE? {
      guard let points = chromaticities, let curve else { return nil }
      var white = cmsCIExyY(x: points[0], y: points[1], Y: 1)
      var primaries = cmsCIExyYTRIPLE(
        Red: cmsCIExyY(x: points[2], y: points[3], Y: 1), Green: cmsCIExyY(x: points[4], y: points[5], Y: 1),
        Blue: cmsCIExyY(x: points[6], y: points[7], Y: 1))
      let tone =
        switch curve {
        case .sRGB: cmsBuildParametricToneCurve(context, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .power(let gamma): cmsBuildGamma(context, gamma)
        }
      guard let tone else { return nil }
      defer { cmsFreeToneCurve(tone) }
      return cmsCreateRGBProfileTHR(context, &white, &primaries, [tone, tone, tone])
    }
  }
#endif

#if !canImport(ImageIO)
  import CLCMS

  /// A transform of Little CMS with the context that it lives in.
  final class ColorTransform {
    private let context: cmsContext
    private let transform: cmsHTRANSFORM

    /// - Parameter profile: Makes the profile of the source; nil where it is no good.
    init?(_ layout: ColorConversion.Layout, _ profile: (cmsContext) -> cmsHPROFILE?) {
      // Without a handler of ours the context keeps errors to itself, and only nil tells of them.
      guard let context = cmsCreateContext(nil, nil) else { return nil }
      guard let transform = Self.transform(context, profile, layout) else {
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
      _ context: cmsContext, _ profile: (cmsContext) -> cmsHPROFILE?, _ layout: ColorConversion.Layout
    ) -> cmsHTRANSFORM? {
      guard let profile = profile(context) else { return nil }
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

  /// Formats of eight bits a channel and four bytes a pixel, put together as `lcms2.h` does in macros that Swift
  /// doesn't see.
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

import ImageCodecs
import ImageTesting
import Synchronization

/// The fake decoder with one fault.
final class PlantedDecoder: ImageDecoder {
  enum Fault: String, CaseIterable, Sendable {
    case takesNothing, wrongSize, transposedSize, cutsTarget, growsAlways, refusesUpscaling, notMultiplied,
      differsEachTime
    case ignoresSourceLimit, ignoresSideLimit, ignoresOutputLimit, ignoresTime, limitsTooMuch, wrongLimitCode
    case ignoresCancellation, wrongCancellationCode, cancelsByItself, sharesState, fillsWhatIsCut, partsOfWrongSize
    case damagedIsLarge, framesOfStill, framesMissing, tooManyFrames, wrongCount, shortFrames, framesDontGoBack
    case framesPastTheEnd, firstFrameDiffers, framesOfTwoSizes, previewPastTheEnd, previewStandsStill,
      previewCantBeDecoded
  }

  let fault: Fault
  private let inner = FakeImageDecoder()
  private let calls = Mutex(0)
  private let owner = Mutex<Int?>(nil)

  init(_ fault: Fault) { self.fault = fault }

  func canDecode(header: [UInt8]) -> Bool { fault == .takesNothing ? false : inner.canDecode(header: header) }

  func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize {
    let size = try inner.size(of: data)
    switch fault {
    case .wrongSize: return PixelSize(width: size.width + 1, height: size.height)
    case .transposedSize: return PixelSize(width: size.height, height: size.width)
    default: return size
    }
  }

  func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    var options = options
    let isWhole = (try? inner.decode(data, DecodeOptions(target: .fit(PixelSize(width: 1, height: 1))))) != nil
    switch fault {
    case .growsAlways: options.target.allowsUpscaling = true
    case .refusesUpscaling: options.target.allowsUpscaling = false
    case .ignoresSourceLimit: options.limits.maxSourcePixels = .max
    case .ignoresSideLimit: options.limits.maxSide = .max
    case .ignoresOutputLimit: options.limits.maxOutputPixels = .max
    case .ignoresTime: options.limits.maxTime = .seconds(3_600)
    case .limitsTooMuch where options.target.size != nil:
      if try inner.size(of: data).area > options.limits.maxOutputPixels {
        throw ImageCodecError(.limit, message: "planted")
      }
    case .ignoresCancellation: return try Self.uncancelled { try inner.decode(data, options) }
    case .damagedIsLarge where !isWhole && inner.canDecode(header: data):
      return try Self.plain(PixelSize(width: 300, height: 300), [1, 1, 1, 255])
    case .fillsWhatIsCut: options.allowsPartial = true
    case .partsOfWrongSize where !isWhole && options.allowsPartial && data.count > 19:
      return try Self.plain(PixelSize(width: 3, height: 3), [1, 1, 1, 255])
    case .cancelsByItself where !isWhole: throw ImageCodecError(.cancelled, message: "planted")
    case .previewCantBeDecoded where !isWhole && options.allowsPartial:
      throw ImageCodecError(.corrupt, message: "planted")
    default: break
    }
    do throws(ImageCodecError) { return try alter(try inner.decode(data, options), options) } catch {
      if fault == .wrongLimitCode, error.code == .limit { throw ImageCodecError(.corrupt, message: "planted") }
      if fault == .wrongCancellationCode, error.code == .cancelled {
        throw ImageCodecError(.corrupt, message: "planted")
      }
      throw error
    }
  }

  private func alter(_ image: DecodedImage, _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    switch fault {
    case .cutsTarget:
      guard let size = options.target.size, size.width > 0, size.height > 0 else { return image }
      return try Self.plain(size, [1, 1, 1, 255])
    case .notMultiplied: return try Self.plain(image.size, [200, 0, 0, 100])
    case .differsEachTime:
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      return try Self.plain(image.size, [UInt8(call % 200), 0, 0, 255])
    case .sharesState:
      // What belongs to the first task that came is no good to others.
      let task = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
      let isFirst = owner.withLock { owner in
        owner = owner ?? task
        return owner == task
      }
      return isFirst ? image : try Self.plain(image.size, [1, 1, 1, 255])
    default: return image
    }
  }

  func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
    let frames = try inner.frames(of: data, options)
    switch fault {
    case .framesMissing: return nil
    case .framesOfStill where frames == nil:
      return try inner.frames(
        of: FakeImageDecoder.file(PixelSize(width: 2, height: 2), frames: [[], []], each: .zero), options)
    default: return frames.map { PlantedFrames($0, fault) }
    }
  }

  func previewLength(of data: [UInt8], after shown: Int) -> Int? {
    switch fault {
    case .previewPastTheEnd: data.count + 1
    case .previewStandsStill: shown == 0 ? 20 : shown
    case .previewCantBeDecoded: data.count > 20 && shown == 0 ? 20 : nil
    default: nil
    }
  }

  private static func plain(_ size: PixelSize, _ color: [UInt8]) throws(ImageCodecError) -> DecodedImage {
    try DecodedImage(size: size) { (pixels: UnsafeMutableRawBufferPointer) in
      for index in pixels.indices { pixels[index] = color[index % 4] }
    }
  }

  /// What `body` gives in a thread whose task isn't looked at.
  private static func uncancelled(_ body: () throws -> DecodedImage) throws(ImageCodecError) -> DecodedImage {
    do { return try body() } catch let error as ImageCodecError {
      guard error.code == .cancelled else { throw error }
      return try plain(PixelSize(width: 24, height: 16), [0, 0, 0, 255])
    } catch { throw ImageCodecError(.corrupt, message: "planted") }
  }
}

/// Frames with one fault.
private final class PlantedFrames: ImageFrames {
  private let inner: any ImageFrames
  private let fault: PlantedDecoder.Fault
  private let given = Mutex(0)

  init(_ inner: any ImageFrames, _ fault: PlantedDecoder.Fault) {
    self.inner = inner
    self.fault = fault
  }

  var count: Int { fault == .wrongCount ? inner.count + 1 : inner.count }
  var loopCount: Int { inner.loopCount }
  var size: PixelSize { inner.size }

  func next() throws(ImageCodecError) -> ImageFrame? {
    let number = given.withLock { given in
      defer { given += 1 }
      return given
    }
    var frame = try inner.next()
    if frame == nil, fault == .tooManyFrames || (fault == .framesPastTheEnd && number > inner.count) {
      try inner.seek(to: 0)
      frame = try inner.next()
    }
    guard var frame else { return nil }
    if fault == .shortFrames { frame.duration = .milliseconds(10) }
    if fault == .firstFrameDiffers || (fault == .framesOfTwoSizes && number == 1) {
      let size = fault == .framesOfTwoSizes ? PixelSize(width: 1, height: 1) : frame.image.size
      frame.image = try DecodedImage(size: size) { (pixels: UnsafeMutableRawBufferPointer) in
        for index in pixels.indices { pixels[index] = 255 }
      }
    }
    return frame
  }

  func seek(to index: Int) throws(ImageCodecError) {
    if fault != .framesDontGoBack { try inner.seek(to: index) }
  }
}

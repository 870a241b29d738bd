import ImageCodecs
import PagingTesting

/// One sample's run of a decoder verifier.
struct DecoderTrial {
  let decoder: any ImageDecoder
  let sample: ImageSample
  var findings: Findings
  let trying: (@Sendable (String) -> Void)?

  init(
    decoder: any ImageDecoder, sample: ImageSample, findings: Findings, trying: (@Sendable (String) -> Void)?
  ) {
    self.decoder = decoder
    self.sample = sample
    self.findings = findings
    self.trying = trying
  }

  /// A small size, at which files that are cut or damaged are decoded.
  static let small = DecodeTarget.fit(PixelSize(width: 48, height: 48))

  mutating func run(alterations: Int, seed: UInt64) async {
    guard checkTaking(), let whole = checkSize() else { return }
    checkPixels(whole)
    checkTargets()
    checkLimits()
    await checkCancellation()
    await checkConcurrency()
    checkFrames()
    checkPreviews()
    checkCuts()
    checkDamage(alterations, seed: seed)
  }

  // MARK: - Calls

  /// A decode that is told of.
  func decode(
    _ bytes: [UInt8], _ what: String, _ target: DecodeTarget = .original, limits: ImageLimits = ImageLimits(),
    allowsPartial: Bool = false
  ) -> Result<DecodedImage, ImageCodecError> {
    trying?("decode(\(what)) of '\(sample.name)'")
    let options = DecodeOptions(target: target, limits: limits, allowsPartial: allowsPartial)
    do throws(ImageCodecError) { return .success(try decoder.decode(bytes, options)) } catch { return .failure(error) }
  }

  static func bytes(_ image: DecodedImage) -> [UInt8] { image.withPixels { Array($0) } }

  static func name(_ target: DecodeTarget) -> String {
    let size = target.size.map { " \($0)" } ?? ""
    return "\(target.mode)\(size)\(target.allowsUpscaling ? " upscaled" : "")"
  }

  mutating func fail(_ check: VerifierCheck, _ message: String) {
    findings.fail(check, "'\(sample.name)': \(message)")
  }

  // MARK: - Good files

  private mutating func checkTaking() -> Bool {
    findings.begin(.decoderTakes)
    let header = Array(sample.bytes.prefix(ImageFormat.headerLength))
    trying?("canDecode(header:) of '\(sample.name)'")
    guard decoder.canDecode(header: header) else {
      fail(.decoderTakes, "canDecode(header:) is false for its first \(header.count) bytes.")
      return false
    }
    // Whatever it says of these, it must say it.
    for count in 0..<header.count { _ = decoder.canDecode(header: Array(header.prefix(count))) }
    return true
  }

  private mutating func checkSize() -> DecodedImage? {
    findings.begin(.decoderSize)
    trying?("size(of:) of '\(sample.name)'")
    do throws(ImageCodecError) {
      let size = try decoder.size(of: sample.bytes)
      if size != sample.size { fail(.decoderSize, "size(of:) is \(size), and the picture \(sample.size).") }
    } catch { fail(.decoderSize, "size(of:) threw \(error).") }
    switch decode(sample.bytes, "original") {
    case .failure(let error):
      fail(.decoderSize, "decode at its original size threw \(error).")
      return nil
    case .success(let image):
      guard image.size != sample.size else { return image }
      fail(.decoderSize, "decode at its original size gave \(image.size), and the picture is \(sample.size).")
      return nil
    }
  }

  private mutating func checkPixels(_ whole: DecodedImage) {
    findings.begin(.decoderPixels)
    let bytes = Self.bytes(whole)
    for start in stride(from: 0, to: bytes.count, by: 4)
    where bytes[start] > bytes[start + 3] || bytes[start + 1] > bytes[start + 3] || bytes[start + 2] > bytes[start + 3]
    {
      let (x, y) = (start / 4 % whole.size.width, start / 4 / whole.size.width)
      fail(
        .decoderPixels,
        "the pixel at \(x), \(y) is \(Array(bytes[start..<(start + 4)])); colours have to be multiplied by alpha.")
      break
    }
    if case .success(let again) = decode(sample.bytes, "original, again"), Self.bytes(again) != bytes {
      fail(.decoderPixels, "decode gave another picture the second time.")
    }
  }

  private mutating func checkTargets() {
    findings.begin(.decoderTargets)
    let (width, height) = (sample.size.width, sample.size.height)
    var sizes = [PixelSize(width: 1, height: 1), PixelSize(width: 0, height: -1)]
    for (part, whole) in [(1, 8), (1, 3), (1, 2), (5, 8), (1, 1), (3, 2)] {
      sizes.append(PixelSize(width: max(1, width * part / whole), height: max(1, height * part / whole)))
    }
    sizes += [PixelSize(width: max(1, width / 2), height: height), PixelSize(width: 7, height: 19)]
    for size in sizes {
      for target in [
        DecodeTarget.fit(size), .fill(size), DecodeTarget.fit(size).upscaled, DecodeTarget.fill(size).upscaled,
      ] {
        let expected = target.outputSize(for: sample.size)
        guard expected.area <= 4_000_000 else { continue }
        switch decode(sample.bytes, Self.name(target), target) {
        case .failure(let error): fail(.decoderTargets, "decode at \(Self.name(target)) threw \(error).")
        case .success(let image):
          if image.size != expected {
            fail(.decoderTargets, "decode at \(Self.name(target)) gave \(image.size), not \(expected).")
          }
        }
      }
    }
  }

  private mutating func checkLimits() {
    findings.begin(.decoderLimits)
    let size = sample.size
    let half = DecodeTarget.fit(PixelSize(width: max(1, size.width / 2), height: max(1, size.height / 2)))
    let forbidding = [
      ("maxSourcePixels \(size.area - 1)", ImageLimits(maxSourcePixels: size.area - 1), half),
      ("maxSide \(max(size.width, size.height) - 1)", ImageLimits(maxSide: max(size.width, size.height) - 1), half),
      ("maxOutputPixels \(size.area - 1)", ImageLimits(maxOutputPixels: size.area - 1), .original),
      ("maxTime 0", ImageLimits(maxTime: .zero), half),
    ]
    for (name, limits, target) in forbidding {
      switch decode(sample.bytes, name, target, limits: limits) {
      case .success:
        fail(.decoderLimits, "decode at \(Self.name(target)) with \(name) gave a picture; it has to be refused.")
      case .failure(let error):
        if error.code != .limit {
          fail(.decoderLimits, "decode with \(name) threw \(error), and not an error of the code limit.")
        }
      }
    }
    let allowing = ImageLimits(
      maxSourcePixels: size.area, maxSide: max(size.width, size.height),
      maxOutputPixels: half.outputSize(for: size).area)
    if case .failure(let error) = decode(sample.bytes, "limits that allow just that", half, limits: allowing) {
      fail(
        .decoderLimits,
        "decode at \(Self.name(half)) within maxSourcePixels, maxSide and maxOutputPixels threw \(error).")
    }
  }

  // MARK: - Tasks

  private mutating func checkCancellation() async {
    findings.begin(.decoderCancellation)
    trying?("decode(cancelled) of '\(sample.name)'")
    let (decoder, bytes) = (decoder, sample.bytes)
    let result = await Task.detached { () -> Result<Void, ImageCodecError> in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(ImageCodecError) {
        _ = try decoder.decode(bytes, DecodeOptions())
        return .success(())
      } catch { return .failure(error) }
    }.value
    switch result {
    case .success:
      fail(
        .decoderCancellation,
        "decode in a task that is cancelled gave a picture; look at Task.isCancelled once a band of rows.")
    case .failure(let error):
      if error.code != .cancelled {
        fail(
          .decoderCancellation,
          "decode in a task that is cancelled threw \(error), and not an error of the code cancelled.")
      }
    }
  }

  private mutating func checkConcurrency() async {
    findings.begin(.decoderConcurrency)
    guard case .success(let alone) = decode(sample.bytes, "small", Self.small) else { return }
    trying?("eight decodes of '\(sample.name)' at once")
    let (decoder, bytes, expected) = (decoder, sample.bytes, Self.bytes(alone))
    let others = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do throws(ImageCodecError) {
            let image = try decoder.decode(bytes, DecodeOptions(target: Self.small))
            return Self.bytes(image) == expected ? nil : "gave another picture"
          } catch { return "threw \(error)" }
        }
      }
      return await group.reduce(into: [String]()) { all, one in if let one { all.append(one) } }
    }
    if let other = others.first {
      fail(.decoderConcurrency, "of eight decodes side by side \(others.count) went wrong; one \(other).")
    }
  }
}

import ImageCodecs
import Loading
import PagingTesting

extension DecoderTrial {
  /// Limits that a damaged file's picture has to keep to.
  private static let tight = ImageLimits(maxSourcePixels: 4_000_000, maxSide: 8_000, maxOutputPixels: 40_000)

  mutating func checkCuts() {
    findings.begin(.decoderCut)
    guard case .success(let whole) = decode(sample.bytes, "small", Self.small) else { return }
    let picture = Self.bytes(whole)
    for count in cutLengths {
      let bytes = Array(sample.bytes.prefix(count))
      let what = "cut after \(count) of \(sample.bytes.count) bytes"
      checkSize(of: bytes, what, in: .decoderCut)
      switch decode(bytes, what, Self.small) {
      case .success(let image):
        // What is missing may be of no account to the pixels.
        if Self.bytes(image) != picture {
          fail(.decoderCut, "\(what), it gave another picture and no error, though no part was allowed.")
        }
      case .failure(let error): checkCode(error, what, in: .decoderCut)
      }
      switch decode(bytes, what + ", a part is allowed", Self.small, allowsPartial: true) {
      case .success(let image):
        if image.size != whole.size { fail(.decoderCut, "\(what), a part of it is \(image.size), not \(whole.size).") }
      case .failure(let error): checkCode(error, what, in: .decoderCut)
      }
      playFrames(of: bytes, what, in: .decoderCut)
    }
  }

  /// Every length of a small file; of a large one each at its beginning and end, and a thousand between them.
  private var cutLengths: [Int] {
    let count = sample.bytes.count
    guard count > 2048 else { return Array(0..<count) }
    let middle = stride(from: 512, to: count - 64, by: max(1, (count - 576) / 1000))
    return Array(0..<512) + middle + Array((count - 64)..<count)
  }

  mutating func checkDamage(_ alterations: Int, seed: UInt64) {
    findings.begin(.decoderDamage)
    var random = SeededGenerator(seed: seed)
    for round in 0..<alterations {
      var bytes = sample.bytes
      var places: [Int] = []
      // The head decides most, so half of the rounds are about it.
      let range = round % 2 == 0 ? min(64, bytes.count) : bytes.count
      guard range > 0 else { return }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<range, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
        places.append(place)
      }
      tryDamaged(bytes, "with bytes \(places) altered (seed \(seed), round \(round))")
    }
    tryDamaged([], "without any bytes")
    tryDamaged(sample.bytes + sample.bytes, "twice in a row")
    tryDamaged(sample.bytes + [UInt8](repeating: 0, count: 1000), "with zeros behind")
    let head = Array(sample.bytes.prefix(ImageFormat.headerLength))
    tryDamaged(
      head + (0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) },
      "with noise behind its head (seed \(seed))")
    tryDamaged(head + [UInt8](repeating: 255, count: 1000), "with ones behind its head")
  }

  private mutating func tryDamaged(_ bytes: [UInt8], _ what: String) {
    checkSize(of: bytes, what, in: .decoderDamage)
    for allowsPartial in [false, true] {
      for target in [Self.small, .original] {
        switch decode(bytes, what, target, limits: Self.tight, allowsPartial: allowsPartial) {
        case .success(let image):
          let isInside = target.size.map { image.size.width <= $0.width && image.size.height <= $0.height } ?? true
          if !isInside || image.size.area > Self.tight.maxOutputPixels {
            fail(
              .decoderDamage,
              "\(what), decode at \(Self.name(target)) gave \(image.size) pixels, above target or maxOutputPixels.")
          }
        case .failure(let error): checkCode(error, what, in: .decoderDamage)
        }
      }
    }
    playFrames(of: bytes, what, in: .decoderDamage)
  }

  private mutating func checkSize(of bytes: [UInt8], _ what: String, in check: VerifierCheck) {
    trying?("size(of:), \(what), of '\(sample.name)'")
    do throws(ImageCodecError) {
      let size = try decoder.size(of: bytes)
      if size.width < 1 || size.height < 1 { fail(check, "\(what), size(of:) is \(size).") }
    } catch { checkCode(error, what, in: check) }
  }

  private mutating func checkCode(_ error: ImageCodecError, _ what: String, in check: VerifierCheck) {
    if error.code == .cancelled, !Task.isCancelled {
      fail(check, "\(what), it threw \(error), and nobody has cancelled.")
    }
  }

  /// Some frames of what may be none any more; they must end.
  private mutating func playFrames(of bytes: [UInt8], _ what: String, in check: VerifierCheck) {
    guard sample.frameCount != nil else { return }
    trying?("frames(of:), \(what), of '\(sample.name)'")
    do throws(ImageCodecError) {
      guard let frames = try decoder.frames(of: bytes, DecodeOptions(target: Self.small, limits: Self.tight)) else {
        return
      }
      for _ in 0..<32 {
        guard let frame = try frames.next() else { return }
        if frame.image.size.area > Self.tight.maxOutputPixels {
          fail(check, "\(what), a frame is \(frame.image.size) pixels, above maxOutputPixels.")
        }
      }
    } catch { checkCode(error, what, in: check) }
  }
}

@testable import ImageCodecs

/// Numbers that are the same each time (SplitMix64).
struct CodecRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

/// The code of the error that `body` throws; nil where it throws none of this module's.
func errorCode(_ body: () throws -> Void) -> ImageCodecError.Code? {
  do { try body() } catch { return (error as? ImageCodecError)?.code }
  return nil
}

/// All frames from where the cursor is.
func remainingFrames(_ frames: any ImageFrames) throws(ImageCodecError) -> [ImageFrame] {
  var all: [ImageFrame] = []
  while let frame = try frames.next() { all.append(frame) }
  return all
}

extension DecodedImage {
  /// The pixels as numbers, red in the upper eight bits and alpha in the lower.
  var numbers: [UInt32] {
    withPixels { pixels in
      (0..<(pixels.count / 4)).map { UInt32(bigEndian: pixels.load(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
  }

  /// All bytes.
  var rgba: [UInt8] { withPixels { Array($0) } }
}

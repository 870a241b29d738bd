public import ImageCodecs
public import PagingTesting

/// Checks one's own decoder against what a loader relies on, and says what is broken and which call shows it.
///
/// ```swift
/// let report = await ImageDecoderVerifier(
///   MyDecoder(), samples: [ImageSample("logo", bytes, size: PixelSize(width: 64, height: 48))]
/// ).verify()
/// #expect(report.isClean, "\(report)")
/// ```
///
/// Good files are decoded at many sizes, side by side and under limits; then they are cut at every length and their
/// bytes altered at random. Small files make it quick: each is decoded some thousand times. A decoder that traps or
/// never returns ends or hangs the test itself; `trying` hears before each call what it is about. What it can't see:
/// whether colours are right, and how much memory is used on the way.
public struct ImageDecoderVerifier: Sendable {
  private let decoder: any ImageDecoder
  private let samples: [ImageSample]
  private let alterations: Int
  private let seed: UInt64
  private let trying: (@Sendable (String) -> Void)?

  /// A verifier of a decoder.
  ///
  /// - Parameters:
  ///   - decoder: The decoder.
  ///   - samples: Good files, best one of each kind that it takes; at least one.
  ///   - alterations: How many files with bytes altered are tried of each; default 200.
  ///   - seed: What draws those bytes; the same seed draws the same. Default 1.
  ///   - trying: Hears before each call what is tried, on any thread; default nil.
  public init(
    _ decoder: any ImageDecoder, samples: [ImageSample], alterations: Int = 200, seed: UInt64 = 1,
    trying: (@Sendable (String) -> Void)? = nil
  ) {
    self.decoder = decoder
    self.samples = samples
    self.alterations = max(0, alterations)
    self.seed = seed
    self.trying = trying
  }

  /// Makes all checks, one after the other; of files that can't be decoded at all the rest is left out.
  public func verify() async -> VerifierReport {
    var findings = Findings()
    findings.begin(.decoderTakes)
    if samples.isEmpty { findings.fail(.decoderTakes, "No sample was given; give at least one good file.") }
    for sample in samples {
      var trial = DecoderTrial(decoder: decoder, sample: sample, findings: findings, trying: trying)
      await trial.run(alterations: alterations, seed: seed)
      findings = trial.findings
    }
    if !samples.contains(where: { $0.frameCount != nil }) { findings.skip(.decoderFrames) }
    return findings.report
  }
}

/// A good file, and what a decoder has to say of it.
public struct ImageSample: Sendable {
  /// What reports call it.
  public var name: String
  /// The file.
  public var bytes: [UInt8]
  /// The size of the upright picture.
  public var size: PixelSize
  /// How many frames there are; nil for a still picture.
  public var frameCount: Int?

  /// A file of those facts.
  public init(_ name: String, _ bytes: [UInt8], size: PixelSize, frameCount: Int? = nil) {
    self.name = name
    self.bytes = bytes
    self.size = size
    self.frameCount = frameCount
  }
}

extension VerifierCheck {
  // MARK: - Image decoders

  /// Good files are taken, by their first bytes.
  public static let decoderTakes = VerifierCheck(rawValue: "decoderTakes")
  /// The size is the picture's, with and without decoding.
  public static let decoderSize = VerifierCheck(rawValue: "decoderSize")
  /// What comes out has the size that its target makes of it.
  public static let decoderTargets = VerifierCheck(rawValue: "decoderTargets")
  /// Colours are multiplied by alpha, and a file gives the same picture each time.
  public static let decoderPixels = VerifierCheck(rawValue: "decoderPixels")
  /// What a limit forbids is refused, with an error of the code `limit`; the rest is not.
  public static let decoderLimits = VerifierCheck(rawValue: "decoderLimits")
  /// A decode whose task is cancelled ends with the code `cancelled`, and no other does.
  public static let decoderCancellation = VerifierCheck(rawValue: "decoderCancellation")
  /// Decodes side by side give what they give one by one.
  public static let decoderConcurrency = VerifierCheck(rawValue: "decoderConcurrency")
  /// Frames are as many as the count says, of one size, and can be gone back to.
  public static let decoderFrames = VerifierCheck(rawValue: "decoderFrames")
  /// Lengths that are worth showing grow, and are there.
  public static let decoderPreviews = VerifierCheck(rawValue: "decoderPreviews")
  /// A file that was cut gives an error or the whole picture, and where a part is allowed, one of the right size.
  public static let decoderCut = VerifierCheck(rawValue: "decoderCut")
  /// A file that was altered gives an error, or a picture within target and limits.
  public static let decoderDamage = VerifierCheck(rawValue: "decoderDamage")
}

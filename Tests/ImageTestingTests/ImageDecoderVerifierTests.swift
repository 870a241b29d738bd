import ImageCodecs
import ImageTesting
import PagingTesting
import Synchronization
import Testing

@Suite struct ImageDecoderVerifierTests {
  private static let size = PixelSize(width: 24, height: 16)

  private var samples: [ImageSample] {
    [
      ImageSample("still", FakeImageDecoder.file(Self.size, color: [100, 50, 25, 200]), size: Self.size),
      ImageSample(
        "animation",
        FakeImageDecoder.file(
          Self.size, frames: [[9, 9, 9, 255], [8, 8, 8, 255], [7, 7, 7, 255]], each: .milliseconds(40)),
        size: Self.size, frameCount: 3),
    ]
  }

  @Test func I14_aDecoderThatKeepsItsContractIsClean() async {
    let report = await ImageDecoderVerifier(FakeImageDecoder(), samples: samples).verify()
    #expect(report.isClean, "\(report)")
    #expect(report.checked.count == 11)
    #expect(report.skipped.isEmpty)
  }

  @Test(arguments: PlantedDecoder.Fault.allCases) func I14_eachPlantedFaultIsFound(fault: PlantedDecoder.Fault) async {
    let report = await ImageDecoderVerifier(PlantedDecoder(fault), samples: samples, alterations: 40).verify()
    let expected: VerifierCheck =
      switch fault {
      case .takesNothing: .decoderTakes
      case .wrongSize, .transposedSize: .decoderSize
      case .cutsTarget, .growsAlways, .refusesUpscaling: .decoderTargets
      case .notMultiplied, .differsEachTime: .decoderPixels
      case .ignoresSourceLimit, .ignoresSideLimit, .ignoresOutputLimit, .ignoresTime, .limitsTooMuch, .wrongLimitCode:
        .decoderLimits
      case .ignoresCancellation, .wrongCancellationCode: .decoderCancellation
      case .sharesState: .decoderConcurrency
      case .fillsWhatIsCut, .partsOfWrongSize, .cancelsByItself: .decoderCut
      case .damagedIsLarge: .decoderDamage
      case .framesOfStill, .framesMissing, .tooManyFrames, .wrongCount, .shortFrames, .framesDontGoBack,
        .framesPastTheEnd, .firstFrameDiffers, .framesOfTwoSizes:
        .decoderFrames
      case .previewPastTheEnd, .previewStandsStill, .previewCantBeDecoded: .decoderPreviews
      }
    #expect(report.failures.contains { $0.check == expected }, "\(fault): \(report)")
    // Each says of which file.
    #expect(report.failures.allSatisfy { $0.message.contains("'still'") || $0.message.contains("'animation'") })
  }

  @Test func I14_whatIsTriedIsTold() async {
    let log = TrialLog()
    _ = await ImageDecoderVerifier(
      FakeImageDecoder(), samples: [samples[0]], alterations: 2, seed: 5, trying: { log.add($0) }
    ).verify()
    #expect(log.lines.contains { $0.contains("cut after 7 of 28 bytes") && $0.contains("'still'") })
    #expect(log.lines.contains { $0.contains("seed 5, round 1") })
  }

  @Test func I14_withoutSamplesNothingIsClean() async {
    let report = await ImageDecoderVerifier(FakeImageDecoder(), samples: []).verify()
    #expect(!report.isClean)
    let stills = await ImageDecoderVerifier(FakeImageDecoder(), samples: [samples[0]], alterations: 0).verify()
    #expect(stills.isClean, "\(stills)")
    let wrong = ImageSample("wrong", samples[0].bytes, size: PixelSize(width: 1, height: 1))
    #expect(await !ImageDecoderVerifier(FakeImageDecoder(), samples: [wrong]).verify().isClean)
  }
}

/// Lines that any thread may add.
private final class TrialLog: Sendable {
  private let all = Mutex<[String]>([])
  var lines: [String] { all.withLock { $0 } }
  func add(_ line: String) { all.withLock { $0.append(line) } }
}

import ImageCodecs
import ImageTesting
import PagingTesting
import Testing

/// The decoders of this build keep what a loader relies on.
@Suite struct ShippedDecoderTests {
  private static let size = PixelSize(width: 12, height: 8)

  private static func sample(_ name: String, _ bytes: [UInt8], frames: Int? = nil) -> ImageSample {
    ImageSample(name, bytes, size: size, frameCount: frames)
  }

  private static let all: [(type: String, samples: [ImageSample])] = [
    (
      "JPEG",
      [
        sample("baseline", ShippedSamples.baselineJPEG), sample("progressive", ShippedSamples.progressiveJPEG),
      ]
    ),
    ("PNG", [sample("still", ShippedSamples.png), sample("animated", ShippedSamples.apng, frames: 3)]),
    (
      "WebP",
      [
        sample("lossy", ShippedSamples.lossyWebP), sample("lossless", ShippedSamples.losslessWebP),
        sample("animated", ShippedSamples.animatedWebP, frames: 3),
      ]
    ),
    ("GIF", [sample("still", ShippedSamples.gif), sample("animated", ShippedSamples.animatedGIF, frames: 3)]),
  ]

  /// Those that a build has by its traits.
  private static let types = all.filter { type in
    type.samples.allSatisfy { sample in
      ImageDecoders.shipped.contains { $0.canDecode(header: Array(sample.bytes.prefix(16))) }
    }
  }.map(\.type)

  @Test(arguments: types) func I14_aShippedDecoderKeepsItsContract(type: String) async throws {
    let samples = try #require(Self.all.first { $0.type == type }).samples
    let decoder = try #require(
      ImageDecoders.shipped.first { $0.canDecode(header: Array(samples[0].bytes.prefix(16))) })
    let report = await ImageDecoderVerifier(decoder, samples: samples, alterations: 40).verify()
    #expect(report.isClean, "\(type): \(report)")
    #expect(report.checked.contains(.decoderDamage))
    #expect(report.checked.contains(.decoderFrames))
  }

  @Test func I14_jpegAndPNGAreAlwaysThere() { #expect(Self.types.starts(with: ["JPEG", "PNG"])) }
}

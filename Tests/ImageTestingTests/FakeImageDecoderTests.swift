import ImageCodecs
import ImageTesting
import Testing

@Suite struct FakeImageDecoderTests {
  private let size = PixelSize(width: 12, height: 8)

  @Test func B138_aFileGivesItsColourAtAnySize() throws {
    let decoder = FakeImageDecoder()
    let file = FakeImageDecoder.file(size, color: [10, 20, 30, 40])
    #expect(try decoder.size(of: file) == size)
    let image = try decoder.decode(file, DecodeOptions(target: .fit(PixelSize(width: 6, height: 6))))
    #expect(image.size == PixelSize(width: 6, height: 4))
    #expect(image.withPixels { Array($0.suffix(4)) } == [10, 20, 30, 40])
    #expect(try decoder.frames(of: file, DecodeOptions()) == nil)
    #expect(decoder.decoded.map(\.target) == [.fit(PixelSize(width: 6, height: 6))])
  }

  @Test func B115_framesComeInOrder() throws {
    let file = FakeImageDecoder.file(size, frames: [[1, 1, 1, 255], [2, 2, 2, 255]], each: .milliseconds(50))
    let frames = try #require(try FakeImageDecoder().frames(of: file, DecodeOptions()))
    #expect(frames.count == 2)
    var first: [UInt8] = []
    while let frame = try frames.next() {
      #expect(frame.duration == .milliseconds(50))
      first.append(frame.image.withPixels { $0[0] })
    }
    #expect(first == [1, 2])
  }

  @Test func B107_errorsSayWhatIsWrong() {
    let decoder = FakeImageDecoder()
    let file = FakeImageDecoder.file(size)
    func code(_ bytes: [UInt8], _ options: DecodeOptions = DecodeOptions()) -> ImageCodecError.Code? {
      do throws(ImageCodecError) {
        _ = try decoder.decode(bytes, options)
        return nil
      } catch { return error.code }
    }
    #expect(code(file) == nil)
    #expect(code([]) == .unsupported)
    #expect(code(Array("GIF89a".utf8)) == .unsupported)
    #expect(code(Array(file.dropLast())) == .truncated)
    #expect(code(Array(file.dropLast()), DecodeOptions(allowsPartial: true)) == nil)
    #expect(code(Array(file.dropLast()) + [0]) == .corrupt)
    #expect(code(file, DecodeOptions(limits: ImageLimits(maxSide: 11))) == .limit)
    #expect(code(FakeImageDecoder.file(PixelSize(width: 0, height: 3))) == .corrupt)
    #expect(code(FakeImageDecoder.file(PixelSize(width: .max, height: .max))) == .limit)
  }
}

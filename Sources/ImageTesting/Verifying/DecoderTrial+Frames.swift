import ImageCodecs
import PagingTesting

extension DecoderTrial {
  mutating func checkFrames() {
    findings.begin(.decoderFrames)
    trying?("frames(of:) of '\(sample.name)'")
    do throws(ImageCodecError) {
      let frames = try decoder.frames(of: sample.bytes, DecodeOptions())
      guard let expected = sample.frameCount else {
        if frames != nil { fail(.decoderFrames, "frames(of:) gave frames of a still picture; it has to be nil.") }
        return
      }
      guard let frames else {
        fail(.decoderFrames, "frames(of:) is nil, and there are \(expected) frames.")
        return
      }
      if frames.count != expected {
        fail(.decoderFrames, "count is \(frames.count), and there are \(expected) frames.")
      }
      try checkWalk(frames, expected)
    } catch { fail(.decoderFrames, "frames(of:), or a frame, threw \(error).") }
  }

  private mutating func checkWalk(_ frames: any ImageFrames, _ expected: Int) throws(ImageCodecError) {
    var pictures: [[UInt8]] = []
    while pictures.count <= expected, let frame = try frames.next() {
      if frame.image.size != frames.size {
        fail(.decoderFrames, "frame \(pictures.count) is \(frame.image.size), and size is \(frames.size).")
      }
      if frame.duration < .milliseconds(20) {
        fail(.decoderFrames, "frame \(pictures.count) is shown for \(frame.duration); 20 milliseconds are the least.")
      }
      pictures.append(Self.bytes(frame.image))
    }
    if pictures.count != expected {
      let given = pictures.count > expected ? "more than \(expected)" : "\(pictures.count)"
      fail(.decoderFrames, "next() gave \(given) frames, not \(expected).")
    }
    if case .success(let still) = decode(sample.bytes, "original"), let first = pictures.first,
      Self.bytes(still) != first
    {
      fail(.decoderFrames, "decode gives another picture than the first frame.")
    }
    for index in [expected - 1, 0, -3, expected / 2] where pictures.indices.contains(max(0, index)) {
      trying?("seek(to: \(index)) in '\(sample.name)'")
      try frames.seek(to: index)
      guard let frame = try frames.next() else {
        fail(.decoderFrames, "after seek(to: \(index)) next() is nil.")
        continue
      }
      if Self.bytes(frame.image) != pictures[max(0, index)] {
        fail(.decoderFrames, "after seek(to: \(index)) next() gave another picture than in order.")
      }
    }
    for index in [expected, .max] {
      trying?("seek(to: \(index)) in '\(sample.name)'")
      try frames.seek(to: index)
      if try frames.next() != nil {
        fail(.decoderFrames, "after seek(to: \(index)) next() gave a frame; there is none.")
      }
    }
  }

  mutating func checkPreviews() {
    findings.begin(.decoderPreviews)
    var shown = 0
    // As it would come: a part at a time.
    for part in 1...16 {
      let data = Array(sample.bytes.prefix(sample.bytes.count * part / 16))
      trying?("previewLength(of: \(data.count) bytes, after: \(shown)) of '\(sample.name)'")
      guard let length = decoder.previewLength(of: data, after: shown) else { continue }
      guard length > shown, length <= data.count else {
        fail(
          .decoderPreviews,
          "previewLength of its first \(data.count) bytes after \(shown) is \(length); "
            + "it has to be more than was shown and no more than is there."
        )
        return
      }
      shown = length
      if case .failure(let error) = decode(
        Array(data.prefix(length)), "preview of \(length) bytes", Self.small, allowsPartial: true)
      {
        fail(.decoderPreviews, "decode of the \(length) bytes that previewLength named threw \(error).")
      }
    }
  }
}

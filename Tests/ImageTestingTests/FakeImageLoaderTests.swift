import Foundation
import ImageCodecs
import ImageLoading
import ImageTesting
import Loading
import PagingTesting
import Testing

@Suite @MainActor struct FakeImageLoaderTests {
  private let url = URL(string: "https://example.org/a.png") ?? URL(filePath: "a")
  private let other = URL(string: "https://example.org/b.png") ?? URL(filePath: "b")

  private func picture(_ side: Int = 2) throws -> DecodedImage {
    try FakeImageDecoder().decode(FakeImageDecoder.file(PixelSize(width: side, height: side)), DecodeOptions())
  }

  @Test func B138_itAnswersByScript() async throws {
    let loader = FakeImageLoader()
    let image = try picture()
    loader.answer(url, with: .image(image, from: .disk))
    loader.answer(other, with: .failure(ImageError(.status, message: "404", status: 404)))
    let response = try await loader.image(for: ImageRequest(url))
    #expect(response.image === image)
    #expect(response.origin == .disk)
    await #expect {
      try await loader.image(for: ImageRequest(other))
    } throws: { ($0 as? ImageError)?.status == 404 }
    #expect(loader.requests == [ImageRequest(url), ImageRequest(other)])
    #expect(loader.loads == loader.requests)
  }

  @Test func B138_whatHasNoAnswerFailsAndSaysSo() async {
    await #expect {
      try await FakeImageLoader().image(for: ImageRequest(url))
    } throws: { "\($0)".contains("https://example.org/a.png") }
  }

  @Test func B138_answersComeInTurn() async throws {
    let loader = FakeImageLoader(isRemembering: false)
    let image = try picture()
    loader.answer(.url(url), inTurn: [.failure(ImageError(.network, message: "offline")), .image(image)])
    await #expect(throws: ImageError.self) { try await loader.image(for: ImageRequest(url)) }
    for _ in 0..<2 { #expect(try await loader.image(for: ImageRequest(url)).image === image) }
    #expect(loader.loads.count == 3)
  }

  @Test func B138_whatHasComeIsInMemoryByKeyAndPolicy() async throws {
    let loader = FakeImageLoader()
    let image = try picture()
    loader.answer(url, with: .image(image))
    var request = ImageRequest(url)
    request.cachePolicy.writesMemory = false
    _ = try await loader.image(for: request)
    #expect(loader.cachedImage(for: ImageRequest(url)) == nil)
    request.cachePolicy = .automatic
    request.priority = .high
    _ = try await loader.image(for: request)
    #expect(loader.cachedImage(for: ImageRequest(url)) === image)
    #expect(try await loader.image(for: ImageRequest(url)).origin == .memory)
    #expect(loader.loads.count == 2)
    request.cachePolicy = .reload
    #expect(loader.cachedImage(for: request) == nil)
    #expect(loader.cachedImage(for: ImageRequest(url, transforms: [.circle])) == nil)
    loader.remember(nil, for: ImageRequest(url))
    #expect(loader.cachedImage(for: ImageRequest(url)) == nil)
  }

  @Test func B138_aHeldLoadWaitsForItsGateAndHearsThatItIsCancelled() async throws {
    let (loader, gate) = (FakeImageLoader(), Gate())
    loader.answer(url, with: .held(by: gate, .image(try picture())))
    let task = Task { try await loader.image(for: ImageRequest(url)) }
    await loader.loads(atLeast: 1)
    await gate.waiting(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(loader.cancelled == [ImageRequest(url)])
    let second = Task { try await loader.image(for: ImageRequest(url)) }
    await gate.waiting(atLeast: 1)
    gate.open()
    #expect(try await second.value.origin == .network)
  }

  @Test func B118_itBindsAsTheRealOneDoes() async throws {
    let (loader, gate, target) = (FakeImageLoader(), Gate(), RecordingImageTarget())
    let (late, image) = (try picture(), try picture(3))
    loader.answer(url, with: .held(by: gate, .image(late)))
    loader.answer(other, with: .preview(late, .image(image)))
    loader.load(ImageRequest(url), into: target)
    loader.load(ImageRequest(other), into: target)
    await target.contents(atLeast: 4)
    gate.open()
    #expect(target.stages == [.placeholder, .placeholder, .preview, .image])
    #expect(target.content?.image === image)
    #expect(loader.cancelled == [ImageRequest(url)])
    loader.load(nil, into: target)
    #expect(target.stages.last == .empty)
    #expect(loader.binds.map(\.request) == [ImageRequest(url), ImageRequest(other), nil])
    #expect(loader.binds.allSatisfy { $0.target == ObjectIdentifier(target) && !$0.isFromMemory })
  }

  @Test func B123_whatIsInMemoryIsShownInTheSameTurn() throws {
    let (loader, target) = (FakeImageLoader(), RecordingImageTarget())
    loader.remember(try picture(), for: ImageRequest(url))
    loader.load(ImageRequest(url), into: target)
    #expect(target.stages == [.image])
    #expect(target.content?.origin == .memory)
    #expect(loader.binds.map(\.isFromMemory) == [true])
    #expect(loader.loads.isEmpty)
  }

  @Test func B122_aTargetThatGoesEndsItsLoad() async throws {
    let (loader, gate) = (FakeImageLoader(), Gate())
    loader.answer(url, with: .held(by: gate, .image(try picture())))
    var target: RecordingImageTarget? = RecordingImageTarget()
    if let target { loader.load(ImageRequest(url), into: target) }
    await gate.waiting(atLeast: 1)
    target = nil
    #expect(target == nil && loader.cancelled == [ImageRequest(url)])
  }

  @Test func I13_progressIsReadFromTheTask() async throws {
    let (loader, gate, target) = (FakeImageLoader(), Gate(), RecordingImageTarget())
    let progress = ImageProgress(receivedBytes: 3, totalBytes: 9)
    loader.answer(url, with: .progress(progress, .held(by: gate, .image(try picture()))))
    let task = loader.load(ImageRequest(url), into: target)
    await gate.waiting(atLeast: 1)
    #expect(task.progress == progress)
    gate.open()
    await target.contents(atLeast: 2)
  }

  @Test func I13_prefetchesAreNotedWithTheirEnd() {
    let loader = FakeImageLoader()
    let first = loader.prefetch([ImageRequest(url), ImageRequest(other)], to: .disk)
    var second: PrefetchHandle? = loader.prefetch([ImageRequest(url)])
    first.cancel()
    #expect(loader.prefetches.map(\.isCancelled) == [true, false])
    #expect(loader.prefetches.map(\.destination) == [.disk, .memory])
    #expect(loader.prefetches[0].requests.count == 2)
    second = nil
    #expect(second == nil && loader.prefetches[1].isCancelled)
    #expect(loader.loads.isEmpty)
  }
}

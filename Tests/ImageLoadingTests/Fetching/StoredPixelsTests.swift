import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import PagingTesting
import Testing

@testable import ImageLoading

@Suite struct StoredPixelsTests {
  private func image(_ width: Int = 3, _ height: Int = 2, first: UInt8 = 7) throws -> DecodedImage {
    var bytes = (0..<width * height * 4).map { UInt8(truncatingIfNeeded: $0) }
    bytes[0] = first
    return try DecodedImage(size: PixelSize(width: width, height: height), rgba: bytes)
  }

  private func pixels(_ image: DecodedImage?) -> [UInt8]? { image.map { $0.withPixels { Array($0) } } }

  private func stored(_ bench: FetchBench, _ request: ImageRequest) async throws -> [UInt8]? {
    pixels(try await bench.fetcher.storedPixels(for: request, keys: ImageKeys(request), ticket: LoadTicket()))
  }

  private func keep(_ image: DecodedImage, _ bench: FetchBench, _ request: ImageRequest) async throws {
    let fetched = try await bench.load(request)
    bench.fetcher.store(image, for: request, keys: ImageKeys(request), from: fetched)
  }

  @Test func B72_processedPicturesAreKeptAsLongAsTheirAnswerHolds() async throws {
    let bench = FetchBench { $0.diskContent = .processed }
    bench.answer("/a", (200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], "one"))
    let request = FetchBench.request()
    #expect(try await stored(bench, request) == nil)
    try await keep(image(), bench, request)
    await bench.flush()
    #expect(bench.files().count == 1, "the picture, and not what it was made of")
    let later = FetchBench(folder: bench.folder) { $0.diskContent = .processed }
    #expect(try await stored(later, request) == pixels(image()))
    later.age(by: 61)
    #expect(try await stored(later, request) == nil, "it is asked for anew")
    let only = FetchBench.request { $0.cachePolicy = .onlyCached }
    #expect(try await stored(later, only) == pixels(image()), "however old")
    later.fetcher.forget(ImageKeys(request))
    #expect(try await stored(later, only) == nil)
  }

  @Test func B72_bothAreKeptWhereBothAreToBe() async throws {
    let bench = FetchBench { $0.diskContent = .all }
    bench.answer("/a", (200, ["Cache-Control": "max-age=60"], "one"))
    let request = FetchBench.request()
    try await keep(image(), bench, request)
    await bench.flush()
    #expect(bench.files().count == 2)
    let again = try await bench.load(request)
    #expect(again.origin == .disk)
    bench.fetcher.store(try image(first: 9), for: request, keys: ImageKeys(request), from: again)
    #expect(try await stored(bench, request)?.first == 9, "what comes from the disk's bytes is kept too")
  }

  @Test func B72_whatIsForgottenIsForgottenInEachSize() async throws {
    let bench = FetchBench { $0.diskContent = .processed }
    bench.answer("/a", (200, ["Cache-Control": "max-age=600"], "one"))
    bench.answer("/b", (200, ["Cache-Control": "max-age=600"], "other"))
    let sizes = [8, 16, 32].map { side in
      FetchBench.request { $0.target = .fit(PixelSize(width: side, height: side)) }
    }
    for request in sizes { try await keep(image(), bench, request) }
    try await keep(image(first: 1), bench, FetchBench.request("/b"))
    await bench.flush()
    bench.age(by: 1)
    bench.fetcher.forget(ImageKeys(sizes[1]))
    #expect(try await stored(bench, sizes[0]) == nil, "at once")
    await bench.flush()
    bench.age(by: 1)
    // What is forgotten stays forgotten for whoever opens the folder later.
    let later = FetchBench(folder: bench.folder) { $0.diskContent = .processed }
    later.age(by: 2)
    for request in sizes {
      #expect(try await stored(later, request) == nil)
      #expect(
        try await stored(
          later,
          FetchBench.request {
            $0.target = request.target
            $0.cachePolicy = .onlyCached
          }) == nil)
    }
    #expect(try await stored(later, FetchBench.request("/b"))?.first == 1, "others stay")
    later.answer("/a", (200, ["Cache-Control": "max-age=600"], "two"))
    try await keep(image(first: 2), later, sizes[0])
    #expect(try await stored(later, sizes[0])?.first == 2, "what came after it counts")
    let figures = try #require(later.fetcher.disk).statistics
    #expect(figures.hits == 2, "marks are in no figure")
  }

  @Test func B81_ofAPictureThatIsGoneNoSizeStays() async throws {
    let bench = FetchBench { $0.diskContent = .all }
    bench.answer("/a", (200, ["Cache-Control": "max-age=60"], "one"), (404, [:], ""))
    let small = FetchBench.request { $0.target = .fit(PixelSize(width: 8, height: 8)) }
    try await keep(image(), bench, small)
    bench.age(by: 100)
    #expect(await bench.outcome() == "status 404")
    #expect(
      try await stored(
        bench,
        FetchBench.request {
          $0.target = small.target
          $0.cachePolicy = .onlyCached
        }) == nil)
  }

  @Test func B74_whatMustNotBeKeptIsNot() async throws {
    let bench = FetchBench { $0.diskContent = .all }
    bench.answer("/a", (200, ["Cache-Control": "no-store"], "one"))
    try await keep(image(), bench, FetchBench.request())
    try await keep(image(), bench, ImageRequest(source: .data(Data([1]), id: "x")))
    bench.answer("/b", (200, ["Cache-Control": "max-age=60"], "one"))
    try await keep(image(), bench, FetchBench.request("/b") { $0.cachePolicy.writesDisk = false })
    await bench.flush()
    #expect(bench.files().isEmpty)
  }

  @Test func B58_anyOtherBytesAreNoPictureAndNoTrap() throws {
    let head = StoredHead(
      status: 200, headers: ["ETag": "\"1\""], receivedAt: .init(timeIntervalSince1970: 0),
      requestedAt: .init(timeIntervalSince1970: 0), selecting: [])
    let blob = StoredPixels(head: head, image: try image()).blob
    #expect(pixels(StoredPixels(blob: blob)?.image) == pixels(try image()))
    for count in 0..<blob.count { #expect(StoredPixels(blob: blob.prefix(count)) == nil) }
    var chance = SeededGenerator(seed: 11)
    for _ in 0..<5_000 {
      var damaged = blob
      damaged[Int.random(in: 0..<20, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
      _ = StoredPixels(blob: damaged)
    }
  }
}

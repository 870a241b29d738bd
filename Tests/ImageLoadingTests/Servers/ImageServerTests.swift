import Foundation
import ImageCodecs
import ImageLoading
import Loading
import LoadingHTTP
import TestSupport
import Testing

/// A list of 500 pictures from nginx, as an app would load it: what is asked for is read from the server's own log.
@Suite(
  .serialized,
  .enabled(if: RealServer.Kind.images.isInstalled, "the servers are missing: run Scripts/bootstrap --servers"))
struct ImageServerTests {
  @Test func I2_I6_aColdListAsksOncePerPictureAWarmOneAndARestartNotAtAll() async throws {
    let list = try await ServedImages(count: 500)
    try await list.expectAll(from: .network)
    #expect(try await list.statuses() == ["200": 500])

    try await list.expectAll(from: .memory)
    await list.restart()
    try await list.expectAll(from: .disk)
    #expect(try await list.statuses() == [:])
    #expect(list.loader.statistics.bytesDownloaded == 0)
  }

  @Test func I2_twentyRowsWithOneAvatarAreOneDownloadAndOneDecode() async throws {
    let list = try await ServedImages(count: 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await list.expect(0, from: nil) } }
      try await group.waitForAll()
    }
    #expect(try await list.statuses() == ["200": 1])
    #expect(list.loader.statistics.decodes == 1)
  }

  @Test func B76_whatMustBeAskedAgainIsAnsweredBy304AndKeepsItsBytes() async throws {
    let list = try await ServedImages(count: 60, folder: "revalidated")
    try await list.expectAll(from: .network)
    #expect(try await list.statuses() == ["200": 60])
    let first = list.loader.statistics.bytesDownloaded
    await list.restart()
    try await list.expectAll(from: nil)
    #expect(try await list.statuses() == ["304": 60])
    #expect(list.loader.statistics.revalidations == 60)
    #expect(list.loader.statistics.bytesDownloaded < first / 10)
  }

  @Test func B77_aPictureThatChangedReplacesTheOneThatWasKept() async throws {
    let list = try await ServedImages(count: 3, folder: "revalidated", own: true)
    try await list.expectAll(from: .network)
    try await list.server.tell("touch 1")
    await list.restart()
    try await list.expect(0, from: nil)
    let changed = try await list.loader.image(for: list.request(1))
    #expect(Colour(of: changed.image) == Colour(number: 2))
    #expect(try await list.statuses() == ["200": 4, "304": 1])
  }

  @Test func B79_whatMayNotBeStoredIsAskedForAfterARestart() async throws {
    let list = try await ServedImages(count: 4, folder: "unkept")
    try await list.expectAll(from: .network)
    await list.restart()
    try await list.expectAll(from: .network)
    #expect(try await list.statuses() == ["200": 8])
  }

  @Test func B84_B85_aRedirectIsFollowedAndKeptUnderWhatWasAskedFor() async throws {
    let list = try await ServedImages(count: 2, folder: "moved")
    try await list.expectAll(from: .network)
    #expect(try await list.statuses() == ["302": 2, "200": 2])
    await list.restart()
    try await list.expectAll(from: .disk)
  }

  @Test func I11_theTypeComesFromTheBytesWhateverTheServerSays() async throws {
    let list = try await ServedImages(count: 3, folder: "lying")
    try await list.expectAll(from: .network)
  }

  @Test(arguments: ["page.png", "empty.png"]) func B92_aPageInPlaceOfAPictureIsADecodingErrorAndNotKept(
    name: String
  ) async throws {
    let list = try await ServedImages(count: 1, folder: "odd")
    let request = ImageRequest(list.server.url("/odd/" + name))
    await expectFailure(.decoding) { try await list.loader.image(for: request) }
    await list.restart()
    await expectFailure(.notCached) {
      var cached = request
      cached.cachePolicy = .onlyCached
      return try await list.loader.image(for: cached)
    }
  }

  @Test func B107_aFileThatIsCutIsAnErrorOrAPartAsAskedFor() async throws {
    let list = try await ServedImages(count: 1, folder: "odd")
    var request = ImageRequest(list.server.url("/odd/cut.png"))
    await expectFailure(.decoding) { try await list.loader.image(for: request) }
    request.allowsPartial = true
    request.cachePolicy = .reload
    let part = try await list.loader.image(for: request).image
    #expect(part.size == PixelSize(width: 160, height: 120))
    #expect(Colour(of: part) == Colour(number: 0))
  }

  @Test func I8_B88_aTransferThatWasCancelledGoesOnWhereItStood() async throws {
    let list = try await ServedImages(count: 1, folder: "odd")
    let request = ImageRequest(list.server.url("/odd/large.png"), target: .fit(PixelSize(width: 100, height: 100)))
    for try await update in list.loader.updates(for: request) {
      // Nobody waits any more once the loop is left.
      if case .progress(let progress) = update, progress.receivedBytes > 100_000 { break }
    }
    try await list.partKept()
    let whole = try await list.loader.image(for: request)
    #expect(Colour(of: whole.image) == Colour(number: 1))
    let answers = try await list.statuses()
    #expect(answers["206"] == 1)
  }

  @Test func I6_B82_whatIsInTheCachesShowsWhileTheServerIsAway() async throws {
    let list = try await ServedImages(count: 20, own: true)
    try await list.expectAll(from: .network)
    try await list.server.tell("down")
    try await list.expectAll(from: .memory)
    // Fresh, and an hour later, when it would be asked whether it still holds.
    await list.restart()
    try await list.expectAll(from: .disk)
    await list.restart(after: 3_600)
    try await list.expectAll(from: .disk)
    await expectFailure(.network) { try await list.loader.image(for: ImageRequest(list.server.url("/img/300.png"))) }
    // Being away is not remembered.
    try await list.server.tell("up")
    let late = try await list.loader.image(for: ImageRequest(list.server.url("/img/300.png")))
    #expect(Colour(of: late.image) == Colour(number: 300))
  }

  @Test func I7_aPictureThatIsThereNoLongerIsAskedForOnce() async throws {
    let list = try await ServedImages(count: 1)
    let request = ImageRequest(list.server.url("/img/none.png"))
    for _ in 0..<5 { await expectFailure(.status) { try await list.loader.image(for: request) } }
    #expect(try await list.statuses() == ["404": 1])
  }
}

/// Fails unless `body` throws an `ImageError` of that code.
private func expectFailure(
  _ code: ImageError.Code, _ body: () async throws -> ImageResponse, at location: SourceLocation = #_sourceLocation
) async {
  do {
    _ = try await body()
    Issue.record("it gave a picture", sourceLocation: location)
  } catch let error as ImageError {
    #expect(error.code == code, "\(error)", sourceLocation: location)
  } catch {
    Issue.record(error, sourceLocation: location)
  }
}

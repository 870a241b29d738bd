import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

@Suite struct ImageInterceptorTests {
  /// An interceptor of closures.
  private struct Interceptor: ImageInterceptor {
    typealias Next = @Sendable (ImageRequest) async throws -> ImageResponse
    var change: @Sendable (ImageRequest) -> ImageRequest = { $0 }
    var around: @Sendable (ImageRequest, Next) async throws -> ImageResponse = { try await $1($0) }

    func prepare(_ request: ImageRequest) -> ImageRequest { change(request) }
    func intercept(
      _ request: ImageRequest, next: @escaping @Sendable (ImageRequest) async throws -> ImageResponse
    ) async throws -> ImageResponse {
      try await around(request, next)
    }
  }

  @Test func I15_I1_B136_requestsArePreparedBeforeAnyKeyIsMade() async throws {
    let small = Interceptor(change: { request in
      var request = request
      request.source = .url(PipelineRig.url("small"))
      return request
    })
    let rig = PipelineRig(interceptors: [small])
    _ = rig.plain("small")
    _ = try await rig.loader.image(for: PipelineRig.request("x"))
    #expect(rig.bytes.ids == [PipelineRig.id("small")])
    #expect(rig.loader.cachedImage(for: PipelineRig.request("y")) != nil)
    rig.loader.invalidate(PipelineRig.request("z"))
    #expect(rig.loader.cachedImage(for: PipelineRig.request("y")) == nil)
  }

  @Test func B93_B136_headersAreAddedInTurn() async throws {
    func adding(_ name: String) -> Interceptor {
      Interceptor(around: { request, next in
        var request = request
        request.headers[name] = (request.headers["First"] ?? "") + name
        return try await next(request)
      })
    }
    let rig = PipelineRig(interceptors: [adding("First"), adding("Second")])
    _ = try await rig.loader.image(for: rig.plain("x"))
    #expect(rig.bytes.asked.first?.headers["Second"] == "FirstSecond")
    // Memory is asked with the keys that come out, too.
    _ = try await rig.loader.image(for: rig.plain("x"))
    #expect(rig.bytes.asked.count == 1)
  }

  @Test func B93_aTokenIsFetchedAnewAndTheRequestSentAgain() async throws {
    let refresh = Interceptor(around: { request, next in
      do { return try await next(request) } catch let error as ImageError where error.status == 404 {
        var request = request
        request.source = .url(PipelineRig.url("signed"))
        return try await next(request)
      }
    })
    let rig = PipelineRig(interceptors: [refresh])
    _ = rig.plain("signed")
    #expect(try await rig.loader.image(for: PipelineRig.request("x")).image.pipelineValue == 7)
    #expect(rig.bytes.asked.count == 2)
  }

  @Test func B136_anAnswerOfItsOwnAsksForNothing() async throws {
    let own = try DecodedImage(size: PixelSize(width: 1, height: 1), rgba: [1, 2, 3, 4])
    let rig = PipelineRig(interceptors: [Interceptor(around: { _, _ in ImageResponse(image: own, origin: .data) })])
    let response = try await rig.loader.image(for: rig.plain("x"))
    #expect(response.image === own)
    #expect(rig.bytes.asked.isEmpty)
    #expect(try await rig.loader.frames(for: rig.plain("x")) == nil)
  }

  @Test func B136_whatItThrowsFailsTheLoad() async throws {
    struct Refused: Error {}
    let rig = PipelineRig(interceptors: [Interceptor(around: { _, _ in throw Refused() })])
    let error = await #expect(throws: ImageError.self) { try await rig.loader.image(for: rig.plain("x")) }
    #expect(error?.code == .source)
    #expect(error?.cause is Refused)
    #expect(rig.loader.statistics.failed == 1)
  }

  @Test func B93_cancellingWhileItWaitsEndsTheLoad() async throws {
    let (began, gate) = (Tally(), Gate())
    let rig = PipelineRig(interceptors: [
      Interceptor(around: { request, next in
        began.add(1)
        try await gate.pass()
        return try await next(request)
      })
    ])
    let (request, loader) = (rig.plain("x"), rig.loader)
    let task = Task { try await loader.image(for: request) }
    await began.reached(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    #expect(rig.bytes.asked.isEmpty)
    #expect(loader.statistics.cancelled == 1)
  }

  @Test func B93_cancellingReachesTheFetchBehindIt() async throws {
    let rig = PipelineRig(interceptors: [Interceptor()])
    rig.bytes.hold(by: Gate())
    let (request, loader) = (rig.plain("x"), rig.loader)
    let task = Task { try await loader.image(for: request) }
    await rig.bytes.began.reached(1)
    task.cancel()
    await rig.bytes.cancelled.reached(1)
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func B135_closingEndsWhatAnInterceptorHolds() async throws {
    let (began, gate) = (Tally(), Gate())
    let rig = PipelineRig(interceptors: [
      Interceptor(around: { request, next in
        began.add(1)
        try? await gate.pass()
        return try await next(request)
      })
    ])
    let (request, loader) = (rig.plain("x"), rig.loader)
    let task = Task { try await loader.image(for: request) }
    await began.reached(1)
    loader.close()
    let error = await #expect(throws: ImageError.self) { try await task.value }
    #expect(error?.code == .closed)
    gate.open()
  }

  @Test func prefetchesOntoTheDiskPassThemToo() async throws {
    let rig = PipelineRig(interceptors: [
      Interceptor(around: { request, next in
        var request = request
        request.headers["Token"] = "t"
        let response = try await next(request)
        #expect(response.image.size == PixelSize(width: 1, height: 1))
        return response
      })
    ])
    let steps = PipelineSteps()
    _ = rig.loader.pipeline.start(rig.plain("x"), ticket: LoadTicket(), destination: .disk) { steps.hear($0) }
    await steps.ends.reached(1)
    #expect(steps.told == ["image none"])
    #expect(rig.bytes.asked.first?.headers["Token"] == "t")
    #expect(rig.decoder.decodes.count == 0)
  }
}

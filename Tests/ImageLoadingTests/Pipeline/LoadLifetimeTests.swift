import Foundation
import ImageCodecs
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

/// Nothing is left of a load that is over, however it ended, while its loader lives on.
@Suite(.timeLimit(.minutes(5))) struct LoadLifetimeTests {
  /// Is held by a request, and tells when nobody holds it any more.
  private final class Held: Sendable {
    let gone: Gate
    init(_ gone: Gate) { self.gone = gone }
    deinit { gone.open() }
  }

  private let rig = PipelineRig()
  private let gone = Gate()

  /// A request that is held by whoever holds its load.
  private func request(_ name: String, thumbnail: Bool = false) -> ImageRequest {
    let held = Held(gone)
    var request = rig.plain(name)
    request.transforms = [
      ImageTransform(identifier: "held") { image in
        withExtendedLifetime(held) { image }
      }
    ]
    if thumbnail { request.thumbnail = rig.plain("small").source }
    return request
  }

  @Test(arguments: [false, true]) func aLoadThatSucceededIsLetGoOf(withThumbnail: Bool) async throws {
    _ = try await rig.loader.image(for: request("x", thumbnail: withThumbnail))
    try await gone.pass()
  }

  @Test func aLoadThatFailedIsLetGoOf() async throws {
    await failToLoad()
    try await gone.pass()
  }

  private func failToLoad() async {
    var failing = PipelineRig.request("none")
    failing.transforms = request("x").transforms
    do {
      _ = try await rig.loader.image(for: failing)
      Issue.record("There is no such picture.")
    } catch {
      #expect(error is ImageError)
    }
  }

  @Test func aLoadThatWasCancelledIsLetGoOf() async throws {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    rig.loader.pipeline.start(request("x"), ticket: LoadTicket()) { _ in }()
    gate.open()
    try await gone.pass()
  }

  @Test @MainActor func aLoadThatATargetShowsIsLetGoOf() async throws {
    let target = LifetimeTarget()
    rig.loader.load(request("x"), into: target)
    await target.ended.reached(1)
    // The binding keeps what was asked for, to know it again.
    target.imageBinding = ImageBinding()
    try await gone.pass()
  }

  @Test @MainActor func aLoadWhoseTargetWasBoundAnewIsLetGoOf() async throws {
    let gate = Gate()
    rig.bytes.hold(by: gate)
    let target = LifetimeTarget()
    rig.loader.load(request("x"), into: target)
    await rig.bytes.began.reached(1)
    rig.loader.load(nil, into: target)
    gate.open()
    try await gone.pass()
  }
}

@MainActor private final class LifetimeTarget: ImageTarget {
  var imageBinding = ImageBinding()
  let ended = PipelineTally()
  func show(_ content: ImageContent) { if content.stage == .image { ended.add() } }
}

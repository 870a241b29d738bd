import ImageCodecs
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoadingUI

@MainActor @Suite(.timeLimit(.minutes(10))) struct AnimationPlayerTests {
  private let clock = ManualClock()

  @Test func U6_framesFollowOneAnotherAtTheirTimes() async throws {
    let frames = try PlayedFrames(count: 3, loopCount: 1)
    let player = AnimationPlayer()
    let playing = Task { await player.play(frames, budget: AnimationBudget(), on: clock) }
    await clock.sleepers(atLeast: 1)
    #expect(player.image === frames.images[0])
    await clock.advance(by: .milliseconds(100))
    await clock.sleepers(atLeast: 1)
    #expect(player.image === frames.images[1])
    await clock.advance(by: .milliseconds(100))
    await playing.value
    #expect(player.image === frames.images[2])
  }

  @Test func U6_anAnimationGoesRoundAsOftenAsItSays() async throws {
    let frames = try PlayedFrames(count: 2, loopCount: 3)
    let player = AnimationPlayer()
    let playing = Task { await player.play(frames, budget: AnimationBudget(), on: clock) }
    for _ in 0..<5 {
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(100))
    }
    await playing.value
    #expect(frames.given == 6)
  }

  @Test func U6_aFileWithoutAFrameEnds() async throws {
    let frames = try PlayedFrames(count: 0, loopCount: 0)
    let player = AnimationPlayer()
    await player.play(frames, budget: AnimationBudget(), on: clock)
    #expect(player.image == nil)
  }

  @Test func U6_anAnimationThatDoesNotFitInStandsStill() async throws {
    // Two pictures of two pixels are 16 bytes.
    let budget = AnimationBudget(maxBytes: 31)
    let others = budget.admit(bytes: 16)
    let frames = try PlayedFrames(count: 3, loopCount: 0)
    let player = AnimationPlayer()
    await player.play(frames, budget: budget, on: clock)
    #expect(player.image === frames.images[0])
    #expect(frames.given == 1)
    withExtendedLifetime(others) {}
  }

  @Test func U6_anAnimationLargerThanAnyNumberStandsStill() async throws {
    let frames = try PlayedFrames(count: 3, loopCount: 0, size: PixelSize(width: 1 << 31, height: 1 << 31))
    let player = AnimationPlayer()
    await player.play(frames, budget: AnimationBudget(), on: clock)
    #expect(player.image === frames.images[0])
    #expect(frames.given == 1)
  }

  @Test func U6_whatAnAnimationHeldIsGivenBack() async throws {
    let budget = AnimationBudget(maxBytes: 16)
    let frames = try PlayedFrames(count: 1, loopCount: 1)
    await AnimationPlayer().play(frames, budget: budget, on: clock)
    #expect(budget.admit(bytes: 16) != nil)
    #expect(budget.admit(bytes: 17) == nil)
  }

  @Test func U6_whoLeavesTheScreenEndsTheAnimation() async throws {
    let frames = try PlayedFrames(count: 3, loopCount: 0)
    let player = AnimationPlayer()
    let playing = Task { await player.play(frames, budget: AnimationBudget(), on: clock) }
    await clock.sleepers(atLeast: 1)
    playing.cancel()
    await playing.value
    #expect(player.image === frames.images[0])
  }
}

/// Frames of two pixels, 100 milliseconds each; what they say of their size may be another.
private final class PlayedFrames: ImageFrames {
  private struct State {
    var index = 0
    var given = 0
  }

  let images: [DecodedImage]
  let loopCount: Int
  let size: PixelSize
  private let state = Mutex(State())

  init(count: Int, loopCount: Int, size: PixelSize = PixelSize(width: 2, height: 1)) throws {
    self.size = size
    images = try (0..<count).map {
      try DecodedImage(size: PixelSize(width: 2, height: 1), rgba: Array(repeating: UInt8($0), count: 8))
    }
    self.loopCount = loopCount
  }

  var count: Int { images.count }
  var given: Int { state.withLock { $0.given } }

  func next() throws(ImageCodecError) -> ImageFrame? {
    state.withLock { state in
      guard state.index < images.count else { return nil }
      state.index += 1
      state.given += 1
      return ImageFrame(image: images[state.index - 1], duration: .milliseconds(100))
    }
  }

  func seek(to index: Int) throws(ImageCodecError) { state.withLock { $0.index = max(0, index) } }
}

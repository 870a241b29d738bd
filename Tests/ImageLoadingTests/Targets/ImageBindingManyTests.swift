import ImageCodecs
import Loading
import Testing

@testable import ImageLoading

/// Binds inside of binds, several targets, threads, scripts.
@Suite @MainActor struct ImageBindingManyTests {
  private let a = RestPictures.request("a")
  private let b = RestPictures.request("b")

  @Test func BUG3_targetsOfOneRequestEndEachForItself() async throws {
    let (loads, first, second) = (RestLoads(), RestTarget(), RestTarget())
    loads.bind(a, to: first)
    loads.bind(a, to: second)
    loads.bind(nil, to: first)
    #expect(loads.loads.map(\.cancels.value) == [1, 0])
    let image = try RestPictures.plain(1, 1)
    loads.loads[1].finish(image)
    await RestTarget.settle()
    #expect(second.image === image)
    #expect(first.stages == ["placeholder", "empty"])
  }

  /// What both need must not be ended in between: the new load begins before the old one ends.
  @Test func I2_theEarlierLoadEndsAfterTheNewOneHasBegun() throws {
    let target = RestTarget()
    var log: [String] = []
    for name in ["a", "b"] {
      _ = ImageBinder.bind(RestPictures.request(name), to: target, cached: { _ in nil }) { _, _, _ in
        log.append("start \(name)")
        return { MainActor.assumeIsolated { log.append("end \(name)") } }
      }
    }
    #expect(log == ["start a", "start b", "end a"])
  }

  @Test func I3_aTargetThatBindsAnewWhileItIsShownAPlaceholder() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let b = b
    target.onShow = { content in
      target.onShow = nil
      loads.bind(b, to: target)
    }
    let task = loads.bind(a, to: target)
    #expect(task.isOver)
    #expect(loads.loads.map(\.request) == [b])
    let image = try RestPictures.plain(1, 1)
    loads.loads[0].finish(image)
    await RestTarget.settle()
    #expect(target.image === image)
    #expect(target.stages == ["placeholder", "placeholder", "image"])
  }

  @Test func I3_aTargetThatBindsAnewWhileItIsShownAPreview() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let b = b
    loads.bind(a, to: target)
    target.onShow = { content in
      if content.stage == .preview { loads.bind(b, to: target) }
    }
    loads.loads[0].deliver(.success(.preview(try RestPictures.plain(1, 1))))
    loads.loads[0].finish(try RestPictures.plain(2, 2))
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "preview", "placeholder"])
    #expect(loads.loads[0].cancels.value == 0, "the load is over")
  }

  @Test func I3_aLoadThatEndsBeforeItsStartReturns() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let image = try RestPictures.plain(1, 1)
    loads.atOnce = .success(.image(ImageResponse(image: image, origin: .disk)))
    loads.bind(a, to: target)
    #expect(target.stages == ["placeholder"])
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "image"])
    #expect(target.shown.last?.origin == .disk)
  }

  @Test func BUG9_whoCancelsWhileTheLoadBeginsEndsIt() {
    let target = RestTarget()
    let cancels = RestLoads.Counted()
    let task = ImageBinder.bind(a, to: target, cached: { _ in nil }) { _, task, _ in
      task.cancel()
      return { cancels.add() }
    }
    #expect(cancels.value == 1)
    #expect(task.isOver)
  }

  /// A binding that was copied speaks for the target that it was made for.
  @Test func I3_aCopiedBindingIsNoneOfTheOther() async throws {
    let (loads, first, second) = (RestLoads(), RestTarget(), RestTarget())
    loads.bind(a, to: first)
    second.imageBinding = first.imageBinding
    loads.bind(b, to: second)
    #expect(loads.loads.map(\.cancels.value) == [0, 0])
    let image = try RestPictures.plain(1, 1)
    loads.loads[0].finish(image)
    await RestTarget.settle()
    #expect(first.image === image)
    #expect(second.stages == ["placeholder"])
  }

  @Test func I3_deliveriesOfManyThreadsLandOnTheMainActorAndEndOnce() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    for _ in 0..<50 {
      loads.bind(a, to: target)
      let load = try #require(loads.loads.last)
      let image = try RestPictures.plain(1, 1)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            load.deliver(.success(.preview(image)))
            load.finish(image)
          }
        }
        group.addTask { load.task.priority = .low }
      }
      await RestTarget.settle()
      #expect(target.stages.count { $0 == "image" } == 1)
      #expect(target.stages.last == "image")
      loads.bind(nil, to: target)
      target.clear()
    }
  }

  /// Random binds, hits, clears and deliveries: what is shown is always of the last bind.
  @Test(arguments: 0..<20) func I3_whateverHappensOnlyTheLastBindIsShown(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (loads, target) = (RestLoads(), RestTarget())
    let requests = (0..<4).map { RestPictures.request("\($0)") }
    let images = try (0..<4).map { try RestPictures.plain($0 + 1, 1) }
    var bound: Int?
    target.onShow = { content in
      guard content.stage == .image || content.stage == .preview else { return }
      #expect(content.image?.size.width == bound.map { $0 + 1 }, "seed \(seed)")
    }
    for _ in 0..<200 {
      let index = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3:
        bound = index
        loads.bind(requests[index], to: target)
      case 3:
        bound = nil
        loads.bind(nil, to: target)
      case 4: loads.memory[requests[index]] = loads.memory[requests[index]] == nil ? images[index] : nil
      case 5..<7:
        guard let load = loads.loads.randomElement(using: &random),
          let place = requests.firstIndex(of: load.request)
        else { continue }
        if Bool.random(using: &random) {
          load.finish(images[place])
        } else {
          load.deliver(.success(.preview(images[place])))
        }
      default: await RestTarget.settle()
      }
    }
    await RestTarget.settle()
    loads.bind(nil, to: target)
    #expect(loads.loads.allSatisfy { $0.task.isOver && $0.cancels.value <= 1 })
  }
}

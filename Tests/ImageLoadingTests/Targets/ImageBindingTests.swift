import ImageCodecs
import Loading
import Testing

@testable import ImageLoading

@Suite @MainActor struct ImageBindingTests {
  private let a = RestPictures.request("a")
  private let b = RestPictures.request("b")

  @Test func B118_BUG1_theLaterBindStaysWhateverComesLast() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    loads.bind(a, to: target)
    loads.bind(b, to: target)
    #expect(loads.loads[0].cancels.value == 1)
    let (imageA, imageB) = (try RestPictures.plain(1, 1), try RestPictures.plain(2, 2))
    loads.loads[1].finish(imageB)
    await RestTarget.settle()
    loads.loads[0].finish(imageA)
    await RestTarget.settle()
    #expect(target.image === imageB)
    #expect(target.stages == ["placeholder", "placeholder", "image"])
  }

  /// The result was on its way to the main actor when the target was bound anew.
  @Test func B118_aResultOnItsWayIsNotShown() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    loads.bind(a, to: target)
    loads.loads[0].finish(try RestPictures.plain(1, 1))
    loads.bind(b, to: target)
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "placeholder"])
  }

  @Test func B119_BUG1_aMemoryHitEndsTheEarlierBindToo() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let imageB = try RestPictures.plain(2, 2)
    loads.memory[b] = imageB
    loads.bind(a, to: target)
    loads.bind(b, to: target)
    #expect(target.image === imageB)
    #expect(loads.loads[0].cancels.value == 1)
    loads.loads[0].finish(try RestPictures.plain(1, 1))
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "image"])
  }

  @Test func B120_BUG2_nilEndsTheLoadAndClears() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let first = loads.bind(a, to: target)
    let none = loads.bind(nil, to: target)
    #expect(loads.loads[0].cancels.value == 1)
    #expect(first.isOver)
    #expect(none.isOver)
    #expect(target.stages == ["placeholder", "empty"])
    loads.loads[0].finish(try RestPictures.plain(1, 1))
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "empty"])
    // Cleared, it forgets what it was bound to.
    loads.bind(a, to: target)
    #expect(loads.loads.count == 2)
  }

  @Test func B121_anEqualRequestKeepsItsLoad() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let first = loads.bind(a, to: target)
    var sooner = a
    sooner.priority = .high
    let second = loads.bind(sooner, to: target)
    #expect(first === second)
    #expect(first.priority == .high)
    #expect(loads.loads.count == 1)
    #expect(loads.loads[0].cancels.value == 0)
    #expect(target.stages == ["placeholder"])
    let image = try RestPictures.plain(1, 1)
    loads.loads[0].finish(image)
    await RestTarget.settle()
    #expect(target.image === image)
  }

  @Test func B121_anEqualRequestKeepsItsPicture() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let image = try RestPictures.plain(1, 1)
    loads.bind(a, to: target)
    loads.loads[0].finish(image)
    await RestTarget.settle()
    loads.bind(a, to: target)
    #expect(loads.loads.count == 1)
    #expect(target.image === image)
    #expect(target.shown.last?.origin == .memory)
    #expect(target.stages == ["placeholder", "image", "image"])
  }

  @Test func B121_whatHasFailedOrWasCancelledBeginsAnew() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    loads.bind(a, to: target)
    loads.loads[0].deliver(.failure(ImageError(.network, message: "offline")))
    await RestTarget.settle()
    loads.bind(a, to: target).cancel()
    #expect(loads.loads.count == 2)
    #expect(loads.loads[1].cancels.value == 1)
    loads.bind(a, to: target)
    #expect(loads.loads.count == 3)
    // One that asks for the network's word each time gets it.
    var fresh = a
    fresh.cachePolicy = .reload
    loads.bind(fresh, to: target)
    loads.loads[3].finish(try RestPictures.plain(1, 1))
    await RestTarget.settle()
    loads.bind(fresh, to: target)
    #expect(loads.loads.count == 5)
  }

  @Test func B122_aTargetThatGoesEndsItsLoad() async throws {
    let loads = RestLoads()
    var target: RestTarget? = RestTarget()
    weak let seen = target
    loads.bind(a, to: try #require(target))
    #expect(loads.loads[0].cancels.value == 0)
    target = nil
    #expect(seen == nil)
    #expect(loads.loads[0].cancels.value == 1)
    #expect(loads.loads[0].task.isOver)
    loads.loads[0].finish(try RestPictures.plain(1, 1))
    await RestTarget.settle()
  }

  /// Also while a result is on its way to it.
  @Test func B122_aResultOnItsWayHoldsNoTarget() async throws {
    let loads = RestLoads()
    var target: RestTarget? = RestTarget()
    weak let seen = target
    loads.bind(a, to: try #require(target))
    loads.loads[0].finish(try RestPictures.plain(1, 1))
    target = nil
    #expect(seen == nil)
    await RestTarget.settle()
  }

  @Test func B123_aMemoryHitIsShownInTheSameTurnWithoutPlaceholder() throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let image = try RestPictures.plain(1, 1)
    var request = a
    request.placeholder = .image(try RestPictures.plain(2, 2))
    loads.memory[request] = image
    let task = loads.bind(request, to: target)
    #expect(target.stages == ["image"])
    #expect(target.image === image)
    #expect(target.shown[0].origin == .memory)
    #expect(task.isOver)
    #expect(loads.loads.isEmpty)
  }

  @Test func B124_aFailureIsShownWithItsErrorAndThePlaceholder() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let placeholder = try RestPictures.plain(2, 2)
    var request = a
    request.placeholder = .image(placeholder)
    loads.bind(request, to: target)
    #expect(target.image === placeholder)
    loads.loads[0].deliver(.failure(ImageError(.status, message: "404", status: 404)))
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "failure"])
    #expect(target.shown[1].error?.code == .status)
    #expect(target.image === placeholder)
  }

  @Test func B124_errorsOfOtherKindsAreWrappedAndCancellationIsNone() async throws {
    struct Odd: Error {}
    let (loads, target) = (RestLoads(), RestTarget())
    loads.bind(a, to: target)
    loads.loads[0].deliver(.failure(Odd()))
    await RestTarget.settle()
    #expect(target.shown.last?.error?.cause is Odd)
    loads.bind(b, to: target)
    loads.loads[1].deliver(.failure(CancellationError()))
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "failure", "placeholder"])
    #expect(loads.loads[1].task.isOver)
  }

  /// A target that ignores what has no picture keeps the old one until the new one comes.
  @Test func B125_theOldPictureCanStayUntilTheNewOne() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    var image: DecodedImage?
    target.onShow = { image = $0.image ?? image }
    let (imageA, imageB) = (try RestPictures.plain(1, 1), try RestPictures.plain(2, 2))
    loads.memory[a] = imageA
    loads.bind(a, to: target)
    loads.bind(b, to: target)
    #expect(image === imageA)
    loads.loads[0].finish(imageB)
    await RestTarget.settle()
    #expect(image === imageB)
  }

  @Test func B126_theEndComesOnce() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    loads.bind(a, to: target)
    let load = loads.loads[0]
    load.finish(try RestPictures.plain(1, 1))
    load.finish(try RestPictures.plain(1, 1))
    load.deliver(.failure(ImageError(.network, message: "late")))
    await RestTarget.settle()
    load.finish(try RestPictures.plain(1, 1))
    load.task.cancel()
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "image"])
    #expect(load.cancels.value == 0)
  }

  @Test func B126_cancellingSilencesAtOnce() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let task = loads.bind(a, to: target)
    loads.loads[0].deliver(.success(.preview(try RestPictures.plain(1, 1))))
    task.cancel()
    task.cancel()
    loads.loads[0].finish(try RestPictures.plain(1, 1))
    await RestTarget.settle()
    #expect(target.stages == ["placeholder"])
    #expect(loads.loads[0].cancels.value == 1)
  }

  @Test func B126_cancellingBeforeAPictureIsShownSilencesItAndNobodyElse() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let task = loads.bind(a, to: target)
    loads.loads[0].finish(try RestPictures.plain(1, 1))
    task.cancel()
    await RestTarget.settle()
    #expect(target.stages == ["placeholder"])
    #expect(loads.loads[0].cancels.value == 0, "the load is over")
  }

  @Test func B127_previewsComeBeforeThePictureAndNeverAfter() async throws {
    let (loads, target) = (RestLoads(), RestTarget())
    loads.bind(a, to: target)
    let load = loads.loads[0]
    load.deliver(.success(.preview(try RestPictures.plain(1, 1))))
    await RestTarget.settle()
    load.deliver(.success(.preview(try RestPictures.plain(2, 2))))
    load.finish(try RestPictures.plain(4, 4))
    load.deliver(.success(.preview(try RestPictures.plain(8, 8))))
    await RestTarget.settle()
    #expect(target.stages == ["placeholder", "preview", "preview", "image"])
    #expect(target.shown.map { $0.image?.size.width } == [nil, 1, 2, 4])
  }

  @Test func I3_progressIsReadFromTheTaskAtOnce() throws {
    let (loads, target) = (RestLoads(), RestTarget())
    let task = loads.bind(a, to: target)
    loads.loads[0].deliver(.success(.progress(ImageProgress(receivedBytes: 5, totalBytes: 10))))
    #expect(task.progress == ImageProgress(receivedBytes: 5, totalBytes: 10))
    #expect(target.stages == ["placeholder"])
  }
}

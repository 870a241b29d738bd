import ImageCodecs
import ImageLoading
import ImageTesting
import Testing

@testable import ImageLoadingUI

/// What an image view of UIKit or AppKit waits for, with a view that is none.
@MainActor @Suite struct LaidOutImageTests {
  private let loader = FakeImageLoader()
  private let view = PlainImageView()
  private let request = ImageRequest(source: .custom("a"))

  private var bound: [ImageRequest?] { loader.binds.map(\.request) }

  @Test func U6_nothingIsAskedForBeforeTheViewIsOnScreenAndLaidOut() {
    view.bind(request, loader, .asLaidOut, nil)
    view.isOnScreen = true
    view.windowChanged()
    #expect(bound.isEmpty)
    view.viewSize = (40, 20)
    view.viewChanged()
    #expect(bound.map { $0?.target } == [.fit(PixelSize(width: 80, height: 40))])
  }

  @Test func U6_aViewThatIsUsedAnewIsClearedFirst() {
    view.viewSize = (40, 20)
    view.isOnScreen = true
    view.bind(request, loader, .asLaidOut, nil)
    view.cleared = 0
    view.bind(ImageRequest(source: .custom("b")), loader, .asLaidOut, nil)
    #expect(view.cleared == 1)
    #expect(bound.map { $0?.source } == [.custom("a"), nil, .custom("b")])
    view.bind(ImageRequest(source: .custom("b")), loader, .asLaidOut, nil)
    #expect(view.cleared == 1, "the same picture stays")
    view.bind(nil, loader, .asLaidOut, nil)
    #expect(view.cleared == 2)
    #expect(bound.last == .some(nil))
  }

  @Test func U6_leavingEndsTheLoadAndComingBackBeginsItAgain() {
    view.viewSize = (40, 20)
    view.isOnScreen = true
    view.bind(request, loader, .asLaidOut, nil)
    view.viewChanged()
    #expect(loader.loads.count == 1, "what is bound goes on")
    view.cleared = 0
    view.isOnScreen = false
    view.windowChanged()
    view.isOnScreen = true
    view.windowChanged()
    #expect(loader.loads.count == 2)
    #expect(view.cleared == 0, "what is shown stays")
  }

  @Test func U6_aFailureIsToldWithWhatTriesAgain() {
    var again: (@MainActor () -> Void)?
    view.viewSize = (40, 20)
    view.isOnScreen = true
    view.bind(request, loader, .asLaidOut) { _, retry in again = retry }
    let before = bound.count
    view.tellFailure(nil)
    #expect(again == nil)
    view.tellFailure(ImageError(.decoding, message: "broken"))
    again?()
    #expect(bound.count == before + 1)
  }
}

@MainActor private final class PlainImageView: LaidOutImageTarget {
  var imageBinding = ImageBinding()
  var laidOut = LaidOutImage()
  var isOnScreen = false
  var viewSize: (width: Double, height: Double)? = (0, 0)
  var scale: Double { 2 }
  var fillsView: Bool { false }
  var cleared = 0
  func clearView() { cleared += 1 }
  func show(_ content: ImageContent) {}
}

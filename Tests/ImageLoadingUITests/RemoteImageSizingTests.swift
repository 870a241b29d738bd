import Foundation
import ImageCodecs
import ImageLoading
import Testing

@testable import ImageLoadingUI

@Suite struct RemoteImageSizingTests {
  private let request = ImageRequest(source: .custom("a"))

  @Test func U6_theSizeAskedForIsTheViewsInPixels() {
    let sized = request.sized(.asLaidOut, width: 100.2, height: 50, scale: 3, fills: true)
    #expect(sized?.target == .fill(PixelSize(width: 301, height: 150)))
    let fitted = request.sized(.asLaidOut, width: 100, height: 50, scale: 2, fills: false)
    #expect(fitted?.target == .fit(PixelSize(width: 200, height: 100)))
  }

  @Test(arguments: [(0, 10), (10, 0), (-1, 10), (.nan, 10), (10, .infinity)] as [(Double, Double)])
  func U6_nothingIsAskedForBeforeTheViewHasASize(width: Double, height: Double) {
    #expect(request.sized(.asLaidOut, width: width, height: height, scale: 2, fills: true) == nil)
    #expect(request.sized(.asRequested, width: width, height: height, scale: 2, fills: true) == request)
  }

  @Test func U6_anotherSizeIsTheSamePictureAndAnotherSourceIsNot() {
    var larger = request
    larger.target = .fill(PixelSize(width: 9, height: 9))
    #expect(larger.isSamePicture(as: request))
    #expect(!ImageRequest(source: .custom("b")).isSamePicture(as: request))
  }
}

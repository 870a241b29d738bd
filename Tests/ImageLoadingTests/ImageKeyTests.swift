import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import Testing

@testable import ImageLoading

@Suite struct ImageKeyTests {
  private let url = URL(string: "https://example.org/a.jpg") ?? URL(filePath: "a")

  /// Joined without lengths, "resize-" + "largeblur" and "resize-large" + "blur" would share their pixels.
  @Test func BUG22_B68_fieldsThatJoinToTheSameTextDontShareAKey() {
    #expect(ImageKey("resize-", "largeblur") != ImageKey("resize-large", "blur"))
    #expect(ImageKey("a", "") != ImageKey("", "a"))
    #expect(ImageKey("1:a") != ImageKey("1", "a"))
    #expect(ImageKey("a", "b").appending("c") == ImageKey("a", "b", "c"))
  }

  @Test func BUG23_B20_methodAndEyesCount() {
    let plain = ImageRequest(url)
    var post = plain
    post.method = "POST"
    var ann = plain
    ann.headers["Authorization"] = "Bearer ann"
    var bob = plain
    bob.headers["authorization"] = "Bearer bob"
    var scoped = plain
    scoped.authorizationScope = "ann"
    let keys = [plain, post, ann, bob, scoped].map { ImageKeys($0).bytes }
    #expect(Set(keys).count == 5)
  }

  @Test func B5_sizesShareTheirBytes() {
    let small = ImageKeys(ImageRequest(url, target: .fit(PixelSize(width: 10, height: 10))))
    let large = ImageKeys(ImageRequest(url, target: .fit(PixelSize(width: 20, height: 20))))
    let filling = ImageKeys(ImageRequest(url, target: .fill(PixelSize(width: 20, height: 20))))
    #expect(small.bytes == large.bytes)
    #expect(small.family == large.family)
    #expect(Set([small.decoded, large.decoded, filling.decoded]).count == 3)
  }

  @Test func I1_signatureAndIdentityCount() {
    var signed = ImageRequest(url)
    signed.signature = ""
    #expect(ImageKeys(signed).bytes != ImageKeys(ImageRequest(url)).bytes)
    var named = ImageRequest(url)
    named.identity = "avatar"
    var moved = ImageRequest(url.appending(queryItems: [URLQueryItem(name: "token", value: "1")]))
    moved.identity = "avatar"
    #expect(ImageKeys(named).bytes == ImageKeys(moved).bytes)
  }

  @Test func B21_whatDoesntAlterThePictureIsInNoKey() {
    var request = ImageRequest(url)
    request.priority = .high
    request.surface = "feed"
    request.cachePolicy = .reload
    request.showsPreviews = true
    #expect(ImageKeys(request) == ImageKeys(ImageRequest(url)))
  }
}

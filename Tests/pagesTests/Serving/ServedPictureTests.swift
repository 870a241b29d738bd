import ImageCodecs
import Testing

@testable import pages

@Suite struct ServedPictureTests {
  @Test func aPictureIsTheSameForARowAndDecodes() throws {
    for id in ["1", "a/b", "", "日本"] {
      let png = ServedPicture(of: id).png
      #expect(png == ServedPicture(of: id).png)
      let picture = try ImageDecoderList().decode(png, DecodeOptions())
      #expect(picture.size.width == ServedPicture.width)
      #expect(picture.size.height == ServedPicture.height)
      picture.withPixels { pixels in
        #expect(Set(stride(from: 0, to: pixels.count, by: 4).map { Array(pixels[$0..<($0 + 3)]) }).count > 6)
      }
    }
    #expect(ServedPicture(of: "1").png != ServedPicture(of: "2").png)
  }

  @Test func rowsGetTheURLOfTheirPictureUnlessTheyHaveOne() throws {
    var desk = ServeDesk(3, .init(addsImages: true))
    let url = try #require(desk.send("/rows/2", headers: ["host": "localhost:81"]).text(at: "image_url"))
    #expect(url == "http://localhost:81/images/2.png")
    #expect(desk.send("/images/2.png").header("Content-Type") == "image/png")
    #expect(desk.send("/images/2.jpg").status == 404)
    func added(_ row: String) -> String {
      String(decoding: ServedPicture.added(to: Array(row.utf8), JSONPath("id"), "http://h"), as: UTF8.self)
    }
    #expect(added("{\"id\":\"a/b é\"}") == "{\"id\":\"a/b é\", \"image_url\": \"http://h/images/a%2Fb%20%C3%A9.png\"}")
    for row in ["{\"id\":1,\"image_url\":null}", "{\"a\":1}", "[]", "{}"] { #expect(added(row) == row) }
  }
}

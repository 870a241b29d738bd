import LoadingHTTP
import Testing

@Suite struct HTTPHeadersTests {
  @Test func namesAreComparedWithoutCaseAndValuesKeptInOrder() {
    var headers: HTTPHeaders = ["Link": "<a>", "ETag": "\"x\"", "link": "<b>"]
    #expect(headers["LINK"] == "<a>, <b>")
    #expect(headers.values(for: "link") == ["<a>", "<b>"])
    #expect(headers["Date"] == nil)
    headers.append("<c>", for: "LINK")
    #expect(headers.map(\.name) == ["Link", "ETag", "link", "LINK"])
    #expect(headers.values(for: "Link") == ["<a>", "<b>", "<c>"])
  }

  @Test func settingTakesTheFirstPlaceAndRemovesTheOthers() {
    var headers: HTTPHeaders = ["A": "1", "b": "2", "a": "3", "c": "4"]
    headers["a"] = "5"
    #expect(headers.map(\.value) == ["5", "2", "4"])
    headers["d"] = "6"
    #expect(headers.map(\.name) == ["a", "b", "c", "d"])
    headers["B"] = nil
    headers.remove("C")
    #expect(headers.map(\.name) == ["a", "d"])
  }

  @Test func fieldsThatDifferInTheCaseOfTheirNamesAreEqual() {
    let a: HTTPHeaders = ["ETag": "\"x\""]
    let b: HTTPHeaders = ["etag": "\"x\""]
    let c: HTTPHeaders = ["etag": "\"X\""]
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
    #expect(a != c)
  }

  @Test func valuesAreComparedByteForByte() {
    // Both look the same, and are equal as texts.
    let a: HTTPHeaders = ["ETag": "\"caf\u{e9}\""]
    let b: HTTPHeaders = ["ETag": "\"cafe\u{301}\""]
    #expect(a["ETag"] == b["ETag"])
    #expect(a != b)
  }

  @Test func onlyASCIILettersAreFolded() {
    let headers: HTTPHeaders = ["x[": "1", "É": "2"]
    #expect(headers["X{"] == nil)
    #expect(headers["é"] == nil)
    #expect(headers["É"] == "2")
  }
}

import Foundation
import PagingHTTP
import Testing

@Suite struct HTTPPageKeyTests {
  @Test(arguments: [
    HTTPPageKey("abc"), HTTPPageKey("17"), HTTPPageKey(""), HTTPPageKey("a+/=%20é"), 17, HTTPPageKey(Int.min),
    HTTPPageKey(URL(string: "https://example.com/items?page=2")!),
  ])
  func everyFormComesBackAsItWas(key: HTTPPageKey) throws {
    let data = try JSONEncoder().encode([key])
    #expect(try JSONDecoder().decode([HTTPPageKey].self, from: data) == [key])
  }

  @Test func wrongFormsAreRefused() {
    for text in ["[null]", "[true]", "[{}]", "[{\"url\":7}]", "[1.5]", "[[]]"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([HTTPPageKey].self, from: Data(text.utf8)) }
    }
  }

  @Test func textNumberAndURLReadOneAnother() throws {
    let number: HTTPPageKey = 7
    let text: HTTPPageKey = "7"
    let link = try #require(URL(string: "HTTPS://example.com/a"))
    #expect(number != text)
    #expect(number.text == "7" && text.number == 7 && number.number == 7)
    #expect(number.url == nil && text.url == nil)
    #expect(HTTPPageKey(link).url == link && HTTPPageKey(link).number == nil)
    #expect(HTTPPageKey(link.absoluteString).url == link)
    #expect(HTTPPageKey("/a").url == nil)
  }

  @Test func relativeURLsAreKeptResolved() throws {
    let base = try #require(URL(string: "https://example.com/a/b"))
    let relative = try #require(URL(string: "c?x=1", relativeTo: base))
    let absolute = try #require(URL(string: "https://example.com/a/c?x=1"))
    #expect(HTTPPageKey(relative) == HTTPPageKey(absolute))
  }
}

import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Cursors below the top of a reply, and what is named by whoever asks.
@Suite struct NestedCursorTests {
  private func reply(_ url: String = "https://example.com/items") throws -> HTTPReply {
    HTTPReply(
      status: 200, body: Data(), url: try #require(URL(string: url)), receivedAt: Date(timeIntervalSince1970: 0))
  }

  private func value(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  @Test(arguments: [
    ("meta", "cursor", "cursor"), ("paging", "after", "after"), ("pagination", "nextCursor", "cursor"),
    ("page_info", "next_token", "next_token"), ("pageInfo", "endCursor", "after"), ("cursors", "next", "cursor"),
    ("links", "next_cursor", "cursor"), ("meta", "nextPageToken", "pageToken"),
  ])
  func H12_cursorsOneLevelDown(place: String, name: String, parameter: String) throws {
    let body = try value("{\"data\":[{\"id\":1}],\"\(place)\":{\"\(name)\":\"c20\"}}")
    let found = DetectedConvention.detect(try reply(), body: body)
    #expect(found.kind == .cursor && found.next == [place, name] && found.parameter == parameter, "\(found)")
    #expect(found.leadsOn(body))
    let asked = DetectedConvention.detect(try reply("https://example.com/items?after=&limit=20"), body: body)
    #expect(asked.parameter == "after")
  }

  @Test func H12_aFlagEndsAListWhoseCursorStands() throws {
    let last = try value(#"{"data":[{"id":1}],"page_info":{"end_cursor":"c1","has_next_page":false}}"#)
    let found = DetectedConvention.detect(try reply(), body: last)
    #expect(found.kind == .cursor && !found.leadsOn(last))
    let other = try value(#"{"data":[{"id":1}],"next_cursor":"c1","has_more":false}"#)
    #expect(DetectedConvention.detect(try reply(), body: other).leadsOn(other))
  }

  @Test func H12_whatIsNamedComesFirst() throws {
    let body = try value(#"{"data":[{"id":1}],"next_cursor":"a","way":{"on":"b","url":"/items?p=2","none":null}}"#)
    func found(_ next: [String]?, _ parameter: String?) throws -> DetectedConvention {
      DetectedConvention.detect(try reply(), body: body, next: next, parameter: parameter)
    }
    #expect(try found(nil, nil) == DetectedConvention.detect(reply(), body: body))
    #expect(try found(nil, "after").parameter == "after" && found(nil, "after").next == ["next_cursor"])
    let named = try found(["way", "on"], nil)
    #expect(named.kind == .cursor && named.next == ["way", "on"] && named.parameter == "cursor")
    #expect(try found(["way", "on"], "p").parameter == "p")
    #expect(try found(["way", "url"], nil).kind == .nextURL && found(["way", "url"], "u").kind == .cursor)
    #expect(try !found(["way", "none"], nil).leadsOn(body))
    let nothing = try value(#"{"data":[{"id":1}]}"#)
    let alone = DetectedConvention.detect(try reply(), body: nothing, next: nil, parameter: "after")
    #expect(alone.kind == .cursor && alone.next == nil && alone.parameter == "after")
  }

  @Test func H12_theParameterOfAKeysetIsThatOfItsURL() throws {
    let body = try value(#"{"data":[{"id":5}],"has_more":true}"#)
    #expect(DetectedConvention.detect(try reply(), body: body).parameter == "starting_after")
    let url = "https://example.com/items?after=4"
    #expect(DetectedConvention.detect(try reply(url), body: body).parameter == "after")
  }
}

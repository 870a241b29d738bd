import Testing

@testable import pages

/// What is served beside plain lists: sessions, what was not shown, filters, expiry, windows, what is newer; and the changes.
@Suite struct ServeFeedTests {
  @Test func aRankedSessionStandsStillAndExpires() throws {
    var desk = ServeDesk(300, .init(sessionLife: .seconds(30)))
    let first = desk.send("/ranked?limit=100")
    let session = try #require(first.text(at: "session"))
    let rows = first.ids(at: "items")
    #expect(first.header("Cache-Control") == "no-store")
    // Much the same rows each time, in another order.
    let other = desk.ids("/ranked?limit=100")
    #expect(rows != other)
    #expect(Set(rows).intersection(other).count > 40)
    _ = desk.send("/_insert?count=5", "POST")
    _ = desk.send("/_rows/\(rows[3])", "DELETE")
    let again = desk.send("/ranked?limit=100&session=\(session)")
    #expect(again.ids(at: "items") == rows.filter { $0 != rows[3] })
    #expect(again.text(at: "total") == "300")
    #expect(again.text(at: "expires_in") == "30")
    desk.now = .seconds(31)
    #expect(desk.send("/ranked?session=\(session)").status == 410)
    #expect(desk.send("/ranked?session=\(session)").code == "session_expired")
    #expect(desk.send("/ranked?session=s0").code == "unknown_session")
    for _ in 0..<RankedSessions.maxSessions { _ = desk.send("/ranked") }
    #expect(desk.send("/ranked?session=\(session)").status == 404)
  }

  @Test func whatAReaderWasGivenIsHeldBack() {
    var desk = ServeDesk(20)
    #expect(desk.ids("/unseen?reader=a&limit=8") == Array(1...8))
    #expect(desk.ids("/unseen?reader=b&limit=8") == Array(1...8))
    #expect(desk.ids("/unseen?reader=a&limit=8&exclude=9,10") == Array(11...18))
    _ = desk.send("/_insert", "POST")
    #expect(desk.ids("/unseen?reader=a&limit=8") == [21, 9, 10, 19, 20])
    #expect(desk.json("/unseen?reader=a")?.member("has_more")?.isTrue == false)
    #expect(desk.ids("/unseen?reader=a").isEmpty)
    for number in 0..<ReaderMemory.maxReaders { _ = desk.send("/unseen?reader=r\(number)&limit=1") }
    #expect(desk.ids("/unseen?reader=a&limit=1") == [21])
  }

  @Test func filteredPagesAreShortOrEmptyAndGoOn() {
    var desk = ServeDesk(100)
    var target = "/filtered?limit=10&match=9%22"
    var sizes: [Int] = []
    var rows: [Int] = []
    while true {
      let reply = desk.send(target)
      sizes.append(reply.ids(at: "items").count)
      rows += reply.ids(at: "items")
      guard let next = reply.text(at: "next_cursor") else { break }
      target = "/filtered?limit=10&match=9%22&cursor=\(next)"
    }
    #expect(rows == stride(from: 9, through: 99, by: 10).map { $0 })
    #expect(sizes.count == 10)
    #expect(desk.ids("/filtered?limit=10&match=nowhere").isEmpty)
    #expect(desk.send("/filtered?limit=10&match=nowhere").text(at: "next_cursor") != nil)
    #expect(desk.ids("/filtered?limit=6") == [1, 4])
  }

  @Test func anExpiringCursorIsGoodForItsTime() throws {
    var desk = ServeDesk(100, .init(cursorLife: .seconds(5)))
    let cursor = try #require(desk.send("/expiring?limit=10").text(at: "next_cursor"))
    desk.now = .seconds(5)
    #expect(desk.ids("/expiring?limit=10&cursor=\(cursor)").first == 11)
    desk.now = .milliseconds(5001)
    let reply = desk.send("/expiring?limit=10&cursor=\(cursor)")
    #expect(reply.status == 410)
    #expect(reply.code == "cursor_expired")
  }

  @Test func aWindowOpensAroundARow() throws {
    var desk = ServeDesk(50)
    let window = desk.send("/window?around=20&before=3&after=2")
    #expect(window.ids(at: "items") == [17, 18, 19, 20, 21, 22])
    #expect(window.text(at: "anchor_index") == "3")
    let previous = try #require(window.text(at: "previous"))
    let next = try #require(window.text(at: "next"))
    #expect(desk.ids("/window?previous=\(previous)&limit=4") == [13, 14, 15, 16])
    #expect(desk.ids("/window?next=\(next)&limit=4") == [23, 24, 25, 26])
    #expect(desk.ids("/window?anchor=20&num_before=0&num_after=3&include_anchor=false") == [21, 22, 23])
    #expect(desk.ids("/window?anchor=20&num_before=3&num_after=0&include_anchor=false") == [17, 18, 19])
    #expect(desk.ids("/window?anchor=20&num_before=2&num_after=2&include_anchor=false") == [18, 19, 21, 22])
    let end = desk.send("/window?anchor=49&num_before=1&num_after=9&include_anchor=false")
    #expect(end.ids(at: "items") == [48, 50])
    #expect(end.json?.member("found_oldest")?.isTrue == true)
    #expect(desk.json("/window?around=1&before=5&after=2")?.member("found_newest")?.isTrue == true)
    #expect(desk.ids("/window?around=oldest&before=2&after=2") == [48, 49, 50])
    _ = desk.send("/_rows/20", "DELETE")
    #expect(desk.send("/window?around=20").status == 404)
    #expect(desk.send("/window?around=20").code == "anchor_not_found")
    #expect(desk.ids("/window?anchor=20&num_before=1&num_after=1&include_anchor=false") == [19, 21])
  }

  @Test func whatIsNewerIsGivenAndCounted() {
    var desk = ServeDesk(10)
    _ = desk.send("/_insert?count=5", "POST")
    #expect(desk.ids("/newer?since_id=1&limit=2") == [11, 12])
    #expect(desk.ids("/newer?min_id=1&limit=2") == [14, 15])
    #expect(desk.ids("/cursor?min_id=2&limit=3") == [14, 15, 1])
    #expect(desk.json("/newer/count?since_id=1")?.member("count")?.integer == 5)
    let capped = desk.json("/newer/count?since_id=1&cap=3")
    #expect(capped?.member("count")?.integer == 3)
    #expect(capped?.member("capped")?.isTrue == true)
  }

  @Test func rowsComeByTheirIDsInListOrder() {
    var desk = ServeDesk(30)
    _ = desk.send("/_rows/7", "DELETE")
    #expect(desk.ids("/items?ids=9,7,3,9,1000,1") == [1, 3, 9])
    #expect(desk.send("/items?ids=" + (1...101).map(String.init).joined(separator: ",")).code == "too_many_ids")
    #expect(desk.send("/rows/7").status == 410)
    #expect(desk.send("/rows/8").text(at: "title") == "Row 8")
    #expect(desk.send("/rows/31").status == 404)
  }

  // MARK: - Changes

  @Test func rowsGoWhereTheyAreSent() {
    var desk = ServeDesk(4)
    _ = desk.send("/_insert?at=after:2", "POST", body: "{\"id\":20}")
    _ = desk.send("/_insert?at=before:2", "POST", body: "[{\"id\":21},{\"id\":22}]")
    _ = desk.send("/_insert?at=bottom", "POST", body: "{\"id\":23}")
    #expect(
      desk.send("/_insert", "POST", body: "{\"id\":24}").json?.member("inserted")?.elements.map(\.integer) == [24])
    #expect(desk.ids("/cursor") == [24, 1, 21, 22, 2, 20, 3, 4, 23])
    _ = desk.send("/_rows/2", "DELETE")
    _ = desk.send("/_insert?at=after:2", "POST", body: "{\"id\":25}")
    #expect(desk.ids("/cursor") == [24, 1, 21, 22, 25, 20, 3, 4, 23])
    #expect(desk.send("/_rows?first=2", "DELETE").json?.member("deleted")?.elements.map(\.integer) == [24, 1])
    #expect(desk.send("/_rows?last=1", "DELETE").status == 200)
    #expect(desk.ids("/cursor") == [21, 22, 25, 20, 3, 4])
    let state = desk.json("/_state")
    #expect(state?.member("rows")?.integer == 6)
    #expect(state?.member("inserted")?.integer == 6)
    #expect(state?.member("deleted")?.integer == 4)
    _ = desk.send("/_reset", "POST")
    #expect(desk.ids("/cursor") == [1, 2, 3, 4])
  }

  @Test func madeUpRowsLookLikeTheOthers() throws {
    var desk = ServeDesk(3)
    let made = try #require(desk.send("/_insert?count=2", "POST").json)
    #expect(made.member("inserted")?.elements.map(\.integer) == [4, 5])
    #expect(desk.send("/rows/4").text(at: "title") == "New row 4")
    #expect(desk.send("/rows/4").text(at: "score") == "0")
    var named = ListService(
      ServedRows(
        try RowFile(
          Array("{\"a\":{\"id\":\"x\"},\"b\":1}\n{\"a\":{\"id\":\"y\"},\"b\":2}".utf8), .init(id: JSONPath("a.id")))))
    let request = try #require(ServedRequest(method: "POST", target: "/_insert"))
    #expect(named.answer(request, at: .zero).json?.member("inserted")?.elements.map(\.string) == ["new-3"])
    var empty = ServeDesk(0)
    #expect(empty.send("/_insert?count=3", "POST").status == 201)
    #expect(empty.ids("/cursor") == [1, 2, 3])
  }

  @Test(arguments: [
    ("POST", "/_insert?at=middle", "", 400), ("POST", "/_insert?at=after:99", "", 400),
    ("POST", "/_insert?count=0", "", 400),
    ("POST", "/_insert?count=1001", "", 400), ("POST", "/_insert", "{\"id\":1}", 409),
    ("POST", "/_insert", "{\"id\":}", 400),
    ("POST", "/_insert", "[{\"id\":7},{\"id\":7}]", 409), ("POST", "/_insert", "{\"name\":7}", 400),
    ("POST", "/_insert", "7", 400), ("GET", "/_insert", "", 404), ("DELETE", "/_rows", "", 400),
    ("DELETE", "/_rows/9", "", 404), ("DELETE", "/_rows?first=5000", "", 200), ("POST", "/_faults", "3:nonsense", 400),
    ("GET", "/_nothing", "", 404), ("DELETE", "/_rows?first=-1", "", 400),
  ])
  func changesThatCannotBeAreRefusedInWords(_ method: String, _ target: String, _ body: String, _ status: Int) {
    var desk = ServeDesk(5)
    let reply = desk.send(target, method, body: body)
    #expect(reply.status == status)
    if status != 200 {
      #expect(reply.json?.member("error")?.string?.isEmpty == false)
      #expect(desk.ids("/cursor") == [1, 2, 3, 4, 5])
    }
  }

  @Test func aPageOnTheNetCanNeitherReadNorChangeIt() {
    var desk = ServeDesk(5)
    for headers in [
      ["host": "example.com"], ["host": "127.0.0.1.example.com"],
      ["host": "127.0.0.1:80", "origin": "https://example.com"],
      ["host": "localhost", "origin": "null"], ["host": ""],
    ] {
      #expect(desk.send("/_rows?first=1", "DELETE", headers: headers).status == 403, "\(headers)")
      #expect(desk.send("/cursor", headers: headers).status == 403, "\(headers)")
    }
    for host in ["127.0.0.1", "127.0.0.1:8080", "localhost:1", "LOCALHOST", "[::1]:80"] {
      #expect(
        desk.send("/cursor", headers: ["host": host, "origin": "http://localhost:3000"]).status == 200, "\(host)")
    }
    #expect(desk.ids("/cursor").count == 5)
  }
}

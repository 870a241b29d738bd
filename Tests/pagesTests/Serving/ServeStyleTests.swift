import Testing

@testable import pages

/// Every way to page, without sockets: from the start to the end and back, while the list stands still and while it changes.
@Suite struct ServeStyleTests {
  static let walks = ServeWalk.all()

  @Test(arguments: ServeStyleTests.walks) func everyRowComesOnceAndInOrder(_ walk: ServeWalk) {
    for count in [0, 1, 7, 14, 103] {
      var desk = ServeDesk(count)
      let rows = walk.run(&desk).pages.flatMap { $0 }
      #expect(rows.sorted() == (1...max(1, count)).filter { $0 <= count }, "\(count) rows")
      if !walk.first.hasPrefix("/ranked") { #expect(rows == rows.sorted()) }
    }
  }

  @Test(arguments: ServeStyleTests.walks.filter { $0.previous != nil })
  func theWayBackGivesThemOnceToo(_ walk: ServeWalk) {
    var desk = ServeDesk(101)
    let way = walk.run(&desk)
    let back = walk.back(&desk, from: way.target, way.last)
    #expect(Array(back.reversed().flatMap { $0 }) == way.pages.dropLast().flatMap { $0 })
    #expect(back.count == way.pages.count - 1)
  }

  @Test(arguments: ServeStyleTests.walks) func insertsAboveMakeCountedPagesRepeatAndNoOthers(_ walk: ServeWalk) {
    var desk = ServeDesk(60)
    let rows = walk.run(&desk) { desk, _ in
      #expect(desk.send("/_insert?count=2", "POST").status == 201)
    }.pages.flatMap { $0 }
    let repeats = rows.count - Set(rows).count
    #expect(Set(rows).isSuperset(of: 1...60))
    #expect(walk.isCounted ? repeats > 0 : repeats == 0, "\(repeats) repeats")
  }

  @Test(arguments: ServeStyleTests.walks) func deletesAboveMakeCountedPagesSkipAndNoOthers(_ walk: ServeWalk) {
    var desk = ServeDesk(60)
    // Each time the row that came last, on which the next page hangs, and one far above it.
    let rows = walk.run(&desk) { desk, sofar in
      if let last = sofar.last { #expect(desk.send("/_rows/\(last)", "DELETE").status == 200) }
      if let old = sofar.dropLast().first(where: { desk.send("/rows/\($0)").status == 200 }) {
        #expect(desk.send("/_rows/\(old)", "DELETE").status == 200)
      }
    }.pages.flatMap { $0 }
    #expect(rows.count == Set(rows).count)
    #expect(walk.isCounted ? rows.count < 60 : rows.sorted() == Array(1...60))
  }

  @Test(arguments: ["/cursor?limit=7", "/keyset?limit=7", "/next-url?limit=7", "/link?limit=7", "/graphql?first=7"])
  func anOrderOfOnesOwnHoldsWithTiesAndWhileTheListChanges(_ first: String) throws {
    let walk = try #require(Self.walks.first { $0.first == first })
    for sort in ["score", "-score", "title", "nothing", "-id"] {
      var desk = ServeDesk(60)
      var target: String? = first + "&sort=" + sort
      var rows: [Int] = []
      while let here = target {
        let reply = desk.send(here)
        rows += walk.ids(reply)
        target = walk.next(reply, here).map { $0.contains("sort=") ? $0 : $0 + "&sort=" + sort }
        if let last = rows.last, rows.count < 50 { _ = desk.send("/_rows/\(last)", "DELETE") }
      }
      #expect(rows.count == 60)
      #expect(Set(rows) == Set(1...60))
      func score(_ id: Int) -> Int { (id - 1) * 7 % 5 }
      switch sort {
      case "score": #expect(rows.map(score) == rows.map(score).sorted())
      case "-score": #expect(rows.map(score) == rows.map(score).sorted(by: >))
      case "title": #expect(rows == rows.sorted { "Row \($0)" < "Row \($1)" })
      case "-id": #expect(rows == (1...60).reversed())
      default: #expect(rows == Array(1...60))
      }
    }
  }

  @Test func keysetGoesBothWaysInAnOrderOfItsOwn() {
    var desk = ServeDesk(20)
    let down = desk.ids("/keyset?sort=-score&limit=20")
    #expect(desk.ids("/keyset?sort=-score&limit=5&after=\(down[9])") == Array(down[10..<15]))
    #expect(desk.ids("/keyset?sort=-score&limit=5&before=\(down[9])") == Array(down[4..<9]))
    #expect(desk.json("/keyset?sort=-score&limit=5&before=\(down[3])")?.member("has_more")?.isTrue == false)
    #expect(desk.send("/keyset?after=999").code == "resource_missing")
  }

  @Test func graphQLTakesItsArgumentsFromVariablesURLOrQuery() {
    var desk = ServeDesk(20)
    let body =
      "{\"query\":\"query($n: Int) { items(first: $n) { edges { node { id } } } }\",\"variables\":{\"first\":3}}"
    #expect(desk.send("/graphql", "POST", body: body).ids(at: "data.items.edges") == [1, 2, 3])
    let literal = "{\"query\":\"{ items(first: 4) { edges { node { id } } } }\"}"
    #expect(desk.send("/graphql", "POST", body: literal).ids(at: "data.items.edges") == [1, 2, 3, 4])
    #expect(desk.ids("/graphql?last=2", at: "data.items.edges") == [19, 20])
    let refused = desk.send("/graphql?first=2&after=nonsense")
    #expect(refused.status == 200)
    #expect(refused.json.flatMap { JSONPath("errors.0.extensions.code").value(in: $0)?.string } == "invalid_cursor")
    #expect(desk.send("/graphql", "POST", body: "[1]").text.contains("not a JSON object"))
    #expect(desk.send("/graphql?first=2&last=2").json?.member("errors") != nil)
  }

  @Test func awsTokensGoInTheBodyToo() {
    var desk = ServeDesk(9)
    let first = desk.send("/aws", "POST", body: "{\"MaxResults\":5}")
    #expect(first.ids(at: "Items") == [1, 2, 3, 4, 5])
    let token = first.text(at: "NextToken") ?? ""
    let last = desk.send("/aws", "POST", body: "{\"MaxResults\":5,\"NextToken\":\"\(token)\"}")
    #expect(last.ids(at: "Items") == [6, 7, 8, 9])
    #expect(last.text(at: "NextToken") == nil)
  }

  @Test func sizesAreLoweredOrRefused() {
    var desk = ServeDesk(200)
    #expect(desk.ids("/cursor?limit=5000").count == 100)
    #expect(desk.ids("/cursor").count == 30)
    desk.service.options.refusesAboveCap = true
    #expect(desk.send("/cursor?limit=101").code == "invalid_size")
    for target in [
      "/cursor?limit=0", "/link?limit=-1", "/offset?limit=x", "/page?page=0", "/page?page=9223372036854775807",
      "/offset?offset=-1", "/offset?offset=x", "/cursor?cursor=4", "/cursor?cursor=%F0%9F%98%80",
      "/window?around=1&before=x",
      "/newer", "/newer/count", "/aws?NextToken=abc", "/ranked?offset=-1",
    ] {
      let reply = desk.send(target)
      #expect(reply.status == 400, "\(target)")
      #expect(reply.json?.member("error")?.string?.isEmpty == false)
    }
    #expect(desk.send("/else").status == 404)
    #expect(desk.send("/cursor", "PUT").status == 405)
    #expect(desk.send("/cursor", "PUT").header("Allow") == "GET, HEAD")
  }

  @Test func theLargestNumberOfAPageIsAPageWithoutRows() throws {
    var desk = ServeDesk(9)
    for path in ["/page?page=\(Int.max)&per_page=1", "/jsonapi?page%5Bnumber%5D=\(Int.max)&page%5Bsize%5D=1"] {
      let reply = desk.send(path)
      #expect(reply.status == 200 && reply.ids(at: "items").isEmpty && reply.ids(at: "data").isEmpty)
      #expect(try #require(reply.json).member("links").map { $0.member("next")?.kind == .null } ?? true)
    }
    #expect(desk.ids("/jsonapi?page%5Bnumber%5D=2&limit=5", at: "data") == [6, 7, 8, 9])
  }

  @Test func aCursorThatWasCutOrChangedIsRefused() throws {
    var desk = ServeDesk(30)
    let good = try #require(desk.send("/cursor?limit=5").text(at: "next_cursor"))
    #expect(ServedCursor(good) != nil)
    for count in 0..<good.count { #expect(ServedCursor(String(good.prefix(count))) == nil) }
    for (index, letter) in good.enumerated() {
      var changed = Array(good)
      changed[index] = letter == "A" ? "B" : "A"
      #expect(ServedCursor(String(changed)) == nil)
    }
    let foreign = ServedCursor(.after, 4000).text
    #expect(desk.send("/cursor?cursor=\(foreign)").code == "invalid_cursor")
  }

  @Test func theListAtTheRootNamesEveryStyleAndEachLineWorks() throws {
    var desk = ServeDesk(50)
    let text = desk.send("/", headers: ["host": "localhost:80"]).text
    for style in ServedStyle.all { #expect(text.contains("  \(style.path)\n")) }
    let lines = text.split(separator: "\n").filter { $0.contains("curl") && !$0.contains("/_") }
    #expect(lines.count == ServedStyle.all.count)
    for line in lines {
      let target = try #require(line.split(separator: "'").last { $0.hasPrefix("http") }).dropFirst(
        "http://localhost:80".count)
      let isPost = line.contains("--data")
      #expect(
        desk.send(String(target), isPost ? "POST" : "GET", body: isPost ? "{\"MaxResults\": 20}" : "").status == 200,
        "\(line)")
    }
  }
}

import Foundation
import PagingHTTP
import Testing

@testable import pages

@Suite(.timeLimit(.minutes(10))) struct WorksheetTests {
  private static func report(_ url: String, sizes: [Int] = [20, 20, 20, 20]) -> ProbeReport {
    ProbeReport(ProbeMade.list(sizes: sizes), of: url, found: nil, requests: 20)
  }

  private static let time = "2026-01-01T00:00:00Z"

  @Test(arguments: [Worksheet.Form.json, .markdown]) func eachListHasOneEntryAndChangesAreMarked(
    _ form: Worksheet.Form
  ) throws {
    var sheet = try Worksheet(nil, as: form)
    sheet.add(Self.report("http://a/x"), at: Self.time)
    sheet.add(Self.report("http://a/y|<b>-->"), at: Self.time)
    #expect(sheet.entries.allSatisfy { $0.changes.isEmpty })
    sheet = try Worksheet(sheet.data, as: form)
    sheet.add(Self.report("http://a/x", sizes: [20, 7, 20, 20]), at: Self.time)
    sheet = try Worksheet(sheet.data, as: form)
    #expect(sheet.entries.map(\.url) == ["http://a/x", "http://a/y|<b>-->"])
    #expect(sheet.entries.map { $0.members["runs"] } == [2, 1])
    let changes = Dictionary(uniqueKeysWithValues: sheet.entries[0].changes.map { ($0.id, $0.what) })
    #expect(changes["pages.vary"] == "new" && changes["pages.constant"] == "gone" && changes["end.none"] == "new")
    #expect(changes["refresh.same"] == nil)
    sheet.add(Self.report("http://a/x", sizes: [20, 9, 20, 20]), at: Self.time)
    let again = Dictionary(uniqueKeysWithValues: sheet.entries[0].changes.map { ($0.id, $0.what) })
    #expect(again == ["pages.vary": "changed", "end.none": "changed"])
  }

  @Test func whatOthersWroteStays() throws {
    var sheet = try Worksheet(nil, as: .markdown)
    sheet.add(Self.report("http://a/x"), at: Self.time)
    let text = String(decoding: sheet.data, as: UTF8.self)
    var noted = try Worksheet(Data((text + "\nAsk Mia about it.\n").utf8), as: .markdown)
    noted.add(Self.report("http://a/x"), at: Self.time)
    noted.add(Self.report("http://a/y"), at: Self.time)
    let after = String(decoding: noted.data, as: UTF8.self)
    #expect(after.contains("\nAsk Mia about it.\n"))
    #expect(noted.entries.count == 2)

    var json = try Worksheet(nil, as: .json)
    json.add(Self.report("http://a/x"), at: Self.time)
    var value = try JSONDecoder().decode(JSONValue.self, from: json.data)
    value["owner"] = "Mia"
    var lists = value["lists"]?.elements ?? []
    lists[0]["note"] = "slow on Mondays"
    value["lists"] = .array(lists)
    var again = try Worksheet(JSONEncoder().encode(value), as: .json)
    again.add(Self.report("http://a/x"), at: Self.time)
    let kept = try JSONDecoder().decode(JSONValue.self, from: again.data)
    #expect(kept["owner"] == "Mia" && kept["lists"]?.elements?.first?["note"] == "slow on Mondays")
  }

  @Test(arguments: [(Int.max, Int.max), (Int.min, 1), (4, 5)])
  func anyNumberOfRunsIsCountedOn(_ runs: Int, _ next: Int) throws {
    let text =
      "{\"format\": \"pages-worksheet\", \"version\": 1, \"lists\": [{\"url\": \"http://a/x\", \"runs\": \(runs)}]}"
    var sheet = try Worksheet(Data(text.utf8), as: .json)
    sheet.add(Self.report("http://a/x"), at: Self.time)
    #expect(sheet.entries.map { $0.members["runs"] } == [.integer(next)])
  }

  @Test(arguments: [
    (Worksheet.Form.json, "{\"a\": 1}"), (.json, "{\"version\": 1, \"lists\": []}"), (.json, "not JSON"), (.json, "[]"),
    (.json, "{\"format\": \"pages-worksheet\", \"version\": 2, \"lists\": []}"),
    (.json, "{\"format\": \"pages-worksheet\", \"version\": 1, \"lists\": [{\"uri\": 1}]}"),
    (.markdown, "# Shopping\n"), (.markdown, "<!-- pages worksheet 1 -->\n<!-- pages list {} -->\n"),
    (.markdown, "<!-- pages worksheet 1 -->\n<!-- pages list {\"url\": \"x\"} -->\nno end\n"),
  ])
  func whatIsNoWorksheetIsRefused(_ form: Worksheet.Form, _ text: String) {
    #expect(throws: Worksheet.Refusal.self) { try Worksheet(Data(text.utf8), as: form) }
  }

  @Test(arguments: ["lists.json", "lists.md"]) func aRunKeepsItsListInTheFile(_ name: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    let server = try ListServer(ServedRows(count: 900) { "{\"id\": \($0 + 1)}" }, cap: 100)
    for path in ["/cursor", "/link", "/cursor"] {
      let run = try await Tool.run(["probe", server.url(path), "--pace", "0", "--worksheet", file.path])
      #expect(run.status == 0, "\(run.errors)")
    }
    let form = try #require(Worksheet.Form(path: name))
    let sheet = try Worksheet(Data(contentsOf: file), as: form)
    #expect(sheet.entries.map(\.url) == [server.url("/cursor"), server.url("/link")])
    #expect(sheet.entries.map { $0.members["runs"] } == [2, 1])
    // Nothing but the file is left: it was replaced as a whole.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  @Test func anotherFileStaysAsItWas() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".md")
    try Data("# Mine\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try ListServer(ServedRows(count: 9) { "{\"id\": \($0 + 1)}" })
    let run = try await Tool.run(["probe", server.url("/cursor"), "--worksheet", file.path])
    #expect(run.status == 2)
    #expect(run.errors.contains("no worksheet"))
    #expect(server.requestCount == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == "# Mine\n")
  }
}

import Foundation
import PagingHTTP
import TestSupport
import Testing

@testable import pages

/// Observations made by hand.
enum ProbeMade {
  static func ids(_ numbers: some Sequence<Int>) -> [RowID] { numbers.map { .text(String($0)) } }

  /// A list of 1,000 rows, the newest first, four pages of 20 walked, nothing the matter with it.
  static func list(
    keys: [String?] = [nil, "c1", "c2", "c3"], sizes: [Int] = [20, 20, 20, 20], last: Bool = false,
    name: String? = "cursor",
    total: SeenTotal? = nil
  ) -> ProbeObservations {
    var seen = ProbeObservations()
    seen.kind = "cursor"
    seen.keyName = name
    var next = 1000
    for (index, size) in sizes.enumerated() {
      var page = ProbeObservations.Page(rows: ids((0..<size).map { next - $0 }))
      page.key = index < keys.count ? keys[index] : nil
      page.goesOn = !(last && index == sizes.count - 1)
      page.total = total
      next -= size
      seen.pages.append(page)
    }
    seen.refreshes = [seen.pages[0].rows, seen.pages[0].rows]
    return seen
  }
}

/// Runs of the built program against a server.
enum ProbeRun {
  /// What a run said, as its JSON.
  static func report(_ words: [String], pages: Int = 4) async throws -> (run: ToolRun, json: JSONValue) {
    let run = try await Tool.run(["probe", "--json", "--pace", "0", "--pages", String(pages)] + words)
    return (run, try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8)))
  }
}

extension JSONValue {
  var style: String { value(at: ["style", "name"])?.text ?? "" }
  var code: String { value(at: ["use", "convention"])?.text ?? "" }
  var findings: [JSONValue] { self["findings"]?.elements ?? [] }
  var ids: Set<String> { Set(findings.compactMap { $0["id"]?.text }) }
  var faults: Set<String> { Set(findings.filter { $0["fault"] == .bool(true) }.compactMap { $0["id"]?.text }) }

  func finding(_ id: String) -> JSONValue? { findings.first { $0["id"]?.text == id } }
}

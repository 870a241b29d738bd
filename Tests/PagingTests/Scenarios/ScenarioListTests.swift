import Foundation
import Testing

/// Keeps `Documentation/PagingScenarios.md` and the names of the tests together.
@Suite struct ScenarioListTests {
  /// The repository; nil where its sources are not at hand, as on a device.
  private static let root: URL? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appendingPathComponent("Documentation/PagingScenarios.md")
    return FileManager.default.fileExists(atPath: page.path) ? root : nil
  }()

  /// The numbers of a page: the list at its end, and its rows.
  private struct Page {
    var list: [String] = []
    var rows: [String] = []

    init(_ text: String) throws {
      var section = ""
      for line in text.split(separator: "\n") {
        if line.hasPrefix("## ") {
          section = String(line.dropFirst(3))
        } else if section == "The list", let colon = line.firstIndex(of: ":"), line.hasPrefix("- ") {
          let series = line[..<colon].dropFirst(2)
          list += line[line.index(after: colon)...].split(separator: " ").map { "\(series)-\($0)" }
        } else if line.hasPrefix("| "), let cell = line.split(separator: "|").first {
          rows += cell.matches(of: /\b[A-Z]{3}-\d\d\b/).map { String($0.output) }
        }
      }
    }
  }

  /// The numbers in the names of tests: SNP-11 of `SNP_11_…`, MED-10 and MED-11 of `MED_10_11_…`.
  private func numbers(inTestsUnder folder: URL) throws -> [String] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for name in text.matches(of: /func ((?:[A-Z]{3}(?:(?:_and)?_\d\d)+_)+)/) {
        var series: Substring = ""
        for part in name.output.1.split(separator: "_") {
          if part.first?.isUppercase == true {
            series = part
          } else if part != "and" {
            found.append("\(series)-\(part)")
          }
        }
      }
    }
    return found
  }

  @Test(.enabled(if: root != nil)) func everyScenarioIsInATestOrOnThisPage() throws {
    let root = try #require(Self.root)
    let page = try Page(
      String(contentsOf: root.appendingPathComponent("Documentation/PagingScenarios.md"), encoding: .utf8))
    let tests = try numbers(inTestsUnder: root.appendingPathComponent("Tests"))
    #expect(page.list.count == 283)
    #expect(Set(page.list).count == page.list.count)
    var places: [String: Int] = [:]
    for number in page.rows + tests { places[number, default: 0] += 1 }
    #expect(page.list.filter { places[$0] == nil } == [], "in no test and in no row")
    #expect(places.filter { $0.value > 1 }.keys.sorted() == [], "in more than one place")
    #expect(Set(places.keys).subtracting(page.list).sorted() == [], "not in the list")
  }
}

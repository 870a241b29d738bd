package import Foundation

/// A page in `Documentation` with tables of three columns: what a row is called, what holds, and the tests that show it, each
/// as `Suite/test` in code quotes, or the reason why none does.
package struct TestedPage: Sendable {
  /// One row of a table.
  package struct Row: Sendable {
    package let name: String
    package let answer: String
    /// Those that it names.
    package let tests: [String]
  }

  /// The repository; nil where its sources are not at hand, as on a device.
  package static let root: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = root.appending(path: "Documentation/StoreBehaviours.md")
    return FileManager.default.fileExists(atPath: page.path(percentEncoded: false)) ? root : nil
  }()

  package let rows: [Row]

  /// The rows of a page; what stands above the line of a table is none.
  package init(_ name: String, in root: URL) throws {
    var rows: [Row] = []
    let text = try String(contentsOf: root.appending(path: "Documentation/\(name)"), encoding: .utf8)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count == 3 else { continue }
      if cells[0].hasPrefix("--") {
        rows.removeLast()
      } else {
        let tests = cells[2].matches(of: /`(\w+\/\w+)`/).map { String($0.output.1) }
        rows.append(Row(name: cells[0], answer: cells[2], tests: tests))
      }
    }
    self.rows = rows
  }

  /// What is wrong with the rows: each has to name tests that exist, or the reason why there are none.
  ///
  /// - Parameters:
  ///   - tests: Those that exist.
  ///   - reasons: How the answer of a row begins that names no test, by the row's name.
  package func problems(among tests: Set<String>, withoutTests reasons: [String: String] = [:]) -> [String] {
    rows.flatMap { row in
      let beginning = reasons[row.name] ?? "`"
      var problems: [String] = []
      if !row.answer.hasPrefix(beginning) || row.answer.count <= beginning.count + 10 {
        problems.append("\(row.name) doesn't begin with \(beginning) and something behind it")
      }
      if row.tests.isEmpty != (beginning != "`") { problems.append("\(row.name) names \(row.tests.count) tests") }
      return problems + row.tests.filter { !tests.contains($0) }.map { "\(row.name) names \($0), which isn't there" }
    }
  }

  /// What is wrong with the names of tests: each test of a row has to carry the row's number.
  ///
  /// - Parameter series: The letters that numbers begin with.
  package func numberProblems(series: Set<String>) -> [String] {
    rows.flatMap { row in
      row.tests.filter { !Self.numbers(of: $0, series: series).contains(row.name) }
        .map { "\($0) doesn't carry \(row.name)" }
    }
  }

  /// All tests below folders of `Tests`, as `Suite/test`.
  package static func tests(under folders: [String], in root: URL) throws -> Set<String> {
    var found: Set<String> = []
    for folder in folders {
      let below = FileManager.default.enumerator(
        at: root.appending(path: "Tests/\(folder)"), includingPropertiesForKeys: nil)
      while let file = below?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        found.formUnion(tests(in: try String(contentsOf: file, encoding: .utf8)))
      }
    }
    return found
  }

  private static func tests(in text: String) -> Set<String> {
    var found: Set<String> = []
    var suite = ""
    for part in text.matches(
      of: /(?m)^(?:(?:  )?(?:@\w+ )*@Suite[^\n]*?struct|extension|struct) (\w+)|^ {2,4}(?:@Test[^\n]*)?func (\w+)\(/)
    {
      if let name = part.output.1 { suite = String(name) }
      if let name = part.output.2 { found.insert("\(suite)/\(name)") }
    }
    return found
  }

  /// The numbers that a test carries: S4 and B14 of `Suite/S4_B14_…`.
  ///
  /// - Parameter series: The letters that numbers begin with.
  package static func numbers(of test: String, series: Set<String>) -> [String] {
    let words = (test.split(separator: "/").last ?? "").split(separator: "_")
    return words.dropLast().prefix { word in
      let letters = word.prefix { $0.isLetter }
      return series.contains(String(letters)) && word.dropFirst(letters.count).wholeMatch(of: /\d+/) != nil
    }.map(String.init)
  }
}

import Foundation
import Testing

/// Keeps `Documentation/StoreBehaviours.md` and the names of the tests together.
@Suite struct StoreBehaviourListTests {
  /// The repository; nil where its sources are not at hand, as on a device.
  private static let root: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appending(path: "Documentation/StoreBehaviours.md")
    return FileManager.default.fileExists(atPath: page.path(percentEncoded: false)) ? root : nil
  }()

  /// Every number that there is.
  private static let numbers: [String] =
    [("S", 13), ("ROW", 25), ("INV", 12), ("B", 100)].flatMap { series, count in (1...count).map { "\(series)\($0)" } }
  private static let onScreen: Set = ["B50", "B56", "B60", "B63", "B64"]
  private static let withoutCounterpart: Set = ["B26", "B62", "B80", "B81", "B97", "B98", "B99"]

  /// One row of the page.
  struct Line {
    var number: String
    var tests: [String]
    var answer: String

    /// nil: the line is no row of a number.
    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| "), cells.count == 3, cells[0].wholeMatch(of: /[A-Z]+\d+/) != nil else { return nil }
      number = cells[0]
      answer = cells[2]
      tests = answer.matches(of: /`(\w+\/\w+)`/).map { String($0.output.1) }
    }
  }

  /// All tests below a folder, as `Suite/test`.
  static func tests(under folder: URL) throws -> Set<String> {
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      var suite = ""
      let text = try String(contentsOf: file, encoding: .utf8)
      for part in text.matches(
        of: /(?m)^(?:(?:  )?@Suite[^\n]*?struct|extension|struct) (\w+)|^ {2,4}(?:@Test[^\n]*)?func (\w+)\(/)
      {
        if let name = part.output.1 { suite = String(name) }
        if let name = part.output.2 { found.insert("\(suite)/\(name)") }
      }
    }
    return found
  }

  /// The numbers that a test carries: S4 and B14 of `S4_B14_…`.
  static func numbers(of test: String) -> [String] {
    let name = test.split(separator: "/").last ?? ""
    guard let start = name.prefixMatch(of: /(?:(?:S|ROW|INV|B)\d+_)+/) else { return [] }
    return start.output.split(separator: "_").map(String.init)
  }

  private func page(_ root: URL) throws -> [Line] {
    try String(contentsOf: root.appending(path: "Documentation/StoreBehaviours.md"), encoding: .utf8)
      .split(separator: "\n").compactMap(Line.init)
  }

  @Test(.enabled(if: root != nil)) func everyNumberStandsInOneRow() throws {
    let lines = try page(try #require(Self.root)).map(\.number)
    #expect(lines == Self.numbers)
  }

  @Test(.enabled(if: root != nil)) func everyRowNamesTestsThatExistOrSaysWhyThereAreNone() throws {
    let root = try #require(Self.root)
    let tests = try Self.tests(under: root.appending(path: "Tests/PagingStoreTests"))
    #expect(tests.count > 300)
    for line in try page(root) {
      let expected =
        Self.onScreen.contains(line.number)
        ? "on a screen: " : Self.withoutCounterpart.contains(line.number) ? "no counterpart: " : "`"
      #expect(line.answer.hasPrefix(expected) && line.answer.count > expected.count + 10, "\(line.number)")
      #expect(line.tests.isEmpty == (expected != "`"), "\(line.number)")
      for test in line.tests {
        #expect(tests.contains(test), "\(line.number) names \(test), which isn't there")
        #expect(Self.numbers(of: test).contains(line.number), "\(test) doesn't carry \(line.number)")
      }
    }
  }

  @Test(.enabled(if: root != nil)) func everyNumberInATestsNameIsOnThePage() throws {
    let tests = try Self.tests(under: try #require(Self.root).appending(path: "Tests/PagingStoreTests"))
    let known = Set(Self.numbers)
    for test in tests {
      for number in Self.numbers(of: test) { #expect(known.contains(number), "\(test) carries \(number)") }
    }
  }
}

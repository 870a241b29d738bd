import Foundation
import Testing

/// Keeps `Documentation/ImageBehaviours.md` and the names of the tests together.
@Suite struct ImageBehaviourListTests {
  /// The repository; nil where its sources are not at hand, as on a device.
  private static let root: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = root.appending(path: "Documentation/ImageBehaviours.md")
    return FileManager.default.fileExists(atPath: page.path(percentEncoded: false)) ? root : nil
  }()

  /// Every number that there is.
  private static let numbers: [String] =
    [("B", 138), ("BUG", 30)].flatMap { series, count in (1...count).map { "\(series)\($0)" } }
  private static let withoutCounterpart: Set = ["B6", "B30", "B48", "B59"]
  /// Where tests of these numbers are; the lanes of a loader are tested beside their scheduler.
  private static let targets = ["ImageLoadingTests", "ImageCodecsTests", "ImageTestingTests"]
  private static let scheduling = "LoadingTests/Scheduling"

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
        of: /(?m)^(?:(?:  )?(?:@\w+ )*@Suite[^\n]*?struct|extension|struct) (\w+)|^ {2,4}(?:@Test[^\n]*)?func (\w+)\(/)
      {
        if let name = part.output.1 { suite = String(name) }
        if let name = part.output.2 { found.insert("\(suite)/\(name)") }
      }
    }
    return found
  }

  /// The numbers that a test carries: B27 and BUG30 of `B27_BUG30_…`, and contracts among them.
  static func numbers(of test: String) -> [String] {
    let name = test.split(separator: "/").last ?? ""
    guard let start = name.prefixMatch(of: /(?:(?:B|BUG|I)\d+_)+/) else { return [] }
    return start.output.split(separator: "_").map(String.init)
  }

  private func page(_ root: URL) throws -> [Line] {
    try String(contentsOf: root.appending(path: "Documentation/ImageBehaviours.md"), encoding: .utf8)
      .split(separator: "\n").compactMap(Line.init)
  }

  private func allTests(_ root: URL) throws -> Set<String> {
    try (Self.targets + [Self.scheduling]).reduce(into: []) {
      $0.formUnion(try Self.tests(under: root.appending(path: "Tests/\($1)")))
    }
  }

  @Test(.enabled(if: root != nil)) func everyNumberStandsInOneRow() throws {
    let lines = try page(try #require(Self.root)).map(\.number)
    #expect(lines == Self.numbers)
  }

  @Test(.enabled(if: root != nil)) func everyRowNamesTestsThatExistOrSaysWhyThereAreNone() throws {
    let root = try #require(Self.root)
    let tests = try allTests(root)
    #expect(tests.count > 400)
    for line in try page(root) {
      let expected = Self.withoutCounterpart.contains(line.number) ? "no counterpart: " : "`"
      #expect(line.answer.hasPrefix(expected) && line.answer.count > expected.count + 10, "\(line.number)")
      #expect(line.tests.isEmpty == (expected != "`"), "\(line.number)")
      for test in line.tests {
        #expect(tests.contains(test), "\(line.number) names \(test), which isn't there")
        #expect(Self.numbers(of: test).contains(line.number), "\(test) doesn't carry \(line.number)")
      }
    }
  }

  @Test(.enabled(if: root != nil)) func everyNumberInATestsNameIsOnThePage() throws {
    let root = try #require(Self.root)
    let known = Set(Self.numbers).subtracting(Self.withoutCounterpart)
    for test in try allTests(root) {
      for number in Self.numbers(of: test) where number.hasPrefix("B") {
        #expect(known.contains(number), "\(test) carries \(number)")
      }
    }
  }

  /// What is in the design's list of contracts and is shown by no test would be missed nowhere else.
  @Test(.enabled(if: root != nil)) func everyContractOfTheLoaderAndItsDecodersHasATest() throws {
    let carried = Set(try allTests(try #require(Self.root)).flatMap(Self.numbers(of:)))
    // I16 is of the module that joins pictures and pagers.
    for number in 1...17 where number != 16 { #expect(carried.contains("I\(number)"), "I\(number)") }
  }
}

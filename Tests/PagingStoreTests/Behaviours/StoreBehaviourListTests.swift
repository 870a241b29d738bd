import TestSupport
import Testing

/// Keeps `Documentation/StoreBehaviours.md` and the names of the tests together.
@Suite(.enabled(if: TestedPage.root != nil)) struct StoreBehaviourListTests {
  private let page: TestedPage
  private let tests: Set<String>

  init() throws {
    let root = try #require(TestedPage.root)
    page = try TestedPage("StoreBehaviours.md", in: root)
    tests = try TestedPage.tests(under: ["PagingStoreTests"], in: root)
  }

  /// Every number that there is.
  private static let numbers: [String] =
    [("S", 13), ("ROW", 25), ("INV", 12), ("B", 100)].flatMap { series, count in (1...count).map { "\(series)\($0)" } }
  private static let series: Set = ["S", "ROW", "INV", "B"]
  private static let reasons = Dictionary(
    uniqueKeysWithValues: ["B50", "B56", "B60", "B63", "B64"].map { ($0, "on a screen: ") }
      + ["B26", "B62", "B80", "B81", "B97", "B98", "B99"].map { ($0, "no counterpart: ") })

  @Test func everyNumberStandsInOneRow() {
    #expect(page.rows.map(\.name) == Self.numbers)
  }

  @Test func everyRowNamesTestsThatExistOrSaysWhyThereAreNone() {
    #expect(tests.count > 300)
    #expect(page.problems(among: tests, withoutTests: Self.reasons) == [])
    #expect(page.numberProblems(series: Self.series) == [])
  }

  @Test func everyNumberInATestsNameIsOnThePage() {
    let known = Set(Self.numbers)
    for test in tests {
      for number in TestedPage.numbers(of: test, series: Self.series) {
        #expect(known.contains(number), "\(test) carries \(number)")
      }
    }
  }
}

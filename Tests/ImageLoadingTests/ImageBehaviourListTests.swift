import TestSupport
import Testing

/// Keeps `Documentation/ImageBehaviours.md` and the names of the tests together.
@Suite(.enabled(if: TestedPage.root != nil)) struct ImageBehaviourListTests {
  private let page: TestedPage
  /// The lanes of a loader are tested beside their scheduler.
  private let tests: Set<String>

  init() throws {
    let root = try #require(TestedPage.root)
    page = try TestedPage("ImageBehaviours.md", in: root)
    tests = try TestedPage.tests(
      under: ["ImageLoadingTests", "ImageCodecsTests", "ImageTestingTests", "LoadingTests/Scheduling"], in: root)
  }

  /// Every number that there is.
  private static let numbers: [String] =
    [("B", 138), ("BUG", 30)].flatMap { series, count in (1...count).map { "\(series)\($0)" } }
  /// Contracts are among a test's numbers, and have no rows.
  private static let series: Set = ["B", "BUG", "I"]
  private static let reasons = Dictionary(
    uniqueKeysWithValues: ["B6", "B30", "B48", "B59"].map { ($0, "no counterpart: ") })

  @Test func everyNumberStandsInOneRow() {
    #expect(page.rows.map(\.name) == Self.numbers)
  }

  @Test func everyRowNamesTestsThatExistOrSaysWhyThereAreNone() {
    #expect(tests.count > 400)
    #expect(page.problems(among: tests, withoutTests: Self.reasons) == [])
    #expect(page.numberProblems(series: Self.series) == [])
  }

  @Test func everyNumberInATestsNameIsOnThePage() {
    let known = Set(Self.numbers).subtracting(Self.reasons.keys)
    for test in tests {
      for number in TestedPage.numbers(of: test, series: Self.series) where number.hasPrefix("B") {
        #expect(known.contains(number), "\(test) carries \(number)")
      }
    }
  }

  /// What is in the design's list of contracts and is shown by no test would be missed nowhere else.
  @Test func everyContractOfTheLoaderAndItsDecodersHasATest() {
    let carried = Set(tests.flatMap { TestedPage.numbers(of: $0, series: Self.series) })
    // I16 is of the module that joins pictures and pagers.
    for number in 1...17 where number != 16 { #expect(carried.contains("I\(number)"), "I\(number)") }
  }
}

import TestSupport
import Testing

/// Keeps `Documentation/Probes.md` and the tests of probes together.
@Suite(.enabled(if: TestedPage.root != nil)) struct ProbeListTests {
  private let page: TestedPage
  private let tests: Set<String>

  init() throws {
    let root = try #require(TestedPage.root)
    page = try TestedPage("Probes.md", in: root)
    tests = try TestedPage.tests(under: ["PagingStoreTests/Probes"], in: root)
      .filter { $0.contains(/ProbeTests\/\w+_/) }
  }

  @Test func everyProbeNamesTestsThatExistAndCarryItsName() {
    #expect(page.rows.count == 14)
    #expect(page.problems(among: tests) == [])
    for row in page.rows {
      for test in row.tests {
        #expect(test.contains("/\(Self.camel(row.name))_"), "\(test) doesn't carry “\(row.name)”")
      }
    }
  }

  @Test func everyTestOfAProbeIsOnThePage() {
    #expect(Set(page.rows.flatMap(\.tests)) == tests)
  }

  /// `leaveAndReturnAMinute` for “leave and return: a minute”.
  private static func camel(_ name: String) -> String {
    let all = name.split { !$0.isLetter }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return all.prefix(1).lowercased() + all.dropFirst()
  }
}

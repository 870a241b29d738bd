import Testing

@testable import pages

@Suite struct ArgumentsTests {
  private let table = CommandTable(
    name: "walk", summary: "Walks.", operand: "URL",
    options: [.init("size", "N", "rows"), .init("header", "H", "a header", repeats: true), .init("fast", nil, "fast")],
    example: "pages walk http://localhost/")

  @Test func optionsFlagsAndOperandAreRead() throws {
    let arguments = try Arguments(["--size", "7", "--fast", "u", "--header=a: b=c", "--header", "d: e"], for: table)
    #expect(arguments.operand == "u")
    #expect(arguments.has("fast"))
    #expect(try arguments.number("size", in: 1...100) == 7)
    #expect(arguments.texts("header") == ["a: b=c", "d: e"])
    #expect(try Arguments(["--", "--odd"], for: table).operand == "--odd")
    #expect(try Arguments(["--nonsense", "--help"], for: table).wantsHelp)
  }

  @Test(arguments: [
    ["u", "--sise", "7"], ["u", "--size"], ["u", "--fast=1"], ["u", "v"], [], ["u", "--size", "1", "--size", "2"],
    ["-x", "u"], ["u", "--"] + ["w"], ["u", "--", "w", "x"],
  ])
  func whatCannotBeFollowedIsRefusedWithALineThatWorks(_ words: [String]) throws {
    let error = #expect(throws: UsageError.self) { try Arguments(words, for: table) }
    let line = try #require(error?.line).split(separator: " ").map(String.init)
    #expect(line.starts(with: ["pages", "walk"]))
    _ = try Arguments(Array(line.dropFirst(2)), for: table)
  }

  @Test(arguments: ["0", "-1", "x", "", "99999999999999999999", "1.5"])
  func aNumberOutOfRangeIsRefused(_ text: String) throws {
    let arguments = try Arguments(["u", "--size", text], for: table)
    #expect(throws: UsageError.self) { try arguments.number("size", in: 1...100) }
  }

  @Test func timesWithoutUnitsAreRecognised() {
    #expect(TimeSpan.withUnits("5") == "5ms")
    #expect(TimeSpan.withUnits("80-300") == "80ms-300ms")
    #expect(TimeSpan.withUnits("50,120/600") == "50ms,120ms/600ms")
    #expect(TimeSpan.withUnits("80-0.3s") == "80ms-0.3s")
    for text in ["5ms", "80ms-0.3s", "", "-", "soon"] { #expect(TimeSpan.withUnits(text) == nil) }
  }

  @Test func aLineToGoOnWithHasItsOptionsWhereTheyAreRead() throws {
    let line = ResumeLine(words: ["--max-pages", "1", "--", "http://h/a"]).line(from: "k")
    #expect(line == "pages walk --max-pages 1 http://h/a --from k")
    let arguments = try Arguments(line.split(separator: " ").dropFirst(2).map(String.init), for: WalkCommand.table)
    #expect(arguments.operand == "http://h/a" && arguments.text("from") == "k")
  }

  @Test func aMistypedOptionIsRecognised() {
    let error = #expect(throws: UsageError.self) { try Arguments(["u", "--haeder", "a"], for: table) }
    #expect(error?.message.contains("--header") == true)
  }
}

import Testing

@testable import pages

@Suite struct PrintableTests {
  @Test func nothingThatSteersATerminalGetsThrough() {
    let hostile = "a\u{1B}[31mb\u{9B}2Jc\u{7F}d\r\n\u{202E}e\u{2066}f"
    let shown = printable(hostile)
    #expect(!shown.unicodeScalars.contains(where: steersTerminal))
    #expect(shown == "a\\u001b[31mb\\u009b2Jc\\u007fd\\r\\n\\u202ee\\u2066f")
    #expect(printable("Zwölf 北京 👩‍👩‍👧") == "Zwölf 北京 👩‍👩‍👧")
  }

  @Test func textIsCutEvenWithinOneCharacter() {
    #expect(printable("a" + String(repeating: "\u{301}", count: 10_000), limit: 10).unicodeScalars.count == 11)
  }

  @Test func aRowOnATerminalKeepsItsValue() throws {
    let line = Array("{\"a\":\"x\u{9B}2J\u{7F}é\"}".utf8)
    let safe = terminalSafe(line)
    #expect(!String(decoding: safe, as: UTF8.self).unicodeScalars.contains(where: steersTerminal))
    #expect(try JSONSlice(checking: safe).member("a")?.string == JSONSlice(checking: line).member("a")?.string)
  }

  @Test func shellWordsComeBackAsTheyWere() {
    #expect(shellQuoted("http://h/a?b=c&d") == "'http://h/a?b=c&d'")
    #expect(shellQuoted("it's") == "'it'\\''s'")
    #expect(shellQuoted("") == "''")
    #expect(shellQuoted("abc-1.2") == "abc-1.2")
  }

  @Test func shellWordsThatSteerATerminalAreEscapedAndComeBackAsTheyWere() async throws {
    let word = "a\u{1B}]0;x\u{07}'b\\c\n\u{9B}2J\u{202E}7é %s"
    let quoted = shellQuoted(word)
    #expect(!quoted.unicodeScalars.contains(where: steersTerminal))
    #expect(try await Tool.run("/bin/bash", ["-c", "printf %s " + quoted]).output == word)
  }

  @Test func numbersAreGrouped() {
    #expect([0, 999, 1000, 1_234_567, -1234].map(grouped) == ["0", "999", "1,000", "1,234,567", "-1,234"])
  }
}

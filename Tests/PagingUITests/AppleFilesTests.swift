import Foundation
import Testing

/// U7, as far as another system can tell: all that is written for Apple's systems alone is where the gate `apple` looks, in a
/// form that it can look at. That it compiles against the stand-ins is for the gate itself to say.
@Suite struct AppleFilesTests {
  /// The repository; nil where its sources are not at hand, as on a device.
  private static let root: URL? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return FileManager.default.fileExists(atPath: root.appendingPathComponent("Scripts/gates/apple").path) ? root : nil
  }()

  /// Modules of systems without Apple's SDK, and what each of Apple's systems has under the same name.
  private static let ofOtherSystems: Set = [
    "Darwin", "Glibc", "Musl", "Android", "FoundationEssentials", "FoundationNetworking",
  ]
  /// Modules that come with the compiler wherever it runs.
  private static let ofTheCompiler: Set = ["Foundation", "Dispatch", "Observation", "Synchronization"]

  private struct SourceFile {
    let path: String
    let lines: [Substring]

    private var conditions: [Substring] { lines.filter { $0.firstMatch(of: /^ *#(?:if|elseif)/) != nil } }

    /// The modules that its conditions ask for; not those that must not be there.
    var asksFor: Set<String> {
      Set(
        conditions.flatMap { $0.matches(of: /(!?)canImport\((\w+)\)/) }.filter(\.output.1.isEmpty)
          .map { String($0.output.2) })
    }

    /// Whether other systems compile something else in its place.
    var isForBoth: Bool { lines.contains { $0.firstMatch(of: /^ *#else$/) != nil } }

    var imports: Set<String> {
      Set(
        lines.compactMap {
          $0.firstMatch(of: /^ *(?:(?:public|internal|package) )?import (?:(?:struct|class|func|enum) )?(\w+)/)
            .map { String($0.output.1) }
        })
    }

    /// Whether it is one condition from its first line to its last.
    var isWhole: Bool {
      lines.first?.hasPrefix("#if canImport(") == true && lines.last == "#endif"
        && lines.count { $0.hasPrefix("#") } == 2
    }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: #require(Self.root).appendingPathComponent(path), encoding: .utf8)
  }

  private func folders(in path: String) throws -> Set<String> {
    let folder = try #require(Self.root).appendingPathComponent(path)
    return try Set(
      FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }.map(\.lastPathComponent))
  }

  /// The sources that other systems don't compile, or not all of them.
  private func appleFiles() throws -> [SourceFile] {
    let sources = try #require(Self.root).appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var found: [SourceFile] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let source = SourceFile(path: file.path, lines: lines)
      if !source.asksFor.isSubset(of: Self.ofOtherSystems) { found.append(source) }
    }
    return found
  }

  @Test(.enabled(if: root != nil)) func U7_allThatIsForApplesSystemsIsWholeFilesThatTheGateLooksAt() throws {
    let gate = try text("Scripts/gates/apple")
    let pattern = try #require(gate.firstMatch(of: /#if canImport\\\(\(([\w|]+)\)\\\)/)).output.1
    let looksAt = Set(pattern.split(separator: "|").map(String.init))
    let files = try appleFiles()
    #expect(files.count > 20)
    for file in files {
      #expect(file.isWhole || file.isForBoth, "\(file.path)")
      #expect(file.asksFor.isSubset(of: looksAt), "\(file.path)")
    }
  }

  @Test(.enabled(if: root != nil)) func U7_eachModuleThatIsAskedForHasAStandIn() throws {
    let gate = try text("Scripts/gates/apple")
    let list = try #require(gate.firstMatch(of: /(?m)^STUBS=\(([\w ]+)\)/)).output.1
    let standIns = try folders(in: "Tests/AppleStubs")
    #expect(Set(list.split(separator: " ").map(String.init)) == standIns, "the gate compiles all that there are")
    let known = try standIns.union(folders(in: "Sources")).union(Self.ofTheCompiler)
    for file in try appleFiles() {
      #expect(file.imports.subtracting(known).sorted() == [], "\(file.path)")
      #expect(file.asksFor.subtracting(known).sorted() == [], "\(file.path)")
    }
  }

  @Test(.enabled(if: root != nil)) func U7_theGateIsRunAndTheReadmeSaysWhatItIsWorth() throws {
    let gates = try #require(try text("Scripts/check").firstMatch(of: /(?m)^GATES=\(([\w ]+)\)/)).output.1
    #expect(gates.split(separator: " ").contains("apple"))
    #expect(try !text("Package.swift").contains("AppleStubs"), "nothing but the gate sees the stand-ins")
    let rows = try text("README.md").split(separator: "\n").filter { $0.contains("(Tests/AppleStubs)") }
    #expect(rows.contains { $0.contains("type-checked") && $0.contains("never run") })
  }
}

import Foundation
import Loading
import Testing

@testable import PagingHTTP

/// Random headers: well-formed ones against a slow reader of another make, mangled ones for traps and endless loops.
@Suite struct LinkHeaderFuzzTests {
  private static let seed: UInt64 = 0x5eed_11_88

  @Test func wellFormedHeadersReadAsBySplitting() {
    var random = SeededGenerator(seed: Self.seed)
    for round in 0..<5_000 {
      let header = Self.header(using: &random)
      #expect(Self.read(header) == Self.readBySplitting(header), "seed \(Self.seed), round \(round): \(header)")
    }
  }

  @Test func mangledHeadersGiveLinksOrNothing() {
    var random = SeededGenerator(seed: Self.seed)
    print("LinkHeader fuzz: seed \(Self.seed)")
    let originals = (0..<64).map { _ in Array(Self.header(using: &random, links: 1).utf8) }
    let alphabet = Array("<>;,=\"\\ \trelnxanchor".utf8)
    var links = 0
    for round in 0..<200_000 {
      var bytes = originals[round % originals.count]
      for _ in 0...Int(random.next() % 3) where !bytes.isEmpty {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(alphabet[Int(random.next() % UInt64(alphabet.count))], at: place)
        default: bytes.removeSubrange(place...)
        }
      }
      var reader = LinkHeader(bytes)
      var found = 0
      while let link = reader.next() {
        found += 1
        if link.has([0x6e, 0x65, 0x78, 0x74]) { links += 1 }
      }
      // A link takes two bytes at least, so more of them would mean that the reader went back.
      if found > bytes.count / 2 { Issue.record("seed \(Self.seed), round \(round): \(found) links in \(bytes)") }
    }
    // Mangling that left no link to find would test nothing.
    #expect(links > 10_000)
  }

  // MARK: - Making headers

  private static func header(using random: inout SeededGenerator, links: Int? = nil) -> String {
    let targets = ["/1", "?page=2", "https://e.x/a;b,c=d", "", "/a\"b"]
    let values = [
      "next", "\"next\"", "\"prev next\"", "\"a, <b>; rel=next\"", "\"q\\\"uo\\\\te\"", "NEXT", "\"\"", "last",
    ]
    let names = ["rel", "rel", "REL", "title", "anchor", "type", "rev"]
    let spaces = ["", " ", "\t ", ""]
    return (0..<(links ?? Int.random(in: 0...4, using: &random))).map { _ in
      let parameters = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        let space = pick(spaces, &random)
        let name = pick(names, &random)
        return "\(space);\(space)\(name)" + (random.next() % 8 == 0 ? "" : "\(space)=\(space)\(pick(values, &random))")
      }
      return "<\(pick(targets, &random))>" + parameters.joined()
    }.joined(separator: pick([",", " , ", ",\t"], &random))
  }

  private static func pick(_ choices: [String], _ random: inout SeededGenerator) -> String {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  // MARK: - Two ways to read them

  private struct Found: Equatable {
    var target: String
    var isNext: Bool
    var hasAnchor: Bool
  }

  private static func read(_ header: String) -> [Found] {
    var reader = LinkHeader(header.utf8)
    var found: [Found] = []
    while let link = reader.next() {
      found.append(
        Found(
          target: String(decoding: link.target, as: UTF8.self), isNext: link.has(Array("next".utf8)),
          hasAnchor: link.hasAnchor))
    }
    return found
  }

  /// Cuts the header at commas, the links at semicolons and the parameters at the first equals sign, all outside of
  /// quotes and angle brackets. Right for well-formed headers only.
  private static func readBySplitting(_ header: String) -> [Found] {
    cut(header, at: ",").map { link in
      let parts = cut(link, at: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let parameters = parts.dropFirst().map { part -> (name: String, value: String) in
        let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        var value = pair.count > 1 ? pair[1] : ""
        if value.hasPrefix("\"") {
          value = String(value.dropFirst().dropLast()).replacing(/\\(.)/) { String($0.output.1) }
        }
        return (pair[0].lowercased(), value.lowercased())
      }
      let rel = parameters.first { $0.name == "rel" }?.value ?? ""
      return Found(
        target: String(parts[0].dropFirst().dropLast()), isNext: rel.split(separator: " ").contains("next"),
        hasAnchor: parameters.contains { $0.name == "anchor" })
    }
  }

  private static func cut(_ text: String, at separator: Character) -> [String] {
    var pieces = [""]
    var isQuoted = false
    var isTarget = false
    var isEscaped = false
    for character in text {
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        if character == "\\" { isEscaped = true }
        if character == "\"" { isQuoted = false }
      } else if isTarget {
        if character == ">" { isTarget = false }
      } else if character == "\"" {
        isQuoted = true
      } else if character == "<" {
        isTarget = true
      } else if character == separator {
        pieces.append("")
        continue
      }
      pieces[pieces.count - 1].append(character)
    }
    return text.isEmpty ? [] : pieces
  }
}

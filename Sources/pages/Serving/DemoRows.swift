import Foundation
import Loading

/// Rows for a demo: what is installed on this machine, or made-up ones where that is not known.
struct DemoRows: Sendable {
  /// The rows.
  let rows: ServedRows
  /// What they are, for the user to read.
  let origin: String

  /// Rows of the machine, at least `count`: its Debian packages and then their files; or as many made-up ones.
  ///
  /// - Parameters:
  ///   - count: How many rows there must be.
  ///   - database: Where Debian keeps its package database.
  init(atLeast count: Int = 5000, database: String = "/var/lib/dpkg") {
    let packages = Self.packages(in: database + "/status")
    let files = packages.count < count ? Self.files(in: database + "/info", atMost: count - packages.count) : []
    if packages.count + files.count >= count {
      rows = Self.encoded(packages + files)
      origin =
        "\(grouped(packages.count)) Debian packages of this machine"
        + (files.isEmpty ? "" : " and \(grouped(files.count)) of their files")
    } else {
      rows = Self.encoded(Self.madeUp(count))
      origin = "\(grouped(count)) made-up rows"
    }
  }

  private typealias Row = (title: String, text: String)

  private static func encoded(_ rows: [Row]) -> ServedRows {
    ServedRows(
      rows.enumerated().map { index, row in
        "{\"id\": \(index + 1), \"title\": \(jsonString(row.title)), \"text\": \(jsonString(row.text))}"
      })
  }

  /// The packages in Debian's status file: paragraphs of `Field: value` lines, parted by empty lines (deb-control(5)).
  private static func packages(in path: String) -> [Row] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    var rows: [Row] = []
    var fields: [Substring: Substring] = [:]
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        if let name = fields["Package"] {
          rows.append((name + " " + (fields["Version"] ?? ""), String(fields["Description"] ?? "")))
        }
        fields = [:]
      } else if line.first != " ", let colon = line.firstIndex(of: ":") {
        fields[line[..<colon]] = line[line.index(after: colon)...].drop(while: { $0 == " " })
      }
    }
    return rows.sorted { $0.title < $1.title }
  }

  /// The files that packages installed: one list a package, one path a line.
  private static func files(in folder: String, atMost count: Int) -> [Row] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var rows: [Row] = []
    for name in names.sorted() where name.hasSuffix(".list") {
      guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
      for path in String(decoding: data, as: UTF8.self).split(separator: "\n") {
        guard rows.count < count else { return rows }
        rows.append((path.split(separator: "/").last.map(String.init) ?? "/", path + " of " + name.dropLast(5)))
      }
    }
    return rows
  }

  private static func madeUp(_ count: Int) -> [Row] {
    let subjects = ["A harbour", "The lantern", "Our orchard", "A comet", "The ledger", "Some canyon", "An engine"]
    let verbs = ["waits for", "remembers", "borrows", "crosses", "paints", "counts", "mends"]
    var chance = SeededGenerator(seed: 1)
    return (1...max(1, count)).map { number in
      func pick(_ words: [String]) -> String { words.randomElement(using: &chance) ?? "" }
      let title = "\(pick(subjects)) \(pick(verbs)) \(pick(subjects).lowercased())"
      return (title, "Row \(number) of \(count): \(pick(subjects).lowercased()) \(pick(verbs)) it, too.")
    }
  }
}

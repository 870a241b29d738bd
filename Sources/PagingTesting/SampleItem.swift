import Loading

/// A row for tests and previews.
public struct SampleItem: Identifiable, Hashable, Codable, Sendable {
  /// The row's identity.
  public var id: Int
  /// What the row shows.
  public var title: String
  /// What a list of such rows is sorted by, newest first: seconds since 1970. Many rows may share one.
  public var timestamp: Int

  /// A row; default an empty title and timestamp zero.
  public init(id: Int, title: String = "", timestamp: Int = 0) {
    self.id = id
    self.title = title
    self.timestamp = timestamp
  }
}

/// Rows made up for tests, the same ones every time.
public enum Sample {
  /// Rows with IDs from 0 on, newest first, that are as unpleasant as real ones.
  ///
  /// Timestamps fall or stay: some neighbours tie, and rows 300 to 1,499 all share one, so a page boundary that goes by
  /// the timestamp alone loses rows. Titles are short, empty or long; Latin, right-to-left, Chinese; with emoji of many
  /// scalars and combining marks. Fewer rows are the beginning of more rows of the same seed. Linear in `count`.
  ///
  /// - Parameters:
  ///   - count: How many; below zero counts as zero.
  ///   - seed: Which rows; default 0.
  public static func items(count: Int, seed: UInt64 = 0) -> [SampleItem] {
    var generator = SeededGenerator(seed: seed)
    var timestamp = 1_700_000_000
    return (0..<max(0, count)).map { id in
      let step = [0, 0, 1, 60, 3_600].randomElement(using: &generator) ?? 0
      if !tiedRows.contains(id) || id == tiedRows.lowerBound { timestamp -= step }
      return SampleItem(id: id, title: title(of: id, using: &generator), timestamp: timestamp)
    }
  }

  /// The 1,200 rows that share one timestamp.
  private static let tiedRows = 300..<1_500

  private static let words = [
    "harbour", "lamp", "of", "seven", "winter", "the", "quiet", "rails", "under", "copper", "and", "morning", "letters",
  ]
  private static let oddTitles = [
    "", "👩‍👩‍👧‍👦 🇳🇴 👍🏽", "قطار الصباح إلى الميناء", "רכבת הבוקר אל הנמל (7)", "往港口的早班火车",
    "e\u{301}te\u{301} a\u{30A}pent Z\u{351}\u{36B}\u{343}",
  ]

  private static func title(of id: Int, using generator: inout SeededGenerator) -> String {
    let kind = Int.random(in: 0..<12, using: &generator)
    if oddTitles.indices.contains(kind) { return oddTitles[kind] }
    let length = kind == 6 ? 120 : Int.random(in: 2...6, using: &generator)
    let chosen = (0..<length).map { _ in words.randomElement(using: &generator) ?? "" }
    return "\(id). \(chosen.joined(separator: " "))"
  }
}

import Foundation

/// What the keys of a list's pages look like, held against the rows that lie before each.
enum KeyShape: Hashable, Sendable {
  /// No key was seen.
  case none
  /// They count pages.
  case pageNumbers
  /// They count rows.
  case offsets
  /// They count rows, inside a text that hides it; the first of them, made readable.
  case hiddenOffsets(String)
  /// They are the ID of the last row before, or hold it.
  case rowIDs
  /// They count rows and are the last row's ID too, so that either may be meant.
  case either
  /// Nothing can be read from them.
  case opaque

  /// The shape of `keys`, of which each leads from a page of `pages` to the next one.
  ///
  /// - Parameter name: What the key is called in a request, which decides where the values leave it open.
  init(keys: [String], name: String?, pages: [[RowID]]) {
    guard !keys.isEmpty, pages.count >= keys.count else {
      self = .none
      return
    }
    let ends = zip(keys, pages).map { Place(key: $0, last: $1.last?.words) }
    let counts = Self.running(pages.prefix(keys.count).map(\.count))
    let name = name?.lowercased() ?? ""
    let numbers = keys.compactMap { Int($0) }
    let endWithRow = ends.allSatisfy(\.isRow)
    if numbers.count == keys.count {
      let isCount = Self.counts(numbers, by: counts)
      if isCount, endWithRow {
        self = Self.offsetNames.contains(name) ? .offsets : Self.named(name) ?? .either
      } else if endWithRow {
        self = .rowIDs
      } else if isCount, !(name.contains("page") && numbers.first == 2) {
        self = .offsets
      } else if Self.rise(numbers) == 1 || name.contains("page") {
        self = .pageNumbers
      }
      // A filter after the fetch gives fewer rows than it goes on by.
      else if let step = Self.rise(numbers), step > 1, Self.offsetNames.contains(name) || numbers.first == step {
        self = .offsets
      } else {
        self = .opaque
      }
      return
    }
    let hidden = ends.compactMap { $0.hidden }
    let isHiddenCount =
      hidden.count == keys.count && Set(hidden.map { $0.before }).count == 1
      && Self.counts(hidden.map { $0.number }, by: counts)
    if isHiddenCount, endWithRow {
      self = .either
    } else if isHiddenCount {
      self = .hiddenOffsets(ends.first?.readable ?? "")
    } else {
      self = endWithRow ? .rowIDs : .opaque
    }
  }

  private static let offsetNames: Set<String> = ["offset", "skip", "start", "from", "page[offset]", "startindex"]

  /// What a name says where numbers could be both.
  private static func named(_ name: String) -> KeyShape? {
    ["after", "since", "max_id", "min_id", "last", "_next", "marker"].contains { name.contains($0) } ? .rowIDs : nil
  }

  /// Whether `numbers` go with the number of rows before each: by as many from one to the next, and from the list's
  /// start or the row behind or before it. A server may give any numbers.
  private static func counts(_ numbers: [Int], by counts: [Int]) -> Bool {
    let starts = Set(zip(numbers, counts).map { $0 &- $1 })
    return starts.count == 1 && starts.isSubset(of: [-1, 0, 1])
  }

  /// The step from each number to the next, where it is the same; of one number, what it is above 1 by.
  private static func rise(_ numbers: [Int]) -> Int? {
    guard let first = numbers.first else { return nil }
    if numbers.count == 1 { return first == 2 || first == 1 ? 1 : nil }
    let steps = Set(zip(numbers.dropFirst(), numbers).map { $0 &- $1 })
    return steps.count == 1 ? steps.first : nil
  }

  private static func running(_ sizes: [Int]) -> [Int] {
    var sum = 0
    return sizes.map { size in
      sum += size
      return sum
    }
  }

  /// One key, looked into.
  private struct Place {
    /// The key, decoded where it is Base64 of readable text.
    let readable: String
    /// Whether it is the last row's ID, or holds it as a word.
    let isRow: Bool
    /// Its only number, and what stands before that.
    var hidden: (before: String, number: Int)?

    init(key: String, last: String?) {
      let text = Self.decoded(key) ?? key
      readable = text
      isRow = last.map { !$0.isEmpty && Self.holds($0, in: text) } ?? false
      let before = text.prefix { !$0.isASCII || !$0.isNumber }
      let digits = text.dropFirst(before.count).prefix { $0.isASCII && $0.isNumber }
      let rest = text.dropFirst(before.count + digits.count)
      if let number = Int(digits), !rest.contains(where: \.isNumber) { hidden = (String(before), number) }
    }

    /// The text in a key of Base64, with either alphabet, after a prefix up to a dot or without one.
    private static func decoded(_ key: String) -> String? {
      for part in [key[...], key.drop { $0 != "." }.dropFirst()] where part.count >= 4 {
        var plain = (part.removingPercentEncoding ?? String(part)).replacing("-", with: "+").replacing("_", with: "/")
        plain.removeAll { $0 == "=" }
        plain += String(repeating: "=", count: (4 - plain.count % 4) % 4)
        guard let data = Data(base64Encoded: plain), let text = String(data: data, encoding: .utf8), !text.isEmpty,
          text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { continue }
        return text
      }
      return nil
    }

    /// Whether `word` stands in `text`, with neither a letter nor a digit at its ends.
    private static func holds(_ word: String, in text: String) -> Bool {
      text.ranges(of: word).contains { range in
        let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
        let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
        return ![before, after].contains { $0.map { $0.isLetter || $0.isNumber } ?? false }
      }
    }
  }
}

extension RowID {
  /// The ID as a server would have it in a parameter: a text without its quotes; nil for a row that has none.
  var words: String? {
    switch self {
    case .text(let json), .textAndContents(let json, _):
      guard json.hasPrefix("\""), json.hasSuffix("\""), json.count >= 2 else { return json.isEmpty ? nil : json }
      return String(json.dropFirst().dropLast())
    case .unknown: return nil
    }
  }
}

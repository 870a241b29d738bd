/// Lengths of time on the command line: `200ms`, `1.5s`, `2m`.
enum TimeSpan {
  /// The time that `text` says; nil where it says none, a negative one or one of more than a day.
  static func read(_ text: some StringProtocol) -> Duration? {
    let units: [(String, Double)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let digits = text.dropLast(unit.count)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == 46 }), let number = Double(digits)
    else { return nil }
    let milliseconds = number * factor
    guard milliseconds <= 86_400_000 else { return nil }
    return .microseconds(Int64((milliseconds * 1000).rounded()))
  }

  /// One time, or the two on either side of a dash; nil where it is neither, or the second is the shorter.
  static func readRange(_ text: String) -> ClosedRange<Duration>? {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map { read($0) }
    guard times.count <= 2, let low = times.first ?? nil, let high = times.last ?? nil, low <= high else { return nil }
    return low...high
  }

  /// `text`, some times with commas, dashes or slashes between, with `ms` behind each number that has no unit: what was
  /// most likely meant. Nil where each has one.
  static func withUnits(_ text: String) -> String? {
    var result = ""
    var word = ""
    var isMended = false
    func endWord() {
      if Double(word) != nil {
        word += "ms"
        isMended = true
      }
      result += word
      word = ""
    }
    for character in text {
      if ",-/".contains(character) {
        endWord()
        result.append(character)
      } else {
        word.append(character)
      }
    }
    endWord()
    return isMended ? result : nil
  }
}

extension Arguments {
  /// An option's value as a length of time.
  func timeSpan(_ name: String) throws(UsageError) -> Duration? {
    guard let text = text(name) else { return nil }
    guard let span = TimeSpan.read(text) else {
      throw UsageError(
        "--\(name) is '\(printable(text))' and must be a time of at most a day, as 200ms, 1.5s or 2m.",
        line: "\(table.call) --\(name) 30s")
    }
    return span
  }
}

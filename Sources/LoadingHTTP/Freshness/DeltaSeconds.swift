/// A number of seconds as header fields give it.
enum DeltaSeconds {
  /// What a larger number counts as: 2³¹ seconds, 68 years (RFC 9111, section 1.2.2).
  static let most = 2_147_483_648

  /// The seconds that `text` spells in decimal digits, at most ``most``; nil for anything else, a sign and a fraction
  /// too.
  static func parse(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
    var seconds = 0
    for digit in text.utf8 {
      seconds = seconds * 10 + Int(digit - UInt8(ascii: "0"))
      if seconds >= most { return most }
    }
    return seconds
  }
}

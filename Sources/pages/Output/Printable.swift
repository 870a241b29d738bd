/// `text` with everything that could steer a terminal, or turn its text around, written as an escape; cut to `limit`
/// Unicode scalars, and then an ellipsis.
///
/// Escaped are the control characters (C0, DEL, C1), line and paragraph separators, and the marks that change the
/// direction of text (Unicode Standard Annex 9, 2.1 to 2.5).
func printable(_ text: some StringProtocol, limit: Int = 300) -> String {
  var result = ""
  for (count, scalar) in text.unicodeScalars.enumerated() {
    guard count < limit else { return result + "…" }
    if steersTerminal(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
  }
  return result
}

/// Whether showing `scalar` as it is could move the cursor, change the terminal's state or reorder text.
func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}

private func escape(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: jsonEscape(scalar)
  }
}

/// A scalar below U+10000 as JSON writes it (RFC 8259, section 7).
func jsonEscape(_ scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16)
  return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

/// `line`, a JSON value in one line, with what could steer a terminal written as JSON escapes: the same value.
///
/// In JSON such characters stand inside strings only, so an escape is always possible there.
func terminalSafe(_ line: [UInt8]) -> [UInt8] {
  // ASCII without DEL, the usual case, needs no look at scalars.
  if line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return line }
  var result = ""
  for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
    if steersTerminal(scalar) { result += jsonEscape(scalar) } else { result.unicodeScalars.append(scalar) }
  }
  return Array(result.utf8)
}

/// `word` for a shell: as it is where that is safe, else in single quotes.
///
/// A word that could steer a terminal, as a cursor of a server's may, has escapes in the quotes of bash, zsh and
/// POSIX's shell of 2024 (`$'…'`): the line shows nothing but text and means the same.
func shellQuoted(_ word: String) -> String {
  if word.unicodeScalars.contains(where: steersTerminal) { return shellEscaped(word) }
  let plain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "="),
      UInt8(ascii: "%"), UInt8(ascii: "@"):
      true
    default: false
    }
  }
  if plain, !word.isEmpty { return word }
  return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

private func shellEscaped(_ word: String) -> String {
  var result = "$'"
  for scalar in word.unicodeScalars {
    switch scalar {
    case "'", "\\": result += "\\" + String(scalar)
    case _ where steersTerminal(scalar):
      // In octal, byte by byte: what all of these shells know, and of a length that no digit behind it makes longer.
      for byte in String(scalar).utf8 {
        let digits = String(byte, radix: 8)
        result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "'"
}

/// A number with a comma between thousands, whatever the locale.
func grouped(_ number: Int) -> String {
  var digits = String(number.magnitude)
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits = String(digits.dropLast(3))
  }
  return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
}

/// How many there are of what `noun` names, in words: "1 row", "2,000 rows".
func counted(_ number: Int, _ noun: String) -> String {
  grouped(number) + " " + noun + (number == 1 ? "" : "s")
}

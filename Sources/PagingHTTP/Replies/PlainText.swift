/// Makes text from outside fit for a message: printable, on one line, and short.
enum PlainText {
  /// `bytes` as text, white space as one space, control characters and what is not UTF-8 escaped, cut at `limit`
  /// characters.
  static func escaped(_ bytes: some Sequence<UInt8>, limit: Int) -> String {
    var text = ""
    var count = 0
    var pendingSpace = false
    for scalar in String(decoding: Array(bytes), as: UTF8.self).unicodeScalars {
      if scalar.properties.isWhitespace {
        pendingSpace = count > 0
        continue
      }
      let piece = isPrintable(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
      let length = (pendingSpace ? 1 : 0) + (isPrintable(scalar) ? 1 : piece.utf8.count)
      guard count + length < limit else { return text + "…" }
      if pendingSpace { text += " " }
      text += piece
      count += length
      pendingSpace = false
    }
    return text
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

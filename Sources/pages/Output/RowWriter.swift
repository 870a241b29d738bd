/// Writes rows, one a line, a page at a time: a page's rows are all out before the next page is asked for.
struct RowWriter: Sendable {
  private let descriptor: Descriptor
  private let escapes: Bool

  /// Rows to standard output, or to the end of a file that was opened.
  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    escapes = descriptor.isTerminal
  }

  /// Writes `rows` with a line feed after each. Where a file takes only a part of them, none of them stays in it.
  ///
  /// Byte for byte as they are, but on a terminal, which a row's text must not steer.
  func write(_ rows: some Sequence<RawRow>) throws(WriteFailure) {
    let start = descriptor.fileSize
    do {
      var lines: [UInt8] = []
      for row in rows {
        lines += escapes ? terminalSafe(row.line) : row.line
        lines.append(UInt8(ascii: "\n"))
        if lines.count >= 1 << 16 {
          try descriptor.write(lines)
          lines.removeAll(keepingCapacity: true)
        }
      }
      try descriptor.write(lines)
    } catch {
      if let start { try? descriptor.cut(to: start) }
      throw error
    }
  }
}

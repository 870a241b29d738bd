/// The command line that goes on where a walk stopped.
struct ResumeLine: Sendable {
  /// The words after `pages walk`, as they were given.
  let words: [String]

  /// The line that goes on from `key`, with `options` set in place of what was given, and without those that are
  /// `dropped`.
  ///
  /// Values of headers are left out, since they may be secrets and lines get pasted.
  func line(
    from key: String?, setting options: [(name: String, value: String)] = [], without dropped: Set<String> = []
  ) -> String {
    let replaced = options + (key.map { [("from", $0)] } ?? [])
    var kept: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      // No URL needs it, and what stands behind it would be no option.
      if word == "--" { continue }
      guard word.hasPrefix("--") else {
        kept.append(shellQuoted(word))
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let name = parts.first ?? ""
      let takesValue = WalkCommand.table.option(name)?.value != nil
      let value = parts.count > 1 ? parts.last : takesValue ? rest.popFirst() : nil
      if dropped.contains(name) || replaced.contains(where: { $0.name == name }) { continue }
      kept.append("--" + name)
      if let value { kept.append(shellQuoted(name == "header" ? Self.withoutValue(value) : value)) }
    }
    for (name, value) in replaced {
      kept.append("--\(name) \(shellQuoted(value))")
    }
    return (["pages", WalkCommand.table.name] + kept).joined(separator: " ")
  }

  private static func withoutValue(_ header: String) -> String {
    header.prefix { $0 != ":" } + ": …"
  }
}

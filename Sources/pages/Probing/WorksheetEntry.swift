import PagingHTTP

/// One list in a worksheet: what its last probe found, and what that changed.
struct WorksheetEntry: Sendable {
  /// All members, also those that others put there.
  private(set) var members: JSONValue

  /// The entry in a file; nil where it is none.
  init?(_ members: JSONValue) {
    guard case .string? = members["url"] else { return nil }
    self.members = members
  }

  /// The entry of a first run.
  private init(url: String) {
    members = ["url": .string(url)]
  }

  /// The list's URL.
  var url: String { members["url"]?.text ?? "" }

  /// A new run's entry: the members of `old` that are not a run's own are kept, and what changed against it is marked.
  static func after(_ report: ProbeReport, at time: String, replacing old: WorksheetEntry?) -> WorksheetEntry {
    var entry = old ?? WorksheetEntry(url: report.url)
    let run = report.json
    let changes = old.map { Self.changes(from: $0.members, to: run) } ?? []
    for name in ["style", "pages", "findings", "server", "use", "not_looked_at", "requests"] {
      entry.members[name] = run[name]
    }
    // Whoever writes into the file may write any number.
    entry.members["runs"] = .integer(min(max(0, old?.members["runs"]?.integer ?? 0), Int.max - 1) + 1)
    entry.members["probed_at"] = .string(time)
    entry.members["changes"] = .array(changes)
    return entry
  }

  /// What a run found that the one before it did not, or found otherwise, or no more.
  private static func changes(from old: JSONValue, to new: JSONValue) -> [JSONValue] {
    var changes: [JSONValue] = []
    func note(_ id: String, _ what: String, _ before: String?, _ now: String?) {
      var change: JSONValue = ["id": .string(id), "what": .string(what)]
      if let before { change["before"] = .string(before) }
      if let now { change["now"] = .string(now) }
      changes.append(change)
    }
    let styles = (old.value(at: ["style", "name"])?.text, new.value(at: ["style", "name"])?.text)
    if styles.0 != styles.1 { note("style", "changed", styles.0, styles.1) }
    let before = findings(in: old)
    let now = findings(in: new)
    for (id, evidence) in now {
      if let known = before.first(where: { $0.id == id }) {
        if known.evidence != evidence, !passing.contains(id) { note(id, "changed", known.evidence, evidence) }
      } else {
        note(id, "new", nil, evidence)
      }
    }
    for (id, evidence) in before where !now.contains(where: { $0.id == id }) { note(id, "gone", evidence, nil) }
    return changes
  }

  /// Findings whose figures are of the moment: only that they come or go is a change.
  private static let passing: Set<String> = [
    "key.lives", "server.waits", "refresh.same", "refresh.reordered", "refresh.other",
  ]

  private static func findings(in run: JSONValue) -> [(id: String, evidence: String)] {
    (run["findings"]?.elements ?? []).compactMap { finding in
      finding["id"]?.text.map { ($0, finding["evidence"]?.text ?? "") }
    }
  }

  /// What changed with the last run.
  var changes: [(id: String, what: String, before: String?, now: String?)] {
    (members["changes"]?.elements ?? []).compactMap { change in
      guard let id = change["id"]?.text, let what = change["what"]?.text else { return nil }
      return (id, what, change["before"]?.text, change["now"]?.text)
    }
  }
}

import Paging

extension PagingSnapshot {
  /// The snapshot in one line, as a recorder's log shows it.
  func logLine() -> String { "\(states.logText) | \(rowsText)" }

  /// The same with the loaded rows at its end.
  func logLine(showing row: (Item) -> String) -> String {
    items.isEmpty ? logLine() : "\(logLine()): \(items.map(row).joined(separator: " "))"
  }

  private var rowsText: String {
    let loaded = items.count == 1 ? "1 row" : "\(items.count) rows"
    let placeholders = [(placeholdersBefore, "before"), (placeholdersAfter, "after")].filter { $0.0 > 0 }
    if placeholders.isEmpty { return loaded }
    return "\(loaded) (\(placeholders.map { "\($0.0) \($0.1)" }.joined(separator: ", ")))"
  }
}

extension CombinedLoadStates {
  fileprivate var logText: String {
    let parts = source.logParts(of: "") + (mediator?.logParts(of: "remote ") ?? [])
    return parts.isEmpty ? "idle" : parts.joined(separator: ", ")
  }
}

extension LoadStates {
  fileprivate func logParts(of party: String) -> [String] {
    LoadType.allCases.compactMap { type in
      switch self[type] {
      case .notLoading(endReached: false): nil
      case .notLoading(endReached: true): "\(party)\(type) at end"
      case .loading: "\(party)\(type) loading"
      case .failed(let failure): "\(party)\(type) failed \(failure.error.logName)"
      }
    }
  }
}

extension Error {
  /// A `PagingError`'s code, and of any other error its type: what stays the same from run to run.
  var logName: String { (self as? PagingError)?.code.rawValue ?? "\(type(of: self))" }
}

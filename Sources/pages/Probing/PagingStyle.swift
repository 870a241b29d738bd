/// In which style a list pages, by all that was seen.
struct PagingStyle: Hashable, Sendable {
  /// The styles that an API alone can show.
  enum Kind: String, Hashable, Sendable {
    case pageNumbers = "page numbers"
    case offset = "offset and limit"
    case hiddenOffset = "a cursor that is an offset"
    case keyset = "keyset"
    case cursor = "cursor"
    case window = "windows around a row"
    case search = "search after"
    case whole = "no paging"
    case unknown = "a way that was not found"
  }

  let kind: Kind
  let confidence: Confidence
  /// What was seen, in a sentence.
  let reason: String

  private init(_ kind: Kind, _ confidence: Confidence, _ reason: String) {
    self.kind = kind
    self.confidence = confidence
    self.reason = printable(reason, limit: 400)
  }

  /// Whether the server counts: rows that come or go then move all behind them.
  var counts: Bool { [.pageNumbers, .offset, .hiddenOffset].contains(kind) }

  init(_ seen: ProbeObservations) {
    let keys = seen.pages.dropFirst().compactMap(\.key)
    let shape = KeyShape(keys: keys, name: seen.keyName, pages: seen.pages.map(\.rows))
    let name = seen.keyName.map { "\"\($0)\"" } ?? "the key"
    let values = keys.prefix(3).map { String($0.prefix(24)) }.joined(separator: ", ")
    let drift = seen.insert.map { $0.cameOnTop && $0.repeats > 0 || (seen.delete?.skipped ?? 0) > 0 }
    let sure: Confidence = drift == true ? .inferred : .speculative
    switch shape {
    case .pageNumbers:
      self.init(.pageNumbers, sure, "\(name) counts pages: \(values).")
    case .offsets:
      self.init(.offset, sure, "\(name) counts rows: \(values).")
    case .hiddenOffsets(let text):
      self.init(.hiddenOffset, .inferred, "the first cursor reads \"\(printable(text, limit: 40))\", a number of rows.")
    case .rowIDs where drift != true:
      self.init(.keyset, .inferred, "\(name) names the last row of the page before.")
    case .either where drift != true:
      self.init(.cursor, .speculative, "\(name) fits the last row's ID and the number of rows alike.")
    case .rowIDs, .either:
      let isText = keys.contains { Int($0) == nil }
      self.init(isText ? .hiddenOffset : .offset, .inferred, "rows move on when others come or go above.")
    case .opaque where drift == true:
      self.init(.hiddenOffset, .inferred, "nothing can be read from the keys, but rows move on when others come or go.")
    case .opaque:
      self.init(.cursor, .speculative, "nothing can be read from \(name).")
    case .none: self.init(unpaged: seen)
    }
  }

  /// The style of a list of which no second page came: what the detector says of the first reply.
  private init(unpaged seen: ProbeObservations) {
    switch seen.kind {
    case "offset": self.init(.offset, .speculative, seen.reason)
    case "pageNumber": self.init(.pageNumbers, .speculative, seen.reason)
    case "keyset": self.init(.keyset, .speculative, seen.reason)
    case "searchAfter": self.init(.search, .speculative, seen.reason)
    case _ where seen.windows?.found != nil || seen.kind == "window":
      self.init(.window, .inferred, "a row's ID gives the rows on both sides of it.")
    case _ where seen.moreThanCame != nil:
      self.init(
        .unknown, .inferred,
        "\(seen.moreThanCame ?? ""), so there is paging that could not be named: try --convention NAME, or --next "
          + "PATH and --param NAME.")
    case "single": self.init(.whole, .speculative, seen.reason)
    case _ where seen.pages.first?.goesOn == false:
      self.init(.unknown, .speculative, "the list is one page. \(seen.reason)")
    default: self.init(.unknown, .speculative, seen.reason)
    }
  }
}

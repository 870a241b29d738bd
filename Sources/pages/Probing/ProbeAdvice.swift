import PagingHTTP

/// What of this package fits a list, and what that costs.
struct ProbeAdvice: Hashable, Sendable {
  /// A line of Swift.
  let code: String
  /// What to know before, a sentence each.
  let costs: [String]

  init(_ seen: ProbeObservations, found: DetectedConvention?, sizeParameter: String?) {
    let style = PagingStyle(seen)
    let size = seen.size?.parameter ?? sizeParameter
    code = printable(Self.code(seen, style, found, size), limit: 400)
    costs = Self.costs(seen, style)
  }

  // MARK: - Code

  private static func code(
    _ seen: ProbeObservations, _ style: PagingStyle, _ found: DetectedConvention?, _ size: String?
  ) -> String {
    let next = keyPath(seen.namedNext ?? found?.next ?? ["next"])
    let sized = size.map { ", size: \"\($0)\"" } ?? ""
    switch seen.kind {
    case "linkHeader", "link": return ".linkHeader"
    case "nextPageHeader":
      let name = found?.parameter ?? "Next-Page"
      return name == "Next-Page" && size == "_limit" ? ".kinto()" : ".nextPageHeader(\"\(name)\"\(sized))"
    case "nextURL", "next-url": return ".nextURL(\(next)\(sized))"
    case "jsonAPI": return ".jsonAPI(\(next)\(sized))"
    case "oData": return ".oData()"
    case "datasette": return ".datasette()"
    case "cursor": return ".cursor(\(next), parameter: \"\(seen.keyName ?? found?.parameter ?? "cursor")\"\(sized))"
    case "awsToken": return ".awsToken(\(next), parameter: \"\(found?.parameter ?? "NextToken")\")"
    case "keyset":
      let after = seen.keyName ?? found?.parameter ?? "starting_after"
      let more = found?.next == nil ? "" : ", hasMore: \(next)"
      return ".keyset(\(keyPath(found?.items ?? [])), key: { \"\\($0.id)\" }, after: \"\(after)\"\(sized)\(more))"
    case "graphQL":
      let info = keyPath(Array((found?.next ?? ["pageInfo", "endCursor"]).dropLast()))
      let cursors = style.kind == .hiddenOffset ? ", cursors: .offsets()" : ""
      return ".graphQL(query\(cursors)) { $0[keyPath: \(info)] }"
    case "searchAfter": return ".searchAfter(query: query, sort: sort)"
    case "window": return ".window(\\.rows)"
    case "pageNumber", "page":
      let first = found?.firstPage.map { $0 == 1 ? "" : ", first: \($0)" } ?? ""
      let asked = size.map { "\"\($0)\"" } ?? "nil"
      return ".pageNumber(\"\(seen.keyName ?? found?.parameter ?? "page")\", size: \(asked)\(first))"
    case "offset":
      let asked = size.map { "\"\($0)\"" } ?? "nil"
      return ".offset(\"\(seen.keyName ?? found?.parameter ?? "offset")\", limit: \(asked))"
    default:
      return style.kind == .window
        ? ".keyset or a PageConvention of one's own, opened around a row"
        : seen.moreThanCame != nil
          ? "a PageConvention of its own, once it is known how it pages"
          : ".linkHeader, which makes one page of it"
    }
  }

  private static func keyPath(_ names: [String]) -> String {
    names.isEmpty ? "\\.self" : "\\." + names.joined(separator: ".")
  }

  // MARK: - Costs

  private static func costs(_ seen: ProbeObservations, _ style: PagingStyle) -> [String] {
    let ids = Set(seen.findings.map(\.id))
    var costs: [String] = []
    if style.counts {
      costs.append("Rows put in above come again on the next page; the pager drops them by their ID.")
      costs.append("Rows deleted above make as many unseen; only a refresh brings them.")
    } else if [.cursor, .keyset].contains(style.kind) {
      costs.append(
        "No row repeats or is missed while the list changes, if its order is total; there is no jump to a page.")
    }
    if style.kind == .whole { costs.append("The whole list comes in one reply; large lists want a server that pages.") }
    let rules: [(Set<String>, String)] = [
      (["total.known"], "Placeholders can be shown: the total is known."),
      (["total.unknown"], "No placeholders: the total is unknown."),
      (["total.estimated"], "Take the total as .about(n) or .atLeast(n): no placeholders by it."),
      (["refresh.reordered"], "Keep a session or a snapshot in a store; a refresh moves all rows."),
      (["refresh.other"], "Keep what was loaded in a store: the server won't show it again."),
      (["end.none", "pages.empty"], "Never take a short or an empty page for the end; go on while there is a key."),
      (["end.round"], "Stop at a key that was there before; the pager does, with an error that says so."),
      (["key.expires", "key.once"], "Keys don't last: the pager starts again around the rows on screen."),
      (["key.restarts", "key.ends"], "Check keys that were kept: a bad one gives no error."),
      (["key.fails"], "A 500 on a further page is not always worth a retry: its key may be bad."),
      (["pages.overlap"], "Rows come twice even when nothing changes; they need IDs."),
      (["server.waits"], "Use a HostBudget, which waits as long as the server asks."),
    ]
    for (signals, text) in rules where !ids.isDisjoint(with: signals) { costs.append(text) }
    if let trial = seen.size, let most = trial.asked.compactMap(\.rows).max(),
      ids.contains("size.capped") || ids.contains("size.refused")
    {
      costs.append("A page has at most \(grouped(most)) rows here; ask for no more.")
    }
    return costs
  }
}

import Foundation
import PagingHTTP

/// Where a reply says that there is more, and not how to get it.
enum MoreSign {
  private static let flags = Set(KnownCursor.flags + ["IsTruncated", "isTruncated"])
  private static let pages = ["next_page", "nextPage", "next_offset", "nextOffset"]
  private static let containers: Set<String> = [
    "meta", "_meta", "paging", "pagination", "page_info", "pageInfo", "page", "info", "links", "response_metadata",
  ]

  /// The name of a flag that is true, at the top of a body or one level below; nil: there is none.
  static func flag(in body: JSONSlice) -> String? {
    guard body.kind == .object else { return nil }
    for (name, value) in body.members {
      if value.kind == .bool, value.isTrue, flags.contains(name) { return name }
      guard value.kind == .object, containers.contains(name) else { continue }
      let inner = value.members.first { $0.value.kind == .bool && $0.value.isTrue && flags.contains($0.name) }
      if let inner { return name + "." + inner.name }
    }
    return nil
  }

  /// The name of a member that holds a number of what comes next; nil: there is none.
  static func page(in body: JSONValue) -> String? {
    let places = [[]] + containers.sorted().map { [$0] }
    return places.lazy.flatMap { place in pages.map { place + [$0] } }
      .first { body.value(at: $0)?.integer ?? 0 > 0 }?.joined(separator: ".")
  }

  /// Whether a URL asks for a place within a list, so that its total says nothing of the page.
  static func isPlace(_ url: URL) -> Bool {
    (KnownCursor.all.map(\.parameter) + ["page", "offset", "skip", "start", "starting_after", "before", "since_id"])
      .contains { url.queryValue($0)?.isEmpty == false }
  }
}

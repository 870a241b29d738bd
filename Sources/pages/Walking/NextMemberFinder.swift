import PagingHTTP
import Synchronization

/// The member of a reply that leads to the next page, where the user named none: the first of the usual ones that has a
/// value is it from then on, so that another can't step in on the last page.
final class NextMemberFinder: Sendable {
  /// Where cursors usually are.
  static let cursors = KnownCursor.all.map { JSONPath(names: $0.path) }
  /// Where the next page's URL usually is.
  static let urls = NextMember.known.map { JSONPath(names: $0.path) }

  private let candidates: [JSONPath]
  private let settled = Mutex<JSONPath?>(nil)

  /// The named member, or the first of `usual` that proves to be there.
  init(named: JSONPath?, usual: [JSONPath]) {
    candidates = named.map { [$0] } ?? usual
  }

  /// The text or number in `body` that leads on; nil where there is none, or null, or an empty text.
  func text(in body: JSONSlice) -> String? {
    settled.withLock { settled in
      if let settled { return Self.text(at: settled, in: body) }
      for path in candidates {
        guard let text = Self.text(at: path, in: body) else { continue }
        settled = path
        return text
      }
      return nil
    }
  }

  /// Whether any of the members is there, be it null.
  func isPresent(in body: JSONSlice) -> Bool {
    candidates.contains { $0.value(in: body) != nil }
  }

  private static func text(at path: JSONPath, in body: JSONSlice) -> String? {
    path.value(in: body)?.scalarText.flatMap { $0.isEmpty ? nil : $0 }
  }
}

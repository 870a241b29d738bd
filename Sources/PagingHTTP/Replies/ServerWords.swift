import Foundation

/// Finds what a server says for itself in the JSON of a refusal.
enum ServerWords {
  /// A sentence of the server's, at most 200 characters and fit for a message; nil where there is none.
  ///
  /// | form | of |
  /// |---|---|
  /// | `{"detail": "…"}`, `{"title": …, "detail": …}` | Django REST, FastAPI, problem details (RFC 9457) |
  /// | `{"message": "…"}`, `{"error": "…"}`, `{"error": {"message": "…"}}` | GitHub, Stripe and most others |
  /// | `{"errors": [{"detail": "…"}]}`, `{"detail": [{"msg": "…"}]}` | JSON:API, GraphQL, FastAPI |
  static func find(in body: Data) -> String? {
    // A refusal is short; a long body is a page of something else, and not worth reading.
    guard body.count <= 64 << 10, let value = try? JSONSerialization.jsonObject(with: body),
      let words = words(in: value, depth: 4)
    else { return nil }
    let text = PlainText.escaped(words.utf8, limit: 200)
    return text.isEmpty ? nil : text
  }

  private static func words(in value: Any, depth: Int) -> String? {
    guard depth > 0 else { return nil }
    if let text = value as? String { return text.isEmpty ? nil : text }
    if let list = value as? [Any] { return list.first.flatMap { words(in: $0, depth: depth - 1) } }
    guard let object = value as? [String: Any] else { return nil }
    for member in ["detail", "message", "msg", "error_description", "error", "errors", "title"] {
      if let found = object[member].flatMap({ words(in: $0, depth: depth - 1) }) { return found }
    }
    return nil
  }
}

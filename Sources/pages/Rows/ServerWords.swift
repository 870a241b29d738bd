/// What a server says about its refusal, from wherever such a word usually stands.
enum ServerWords {
  private static let paths = [
    "error.message", "error.detail", "error_description", "error", "message", "detail", "title", "errors.0.message",
    "errors.0.detail", "errors.0.title", "errors.0", "reason", "description",
  ].map { JSONPath($0) }

  /// The words in a JSON reply, fit to be shown; nil where there are none.
  static func find(in body: JSONSlice) -> String? {
    for path in paths {
      if let text = path.value(in: body)?.string, !text.isEmpty { return printable(text) }
    }
    return nil
  }
}

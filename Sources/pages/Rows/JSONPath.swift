/// Where in a reply something stands: names of members with dots between them, or a JSON Pointer (RFC 6901) where it
/// begins with a slash. A whole number names an element of an array.
struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// The names, from the outside in; none is the whole reply.
  let names: [String]

  /// The path that `text` says.
  init(_ text: String) {
    if text.hasPrefix("/") {
      let steps = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      // "~1" is a slash and "~0" a tilde, undone in this order (RFC 6901, section 4).
      names = steps.map { String($0.replacing("~1", with: "/").replacing("~0", with: "~")) }
    } else {
      names = text == "." ? [] : text.split(separator: ".").map(String.init)
    }
  }

  /// The path of those names.
  init(names: [String]) {
    self.names = names
  }

  /// As it can be given again.
  var description: String {
    if names.isEmpty { return "." }
    guard names.contains(where: { $0.contains(".") || $0.hasPrefix("/") || $0.isEmpty }) else {
      return names.joined(separator: ".")
    }
    return names.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  /// The value there; nil where there is none.
  func value(in slice: JSONSlice) -> JSONSlice? {
    var value = slice
    for name in names {
      let inner =
        switch value.kind {
        case .object: value.member(name)
        case .array:
          Int(name).flatMap { index in index < 0 ? nil : value.elements.dropFirst(index).first { _ in true } }
        default: nil as JSONSlice?
        }
      guard let inner else { return nil }
      value = inner
    }
    return value
  }
}

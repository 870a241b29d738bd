/// What a person sees of a row: what names it, its other values, and where its picture is.
struct RowFace: Hashable, Sendable {
  /// What names it; nil where nothing does.
  var title: String?
  /// Its other values, in the order of the row.
  var details: [String]
  /// The URL of its picture, as the row has it.
  var picture: String?

  /// The face of a row.
  ///
  /// Nothing in it can steer a terminal.
  ///
  /// - Parameters:
  ///   - line: The row's JSON, of any kind.
  ///   - place: Where rows have pictures.
  init(_ line: [UInt8], pictures place: PicturePlace = .nowhere) {
    guard let value = try? JSONSlice(checking: line) else {
      details = []
      return
    }
    guard value.kind == .object else {
      details = [printable(String(decoding: line, as: UTF8.self), limit: Self.limit)]
      return
    }
    let members = Array(value.members)
    let naming = members.first { Self.naming.contains($0.name.lowercased()) && $0.value.kind == .string }
    let picture = place.picture(in: value)
    title = naming?.value.string.map { printable($0, limit: Self.limit) }
    self.picture = picture
    details = members.compactMap { name, value -> String? in
      if name == naming?.name { return nil }
      switch value.kind {
      case .string, .number: return value.scalarText.flatMap { $0.isEmpty || $0 == picture ? nil : $0 }
      case .bool: return "\(name): \(value.isTrue)"
      case .null: return nil
      case .object, .array: return "\(name): \(String(decoding: value.compact.prefix(80), as: UTF8.self))"
      }
    }.map { printable($0, limit: Self.limit) }
  }

  /// All of it in one line.
  var text: String { ((title.map { [$0] } ?? []) + details).joined(separator: " · ") }
  /// All but what names it, in one line.
  var detail: String { details.joined(separator: " · ") }

  private static let limit = 500
  private static let naming: Set<String> = [
    "title", "name", "label", "subject", "headline", "summary", "full_name", "login",
  ]
}

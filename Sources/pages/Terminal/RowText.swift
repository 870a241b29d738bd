/// A row as a line of text for a person: what names it first, then its other values.
///
/// - Parameter row: The row; JSON of any kind.
/// - Returns: Text that can't steer the terminal, cut to `limit` scalars.
func rowText(_ row: RawRow, limit: Int = 500) -> String {
  guard let value = try? JSONSlice(checking: row.line) else { return "" }
  guard value.kind == .object else { return printable(String(decoding: row.line, as: UTF8.self), limit: limit) }
  let members = Array(value.members)
  let title = members.first { naming.contains($0.name.lowercased()) && $0.value.kind == .string }
  let rest = members.compactMap { name, value -> String? in
    if name == title?.name { return nil }
    switch value.kind {
    case .string, .number: return value.scalarText.flatMap { $0.isEmpty ? nil : $0 }
    case .bool: return "\(name): \(value.isTrue)"
    case .null: return nil
    case .object, .array: return "\(name): \(String(decoding: value.compact.prefix(80), as: UTF8.self))"
    }
  }
  let parts = (title?.value.string).map { [$0] } ?? []
  return printable((parts + rest).joined(separator: " · "), limit: limit)
}

private let naming: Set<String> = ["title", "name", "label", "subject", "headline", "summary", "full_name", "login"]

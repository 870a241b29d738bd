extension MergePatch {
  /// As it stands in the database: the whole item, or JSON of the members.
  var encoded: [UInt8] {
    switch self {
    case .whole(let bytes): bytes
    case .members(let members): members.tree.encoded
    }
  }

  /// Whether ``encoded`` is a whole item.
  var isWhole: Bool {
    if case .whole = self { true } else { false }
  }

  /// What ``encoded`` wrote before.
  init(encoded bytes: [UInt8], isWhole: Bool) throws(ListStoreError) {
    if isWhole {
      self = .whole(bytes)
    } else if let tree = JSONTree(bytes), let members = Members(tree: tree) {
      self = .members(members)
    } else {
      throw ListStoreError(
        .damaged, message: "An edit of \(bytes.count) bytes in the store can't be read; recover(to:) saves what can be."
      )
    }
  }
}

extension MergePatch.Members {
  private static let set = Array("set".utf8)
  private static let dropped = Array("drop".utf8)
  private static let inside = Array("in".utf8)

  fileprivate var tree: JSONTree {
    var members: [[UInt8]: JSONTree] = [:]
    if !changed.isEmpty { members[Self.set] = .object(changed) }
    if !dropped.isEmpty {
      let names = dropped.sorted { $0.lexicographicallyPrecedes($1) }
      members[Self.dropped] = .array(names.map { .string($0) })
    }
    if !inside.isEmpty { members[Self.inside] = .object(inside.mapValues(\.tree)) }
    return .object(members)
  }

  fileprivate init?(tree: JSONTree) {
    guard let members = tree.members else { return nil }
    for (name, value) in members {
      switch (name, value) {
      case (Self.set, .object(let values)): changed = values
      case (Self.dropped, .array(let names)):
        for case .string(let name) in names { dropped.insert(name) }
        guard dropped.count == names.count else { return nil }
      case (Self.inside, .object(let nested)):
        for (name, tree) in nested {
          guard let part = Self(tree: tree) else { return nil }
          inside[name] = part
        }
      default: return nil
      }
    }
  }
}

/// What an edit changed, apart from the item that it changed, so that it can be laid over a fresher copy.
///
/// In items that are JSON objects it names the members that differ, in nested objects too; arrays count as one value,
/// and `null` is a value like others. Of everything else it is the whole changed item.
enum MergePatch: Hashable, Sendable {
  /// The encoded item as the edit left it.
  case whole([UInt8])
  /// The members of a JSON object that differ.
  case members(Members)

  /// What differs in an object.
  struct Members: Hashable, Sendable {
    /// Members that have another value, or are new.
    var changed: [[UInt8]: JSONTree] = [:]
    /// Members that are gone.
    var dropped: Set<[UInt8]> = []
    /// Members that are objects before and after, and differ within.
    var inside: [[UInt8]: Members] = [:]

    /// Whether nothing differs.
    var isEmpty: Bool { changed.isEmpty && dropped.isEmpty && inside.isEmpty }
  }

  /// What leads from one encoded item to another; nil where nothing does, since they are equal.
  ///
  /// - Parameter isJSON: Whether the items are JSON. Even so the patch is the whole item where either is no object, or
  ///   they have no member in common (an enum of another case, say), since half of one and half of the other is no
  ///   item.
  init?(from old: [UInt8], to new: [UInt8], isJSON: Bool) {
    guard old != new else { return nil }
    guard isJSON, let before = JSONTree(old), let after = JSONTree(new) else {
      self = .whole(new)
      return
    }
    guard before != after else { return nil }
    guard let members = Members(from: before, to: after) else {
      self = .whole(new)
      return
    }
    self = .members(members)
  }

  /// The encoded item with the edit laid over it. O(item).
  ///
  /// Where the edit changed a nested object that the item no longer has, that part of it shows nowhere: what it changed
  /// is gone.
  func folded(over base: [UInt8]) -> [UInt8] {
    switch self {
    case .whole(let bytes): bytes
    case .members(let members):
      if let tree = JSONTree(base), case .object(let old) = tree {
        JSONTree.object(members.folded(over: old)).encoded
      } else {
        base
      }
    }
  }

  /// What is left of this edit once a later one of the same item is laid over it, in any item; nil where nothing is.
  ///
  /// Whole items are left as they are: which of their members an edit changed is not known, and its intent must not be
  /// lost.
  func superseded(by later: MergePatch) -> MergePatch? {
    guard case .members(let mine) = self, case .members(let theirs) = later else { return self }
    let left = mine.superseded(by: theirs)
    return left.isEmpty ? nil : .members(left)
  }
}

extension MergePatch.Members {
  /// What leads from one value to another; nil where only the whole value does.
  init?(from old: JSONTree, to new: JSONTree) {
    guard let before = old.members, let after = new.members else { return nil }
    guard before.keys.contains(where: { after[$0] != nil }) else { return nil }
    for (name, value) in after {
      guard let earlier = before[name] else {
        changed[name] = value
        continue
      }
      guard earlier != value else { continue }
      if let nested = Self(from: earlier, to: value) {
        inside[name] = nested
      } else {
        changed[name] = value
      }
    }
    for name in before.keys where after[name] == nil { dropped.insert(name) }
  }

  func folded(over old: [[UInt8]: JSONTree]) -> [[UInt8]: JSONTree] {
    var members = old
    for name in dropped { members[name] = nil }
    for (name, value) in changed { members[name] = value }
    for (name, nested) in inside {
      guard let value = members[name], case .object(let old) = value else { continue }
      members[name] = .object(nested.folded(over: old))
    }
    return members
  }

  func superseded(by later: Self) -> Self {
    func isCovered(_ name: [UInt8]) -> Bool { later.changed[name] != nil || later.dropped.contains(name) }
    var left = Self()
    left.changed = changed.filter { !isCovered($0.key) }
    left.dropped = dropped.filter { !isCovered($0) }
    for (name, nested) in inside where !isCovered(name) {
      let rest = later.inside[name].map { nested.superseded(by: $0) } ?? nested
      if !rest.isEmpty { left.inside[name] = rest }
    }
    return left
  }
}

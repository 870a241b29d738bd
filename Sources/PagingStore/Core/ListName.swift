/// What a list goes by: two lists of different item types may have one name.
struct ListName: Hashable, Sendable {
  /// The item type's ``StoredItem/storedKind``.
  var kind: String
  /// The app's name for it.
  var name: String

  /// What a window around an item goes by that shares nothing with this list. No list that an app names has such a
  /// name.
  func window(around key: ItemKey) -> ListName { ListName(kind: kind, name: "\(name)\(Self.windowMark)\(key.text)") }

  /// Whether it is such a window.
  var isWindow: Bool { name.unicodeScalars.contains(Self.windowMark) }

  private static let windowMark: Unicode.Scalar = "\u{0}"
}

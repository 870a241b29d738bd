/// What a list goes by: two lists of different item types may have one name.
struct ListName: Hashable, Sendable {
  /// The item type's ``StoredItem/storedKind``.
  var kind: String
  /// The app's name for it.
  var name: String
}

/// Entries that left a cache, on their way out of its lock: what their going runs may call the cache.
///
/// Most often there is one or none, and then nothing is allocated.
@frozen @usableFromInline struct Departed<Key: Sendable, Value: Sendable>: Sendable {
  @usableFromInline typealias Entry = EntryList<Key, Value>.Entry

  @usableFromInline var first: Entry?
  @usableFromInline var others: [Entry] = []

  @inlinable init() {}

  @inlinable mutating func add(_ entry: Entry) {
    if first == nil { first = entry } else { others.append(entry) }
  }
}

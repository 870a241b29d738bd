/// Entries that left a cache, on their way out of its lock: what their going runs may call the cache.
///
/// Most often there is one or none, and then nothing is allocated.
struct Departed<Key: Sendable, Value: Sendable>: Sendable {
  typealias Entry = EntryList<Key, Value>.Entry

  private var first: Entry?
  private var others: [Entry] = []

  mutating func add(_ entry: Entry) {
    if first == nil { first = entry } else { others.append(entry) }
  }
}

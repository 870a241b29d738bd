/// Entries in doubly linked lists, in two chains: those that may leave, and those that are pinned and leave last.
///
/// Each chain is in the order in which entries came, or were moved to the end. A place keeps its number while its entry is
/// there. Every operation costs O(1), but for a change of chain that keeps an entry's age: it costs as much as there are
/// younger entries. The links lie apart from the entries, so that moving one touches no key and no value.
///
/// Inlinable, as all that a look-up runs through: a generic cache that isn't specialised is five times as slow.
@usableFromInline struct EntryList<Key: Sendable, Value: Sendable>: Sendable {
  @usableFromInline struct Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let value: Value
    @usableFromInline let cost: Int
    @usableFromInline let expires: Duration?

    @inlinable init(key: Key, value: Value, cost: Int, expires: Duration?) {
      (self.key, self.value, self.cost, self.expires) = (key, value, cost, expires)
    }
  }

  @usableFromInline struct Link: Sendable {
    @usableFromInline var previous: Int
    @usableFromInline var next: Int
    @usableFromInline var isPinned: Bool
    /// Grows towards the end of a chain.
    @usableFromInline var stamp: UInt64

    @inlinable init(isPinned: Bool) {
      (previous, next, self.isPinned, stamp) = (-1, -1, isPinned, 0)
    }
  }

  @usableFromInline struct Chain: Sendable {
    @usableFromInline var first = -1
    @usableFromInline var last = -1

    @inlinable init() {}
  }

  @usableFromInline var entries: [Entry?] = []
  @usableFromInline var links: [Link] = []
  @usableFromInline var free: [Int] = []
  @usableFromInline var plain = Chain()
  @usableFromInline var pinned = Chain()
  @usableFromInline var nextStamp: UInt64 = 0

  @inlinable init() {}

  @inlinable subscript(place: Int) -> Entry? { entries[place] }

  /// How young an entry is, among all.
  @inlinable func stamp(_ place: Int) -> UInt64 { links[place].stamp }

  @inlinable func isPinned(_ place: Int) -> Bool { links[place].isPinned }

  /// The entry that is nearest to leaving: a pinned one only where there is no other.
  @inlinable var first: Int? {
    if plain.first >= 0 { return plain.first }
    return pinned.first >= 0 ? pinned.first : nil
  }

  /// The entry at the other end.
  @inlinable var last: Int? {
    if plain.last >= 0 { return plain.last }
    return pinned.last >= 0 ? pinned.last : nil
  }

  /// Whether there is one that isn't pinned.
  @inlinable var hasPlain: Bool { plain.first >= 0 }

  /// Adds an entry at the end that leaves last.
  @inlinable mutating func append(_ entry: Entry, isPinned: Bool) -> Int {
    let place: Int
    if let reused = free.popLast() {
      place = reused
      entries[place] = entry
    } else {
      place = entries.count
      entries.append(entry)
      links.append(Link(isPinned: isPinned))
    }
    links[place].isPinned = isPinned
    refresh(place)
    link(place)
    return place
  }

  /// Takes an entry out; nil where there is none.
  @inlinable mutating func remove(_ place: Int) -> Entry? {
    guard let entry = entries[place] else { return nil }
    unlink(place)
    entries[place] = nil
    free.append(place)
    return entry
  }

  @inlinable mutating func moveToEnd(_ place: Int) {
    if links[place].next < 0 { return refresh(place) }
    unlink(place)
    refresh(place)
    link(place)
  }

  /// Moves an entry to the other chain: to its end, or to where its age belongs.
  @inlinable mutating func changeChain(_ place: Int, keepsAge: Bool) {
    unlink(place)
    links[place].isPinned.toggle()
    if !keepsAge { refresh(place) }
    link(place)
  }

  @inlinable mutating func refresh(_ place: Int) {
    nextStamp += 1
    links[place].stamp = nextStamp
  }

  @inlinable mutating func link(_ place: Int) {
    if links[place].isPinned { Self.link(place, &links, &pinned) } else { Self.link(place, &links, &plain) }
  }

  @inlinable static func link(_ place: Int, _ links: inout [Link], _ chain: inout Chain) {
    var (previous, next) = (chain.last, -1)
    while previous >= 0, links[previous].stamp > links[place].stamp {
      (previous, next) = (links[previous].previous, previous)
    }
    links[place].previous = previous
    links[place].next = next
    if previous >= 0 { links[previous].next = place } else { chain.first = place }
    if next >= 0 { links[next].previous = place } else { chain.last = place }
  }

  @inlinable mutating func unlink(_ place: Int) {
    if links[place].isPinned { Self.unlink(place, &links, &pinned) } else { Self.unlink(place, &links, &plain) }
  }

  @inlinable static func unlink(_ place: Int, _ links: inout [Link], _ chain: inout Chain) {
    let (previous, next) = (links[place].previous, links[place].next)
    if previous >= 0 { links[previous].next = next } else { chain.first = next }
    if next >= 0 { links[next].previous = previous } else { chain.last = previous }
  }
}

/// Entries in the order in which they leave: those that may, and then those that are pinned.
///
/// Both are doubly linked chains, in the order in which entries came or were moved to the end. Where age counts, which
/// use doesn't change, an entry that was ever pinned is in an ``AgeOrder`` instead: it goes back to where its age
/// belongs, which no chain finds in less than O(n). A place keeps its number while its entry is there. Every operation
/// costs O(1), but O(log n) for entries in the age order. The links lie apart from the entries, so that moving one
/// touches no key and no value.
///
/// Inlinable, as all that a look-up runs through: a generic cache that isn't specialised is five times as slow.
/// Frozen, so that its initialisers can be inlinable with library evolution too; without it that changes nothing.
@frozen @usableFromInline struct EntryList<Key: Sendable, Value: Sendable>: Sendable {
  @frozen @usableFromInline struct Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let value: Value
    @usableFromInline let cost: Int
    @usableFromInline let expires: Duration?

    @inlinable init(key: Key, value: Value, cost: Int, expires: Duration?) {
      (self.key, self.value, self.cost, self.expires) = (key, value, cost, expires)
    }
  }

  @frozen @usableFromInline struct Link: Sendable {
    @usableFromInline var previous: Int32 = -1
    @usableFromInline var next: Int32 = -1
    /// Grows with each entry that comes or is moved.
    @usableFromInline var stamp: UInt64 = 0
    @usableFromInline var isPinned = false
    /// Whether it is in the age order, and so in no chain.
    @usableFromInline var isByAge = false

    @inlinable init() {}
  }

  @frozen @usableFromInline struct Chain: Sendable {
    @usableFromInline var first: Int32 = -1
    @usableFromInline var last: Int32 = -1

    @inlinable init() {}
  }

  @usableFromInline var nextStamp: UInt64 = 0
  @usableFromInline var plain = Chain()
  @usableFromInline var pinned = Chain()
  @usableFromInline var links: [Link] = []
  @usableFromInline var entries: [Entry?] = []
  @usableFromInline var free: [Int] = []
  @usableFromInline let isLastFirst: Bool
  /// Nil where use makes younger.
  @usableFromInline var ages: AgeOrder?

  /// - Parameters:
  ///   - isLastFirst: Whether the youngest entry leaves first.
  ///   - isByUse: Whether entries are moved as they are used.
  @inlinable init(isLastFirst: Bool, isByUse: Bool) {
    self.isLastFirst = isLastFirst
    ages = isByUse ? nil : AgeOrder(isYoungestFirst: isLastFirst)
  }

  @inlinable subscript(place: Int) -> Entry? { entries[place] }

  /// How young an entry is, among all.
  @inlinable func stamp(_ place: Int) -> UInt64 { links[place].stamp }

  @inlinable func isPinned(_ place: Int) -> Bool { links[place].isPinned }

  /// The entry that leaves first: a pinned one only where there is no other.
  @inlinable var nextToLeave: Int? {
    let end = isLastFirst ? plain.last : plain.first
    if let returned = ages?.firstReturned {
      guard end >= 0 else { return returned }
      let isReturnedOlder = links[returned].stamp < links[Int(end)].stamp
      return isReturnedOlder != isLastFirst ? returned : Int(end)
    }
    if end >= 0 { return Int(end) }
    let pinnedEnd = isLastFirst ? pinned.last : pinned.first
    return pinnedEnd >= 0 ? Int(pinnedEnd) : ages?.firstPinned
  }

  /// Whether there is one that isn't pinned.
  @inlinable var hasPlain: Bool { plain.first >= 0 || ages?.firstReturned != nil }

  /// Adds an entry, the youngest of all.
  @inlinable mutating func append(_ entry: Entry, isPinned: Bool) -> Int {
    let place: Int
    if let reused = free.popLast() {
      place = reused
      entries[place] = entry
    } else {
      place = entries.count
      entries.append(entry)
      links.append(Link())
    }
    links[place].isPinned = isPinned
    links[place].isByAge = isPinned && ages != nil
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

  /// Makes an entry the youngest of all.
  @inlinable mutating func moveToEnd(_ place: Int) {
    if links[place].next < 0 { return refresh(place) }
    unlink(place)
    refresh(place)
    link(place)
  }

  /// Pins an entry that isn't, and the other way round. Where age doesn't count, it is the youngest by that.
  @inlinable mutating func togglePinned(_ place: Int) {
    unlink(place)
    links[place].isPinned.toggle()
    if ages == nil { refresh(place) } else { links[place].isByAge = true }
    link(place)
  }

  @inlinable mutating func refresh(_ place: Int) {
    nextStamp &+= 1
    links[place].stamp = nextStamp
  }

  @inlinable mutating func link(_ place: Int) {
    if links[place].isByAge {
      ages?.insert(place, stamp: links[place].stamp, isPinned: links[place].isPinned)
    } else if links[place].isPinned {
      Self.link(Int32(truncatingIfNeeded: place), &links, &pinned)
    } else {
      Self.link(Int32(truncatingIfNeeded: place), &links, &plain)
    }
  }

  @inlinable static func link(_ place: Int32, _ links: inout [Link], _ chain: inout Chain) {
    links[Int(place)].previous = chain.last
    links[Int(place)].next = -1
    if chain.last >= 0 { links[Int(chain.last)].next = place } else { chain.first = place }
    chain.last = place
  }

  @inlinable mutating func unlink(_ place: Int) {
    if links[place].isByAge {
      ages?.remove(place)
    } else if links[place].isPinned {
      Self.unlink(place, &links, &pinned)
    } else {
      Self.unlink(place, &links, &plain)
    }
  }

  @inlinable static func unlink(_ place: Int, _ links: inout [Link], _ chain: inout Chain) {
    let (previous, next) = (links[place].previous, links[place].next)
    if previous >= 0 { links[Int(previous)].next = next } else { chain.first = next }
    if next >= 0 { links[Int(next)].previous = previous } else { chain.last = previous }
  }
}

/// A source of types that only its pager knows.
typealias SourceNode = any AnyObject & Sendable

/// A source behind one reference.
final class SourceBox<Key: Hashable & Sendable, Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let source: any PageSource<Key, Item>

  init(_ source: any PageSource<Key, Item>) {
    self.source = source
  }
}

/// The sources that a pager uses: one for all generations, or one made for each.
struct SourceShelf {
  typealias Source = SourceNode

  private struct Entry {
    let source: Source
    var listening: Task<Void, Never>?
  }

  private let make: @Sendable () -> Source
  private let isShared: Bool
  private var shared: Entry?
  private var entries: [UInt64: Entry] = [:]

  /// One source for all generations.
  init<Key, Item>(shared source: some PageSource<Key, Item>) {
    let source = SourceBox<Key, Item>(source)
    make = { source }
    isShared = true
  }

  /// One source for each generation.
  init<Key: Hashable & Sendable, Item: Identifiable & Sendable>(
    making make: @escaping @Sendable () -> any PageSource<Key, Item>
  ) where Item.ID: Sendable {
    self.make = { SourceBox<Key, Item>(make()) }
    isShared = false
  }

  /// What gives the source of a generation; to be called outside the lock.
  func maker(for generation: UInt64) -> @Sendable () -> Source { make }

  /// Keeps the source of a generation.
  ///
  /// - Returns: Whether it is a new one, whose changes nobody hears yet.
  mutating func keep(_ source: Source, for generation: UInt64) -> Bool {
    if isShared {
      defer { shared = shared ?? Entry(source: source) }
      return shared == nil
    }
    entries[generation] = Entry(source: source)
    return true
  }

  /// Keeps the task that hears a source's changes.
  ///
  /// - Returns: Whether the source is still wanted.
  mutating func keep(_ listening: Task<Void, Never>, for generation: UInt64) -> Bool {
    if isShared {
      shared?.listening = listening
      return shared != nil
    }
    entries[generation]?.listening = listening
    return entries[generation] != nil
  }

  func source(of generation: UInt64) -> Source? {
    isShared ? shared?.source : entries[generation]?.source
  }

  /// Lets a generation's source go, and a shared one when its pager is closed.
  ///
  /// - Returns: The task that heard its changes.
  mutating func remove(_ generation: UInt64, isClosed: Bool) -> Task<Void, Never>? {
    if isShared {
      guard isClosed else { return nil }
      defer { shared = nil }
      return shared?.listening
    }
    return entries.removeValue(forKey: generation)?.listening
  }
}

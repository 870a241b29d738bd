/// An observer of a ``PagedList``, which it hears as long as this is kept.
@MainActor
public final class PagedListObservation {
  private var changed: (@MainActor () -> Void)?

  init(_ changed: @escaping @MainActor () -> Void) {
    self.changed = changed
  }

  /// Ends it: the closure isn't called from now on, and is let go. Has no effect the second time.
  public func cancel() { changed = nil }

  var isCancelled: Bool { changed == nil }

  func tell() { changed?() }
}

/// The observers of one list, in the order in which they came. They are kept by who made them.
@MainActor
struct ListObservers {
  private struct Entry {
    weak var observation: PagedListObservation?
  }

  private var entries: [Entry] = []

  mutating func add(_ observation: PagedListObservation) {
    prune()
    entries.append(Entry(observation: observation))
  }

  /// Calls those that are there now; one that is ended by another's call isn't called any more.
  ///
  /// Works on a copy, since a call may add observers.
  func tell() {
    for entry in entries { entry.observation?.tell() }
  }

  private mutating func prune() {
    entries.removeAll { $0.observation?.isCancelled ?? true }
  }
}

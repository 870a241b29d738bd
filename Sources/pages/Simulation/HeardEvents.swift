import Loading
import Paging
import PagingTesting
import Synchronization

/// Counts what the observer of a pager has heard, so that a simulation knows when all of it was told.
final class HeardEvents: Sendable {
  struct Counts: Hashable, Sendable {
    var begun = 0
    var ended = 0
    var droppedPages = 0
    var generations = 0
  }

  private let counts = Mutex(Counts())
  private let bell: Tally
  private let next: PagingObserver?

  /// Counts `bell` up at each event, after `next` has heard it.
  init(ringing bell: Tally, tellingOn next: PagingObserver?) {
    self.bell = bell
    self.next = next
  }

  var heard: Counts { counts.withLock { $0 } }

  /// What the pager's events go to.
  var observer: PagingObserver {
    { event in
      self.next?(event)
      self.counts.withLock { $0.fold(event) }
      self.bell.add(1)
    }
  }
}

extension HeardEvents.Counts {
  fileprivate mutating func fold(_ event: PagingEvent) {
    switch (event.name, event.phase) {
    case ("load", .begin): begun += 1
    case ("load", .end): ended += 1
    case ("pagesDropped", _): droppedPages += event.pageCount ?? 0
    // Closing is the one end that the pager's statistics don't count.
    case ("generation", _) where event.reason != "close": generations += 1
    default: break
    }
  }

  /// Whether all was heard that a pager has done.
  func isAll(of statistics: PagerStatistics, running: Int) -> Bool {
    ended == statistics.endedLoads && begun == ended + running && droppedPages == statistics.droppedPages
      && generations == statistics.generations
  }
}

extension PagerStatistics {
  /// Loads of the source that are over, however they ended.
  var endedLoads: Int { refresh.count + prepend.count + append.count }
}

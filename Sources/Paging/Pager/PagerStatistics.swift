import Loading

/// What a pager has done since it was made: its events, folded.
public struct PagerStatistics: Hashable, Sendable {
  /// The loads of one type.
  public struct Loads: Hashable, Sendable {
    /// Loads that ended, however they did.
    public internal(set) var count = 0
    /// Loads that failed, each once however often its retry policy tried.
    public internal(set) var failures = 0
    /// Loads that were cancelled.
    public internal(set) var cancellations = 0
    /// Rows that came.
    public internal(set) var items = 0
    /// The middle of the last durations, of loads that returned a page.
    public var median: Duration { recent.value(at: 0.5) }
    /// What 95 of 100 of the last durations stayed below.
    public var percentile95: Duration { recent.value(at: 0.95) }

    /// Of the last 256 loads that returned a page.
    private var recent = RecentDurations()

    mutating func ended(_ event: PagingEvent) {
      count += 1
      switch event.outcome {
      case "ok":
        items += event.itemCount ?? 0
        if let duration = event.duration { recent.add(duration) }
      case "cancelled": cancellations += 1
      default: failures += 1
      }
    }
  }

  /// Loads that began a generation.
  public internal(set) var refresh = Loads()
  /// Loads before the first row.
  public internal(set) var prepend = Loads()
  /// Loads after the last row.
  public internal(set) var append = Loads()
  /// The loads of a mediator, of all three types. It returns no rows: those that it brought are counted where the
  /// source loads them.
  public internal(set) var mediator = Loads()
  /// Pages that were let go to stay below `maxSize`, or by retention.
  public internal(set) var droppedPages = 0
  /// Rows that came and were in the list already.
  public internal(set) var droppedDuplicates = 0
  /// Generations that were begun by something other than the first load.
  public internal(set) var generations = 0

  init() {}

  mutating func fold(_ event: PagingEvent) {
    if event.phase == .end, event.name == "load" {
      switch event.loadType {
      case .refresh: refresh.ended(event)
      case .prepend: prepend.ended(event)
      case .append: append.ended(event)
      case nil: break
      }
    } else if event.phase == .end, event.name == "mediatorLoad" {
      mediator.ended(event)
    } else if event.name == "pagesDropped" {
      droppedPages += event.pageCount ?? 0
    } else if event.name == "duplicatesDropped" {
      droppedDuplicates += event.droppedDuplicates ?? 0
    } else if event.name == "generation", event.reason != "close" {
      generations += 1
    }
  }
}

/// The last 256 durations.
private struct RecentDurations: Hashable, Sendable {
  private var durations: [Duration] = []
  private var next = 0

  mutating func add(_ duration: Duration) {
    if durations.count < 256 {
      durations.append(duration)
    } else {
      durations[next] = duration
    }
    next = (next + 1) % 256
  }

  func value(at share: Double) -> Duration {
    guard !durations.isEmpty else { return .zero }
    let sorted = durations.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}

public import Loading

/// Something that a pager did: never with keys, contents or an error's own text.
///
/// | `name` | phase | tells |
/// |---|---|---|
/// | `load` | begin, end | one load of one page: type, key kind, purpose, why; at its end duration, rows, outcome |
/// | `mediatorLoad` | begin, end | one load of the mediator: type, purpose, why; at its end duration, outcome |
/// | `pagesDropped` | instant | pages were let go: why, how many pages and rows, and which way the list had grown |
/// | `duplicatesDropped` | instant | a page held items that were there already: how many |
/// | `generation` | instant | a generation ended, and why |
public struct PagingEvent: ObservedEvent, Hashable {
  /// What it is: one of the names in the table above; more may come.
  public let name: String
  /// Whether it begins something, ends it, or is over at once.
  public let phase: EventPhase
  /// Pairs a load's begin with its end; unique in one pager.
  public let id: UInt64
  /// Which way a load went; of dropped pages, which way the list had grown, where that was why.
  public internal(set) var loadType: LoadType?
  /// What kind of key the source uses, in its own word.
  public internal(set) var keyKind: KeyKind?
  /// Why the page was wanted.
  public internal(set) var purpose: LoadPurpose?
  /// From a load's begin to its end, on the pager's clock.
  public internal(set) var duration: Duration?
  /// Why: `start`, `restore`, `viewport`, `empty`, `refresh`, `invalidation`, `jump`, `expiry`, `retry`, `command`, or
  /// `mediator` for what follows a mediator's load; why a generation ended; or why pages were let go: `maxSize`, or
  /// `retention` where nobody had looked for the grace period.
  public internal(set) var reason: String?
  /// `ok`, `cancelled`, a ``PagingError`` code, or `failed` for an error of another type.
  public internal(set) var outcome: String?
  /// Rows that came, or that were dropped.
  public internal(set) var itemCount: Int?
  /// Pages that were dropped.
  public internal(set) var pageCount: Int?
  /// Rows that were left out because their IDs were in the list already.
  public internal(set) var droppedDuplicates: Int?

  /// Whether a load is over, the source's or the mediator's.
  var endsLoad: Bool { phase == .end && (name == "load" || name == "mediatorLoad") }

  init(_ name: String, _ phase: EventPhase, id: UInt64) {
    self.name = name
    self.phase = phase
    self.id = id
  }
}

/// Hears what a pager does, in order.
///
/// Called outside the pager's lock, on the thread that caused the event or on one that was reporting at that moment.
/// It may call the pager.
public typealias PagingObserver = @Sendable (PagingEvent) -> Void

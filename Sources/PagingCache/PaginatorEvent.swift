public import Loading

/// Something that a paginator did: never with keys, contents or an error's own text.
///
/// | `name` | phase | tells |
/// |---|---|---|
/// | `load` | begin, end | the source is asked for a page, retries included; at its end the outcome |
/// | `retry` | instant | an attempt failed and another one will follow |
/// | `stale` | instant | a page past its time was delivered |
/// | `pagesDropped` | instant | pages were let go since no key leads to them any more: how many |
/// | `storeFailed` | instant | the store failed to read, save or remove: what |
public struct PaginatorEvent: ObservedEvent, Hashable {
  /// What it is: one of the names in the table above; more may come.
  public let name: String
  /// Whether it begins something, ends it, or is over at once.
  public let phase: EventPhase
  /// Pairs a load's begin with its end; unique in one paginator.
  public let id: UInt64
  /// `ok`, `cancelled` or a ``PaginatorError`` code; for a store's failure `read`, `save` or `remove`.
  public internal(set) var outcome: String?
  /// Pages that were dropped.
  public internal(set) var pageCount: Int?

  init(_ name: String, _ phase: EventPhase, id: UInt64) {
    self.name = name
    self.phase = phase
    self.id = id
  }
}

/// Hears what a paginator does. Called outside its locks, on the thread that caused the event; it may call the
/// paginator.
public typealias PaginatorObserver = @Sendable (PaginatorEvent) -> Void

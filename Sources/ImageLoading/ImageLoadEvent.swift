public import Loading

/// Something that a loader did: never with URLs, keys or an error's own text.
///
/// | `name` | phase | tells |
/// |---|---|---|
/// | `load` | begin, end | a picture was asked for; at its end the outcome, and where it came from |
/// | `disk` | begin, end | the disk was looked at; at its end `hit`, `stale` or `miss` |
/// | `fetch` | begin, end | the server was asked; at its end the outcome and the bytes that came |
/// | `decode` | begin, end | a picture was decoded |
/// | `transform` | begin, end | a transform was applied |
/// | `preview` | instant | a preview was handed on |
/// | `trim` | instant | memory was given back: how many bytes |
/// | `diskFailed` | instant | the disk cache failed; told once until it works again |
public struct ImageLoadEvent: ObservedEvent, Hashable {
  /// What it is: one of the names in the table above; more may come.
  public let name: String
  /// Whether it begins something, ends it, or is over at once.
  public let phase: EventPhase
  /// Pairs a begin with its end; unique in one loader.
  public let id: UInt64
  /// The surface of the request, where it named one.
  public internal(set) var surface: String?
  /// `ok`, `cancelled`, an ``ImageError`` code, or what the table says.
  public internal(set) var outcome: String?
  /// Where the picture came from.
  public internal(set) var origin: ImageResponse.Origin?
  /// Bytes that came or went.
  public internal(set) var byteCount: Int?

  init(_ name: String, _ phase: EventPhase, id: UInt64) {
    self.name = name
    self.phase = phase
    self.id = id
  }
}

/// Hears what a loader does. Called outside its locks, on the thread that caused the event; it may call the loader.
public typealias ImageObserver = @Sendable (ImageLoadEvent) -> Void

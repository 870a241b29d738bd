import LoadingHTTP
import Paging

/// Where a command's lists, sources and transports find the trace that they are to be part of: the one way in which it
/// is passed. They look once, when they are made; without a trace all of this costs nothing.
enum Tracing {
  /// The trace that the running command is part of; nil for none.
  @TaskLocal static var process: TraceProcess?

  /// Which way the load goes that the running request is made for.
  @TaskLocal static var loadType: LoadType?

  /// What a pager's events go to.
  static var observer: PagingObserver? { process?.observer }

  /// The transport, with its requests in the trace.
  static func transport(_ transport: any HTTPTransport) -> any HTTPTransport {
    process.map { TracedTransport(transport, in: $0) } ?? transport
  }

  /// The source, with its requests beneath its loads.
  static func source<Source: PageSource>(_ source: Source) -> TracedSource<Source> {
    TracedSource(source, in: process, isWalked: false)
  }

  /// The source, with its loads in the trace, for a walk that no pager watches.
  static func walked<Source: PageSource>(_ source: Source) -> TracedSource<Source> {
    TracedSource(source, in: process, isWalked: true)
  }
}

extension TraceTrack {
  /// Loads of one direction.
  static func loads(_ type: LoadType) -> TraceTrack { TraceTrack(word(type), rank: 10 * number(type)) }
  /// Requests that loads of one direction make; nil where nobody knows which load made them.
  static func requests(_ type: LoadType?) -> TraceTrack {
    guard let type else { return TraceTrack("requests", rank: 60) }
    return TraceTrack("\(word(type)) requests", rank: 10 * number(type) + 1)
  }
  /// Loads of a mediator.
  static func mediator(_ type: LoadType) -> TraceTrack {
    TraceTrack("mediator \(word(type))", rank: 10 * number(type) + 5)
  }
  /// Pages of a walk.
  static let walk = TraceTrack("pages", rank: 5)
  /// What a list lets go of, and what starts it over.
  static let list = TraceTrack("list", rank: 50)

  private static func word(_ type: LoadType) -> String {
    switch type {
    case .refresh: "refresh"
    case .prepend: "prepend"
    case .append: "append"
    }
  }

  private static func number(_ type: LoadType) -> Int {
    switch type {
    case .refresh: 1
    case .append: 2
    case .prepend: 3
    }
  }
}

public import Foundation
public import ImageCodecs
import Loading
public import LoadingHTTP
import Synchronization

extension ImageLoader {
  /// A loader with empty memory, and with what an earlier one left in its folder.
  ///
  /// Stops the program with a message naming the value when one of `config` makes no sense: these are written by a
  /// developer, not by a server or a user. Nothing is read or made on disk before the first load.
  ///
  /// - Parameters:
  ///   - config: How much at once, what memory and disk keep, what is refused.
  ///   - transport: Who asks servers.
  ///   - decoders: Asked before those that ship with `ImageCodecs`; default none.
  ///   - interceptors: Change requests, and what is done for them, in their order.
  ///   - clock: What delays, paces and times to live pass on.
  ///   - now: What the age of answers is told by.
  ///   - observer: Hears what happens.
  public convenience init(
    config: ImageLoaderConfig = .init(), transport: any HTTPTransport = URLSessionTransport(),
    decoders: [any ImageDecoder] = [], interceptors: [any ImageInterceptor] = [],
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
    observer: ImageObserver? = nil
  ) {
    if let problem = config.problem { preconditionFailure(problem) }
    let events = ImageEvents(observer: observer, now: ElapsedTime(on: clock).now)
    let relay = FetchRelay(events)
    self.init(
      config: config,
      fetcher: ImageFetcher(
        config: config, transport: transport, clock: clock, now: now, tell: { relay.tell($0) }),
      memory: ImageMemory(config: config, clock: clock), decoders: decoders + ImageDecoders.shipped,
      interceptors: interceptors, clock: clock, events: events)
    relay.attach(pipeline)
  }
}

/// Takes what the fetcher tells to the pipeline, which is made after it.
private final class FetchRelay: Sendable {
  private struct Target {
    weak var pipeline: ImagePipeline?
  }

  private let events: ImageEvents
  private let target = Mutex(Target())

  init(_ events: ImageEvents) { self.events = events }

  func attach(_ pipeline: ImagePipeline) { target.withLock { $0.pipeline = pipeline } }

  func tell(_ news: FetchNews) {
    events.heard(news)
    guard case .replaced(let key) = news, let pipeline = target.withLock({ $0.pipeline }) else { return }
    // Other bytes came behind a load that was served the old ones: what was made of these is out of date.
    pipeline.invalidate(key)
    pipeline.memory.remove(bytes: key)
  }
}

extension ImageFetcher: ByteFetching {
  func suspend(_ isSuspended: Bool) { network.isSuspended = isSuspended }
}

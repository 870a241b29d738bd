/// What one load is doing. Exactly these three, by definition; everything may switch over it.
@frozen public enum LoadState: Hashable, Sendable {
  /// Nothing is running. `endReached` says that there is nothing more to load on this side.
  case notLoading(endReached: Bool)
  /// A load is running, or waiting to be tried again by the retry policy.
  case loading
  /// The last load failed; `retry` repeats it.
  case failed(LoadFailure)

  /// Whether a load is running.
  public var isLoading: Bool { self == .loading }
  /// Whether nothing is running because there is nothing more on this side.
  public var isAtEnd: Bool { self == .notLoading(endReached: true) }
  /// The failure, if the last load failed.
  public var failure: LoadFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }
}

/// A failure with a number: two are equal when they are the same event, so states compare in constant time.
public struct LoadFailure: Hashable, Sendable {
  /// Which failure of its pager this is, counted from 1.
  public let number: UInt64
  /// What was thrown.
  public let error: any Error

  /// A failure; `number` must be unique among those it is compared with.
  public init(number: UInt64, error: any Error) {
    self.number = number
    self.error = error
  }

  /// Whether both are the same event.
  public static func == (a: LoadFailure, b: LoadFailure) -> Bool { a.number == b.number }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// What the three loads of one party are doing: of the source, or of a mediator.
public struct LoadStates: Hashable, Sendable {
  /// The load that starts a generation.
  public var refresh: LoadState
  /// The load before the first row.
  public var prepend: LoadState
  /// The load after the last row.
  public var append: LoadState

  /// The three states.
  public init(refresh: LoadState, prepend: LoadState, append: LoadState) {
    self.refresh = refresh
    self.prepend = prepend
    self.append = append
  }

  /// Nothing loaded, nothing loading, no end known.
  public static let idle = LoadStates(
    refresh: .notLoading(endReached: false), prepend: .notLoading(endReached: false),
    append: .notLoading(endReached: false))

  /// The state of one load type.
  public subscript(type: LoadType) -> LoadState {
    switch type {
    case .refresh: refresh
    case .prepend: prepend
    case .append: append
    }
  }
}

/// The states of source and mediator, and what they come to together.
///
/// Combined, a load is loading if either party loads; else failed if either failed; and has reached its end only if
/// both have.
public struct CombinedLoadStates: Hashable, Sendable {
  /// The source's states.
  public var source: LoadStates
  /// The mediator's states; nil for a pager without one.
  public var mediator: LoadStates?

  /// The states of both parties.
  public init(source: LoadStates, mediator: LoadStates? = nil) {
    self.source = source
    self.mediator = mediator
  }

  /// The combined state of the load that starts a generation.
  public var refresh: LoadState { self[.refresh] }
  /// The combined state of the load before the first row.
  public var prepend: LoadState { self[.prepend] }
  /// The combined state of the load after the last row.
  public var append: LoadState { self[.append] }

  /// The combined state of one load type. Where both parties failed, the mediator's failure is given.
  public subscript(type: LoadType) -> LoadState {
    let local = source[type]
    guard let remote = mediator?[type] else { return local }
    if local.isLoading || remote.isLoading { return .loading }
    if let failure = remote.failure ?? local.failure { return .failed(failure) }
    return .notLoading(endReached: local.isAtEnd && remote.isAtEnd)
  }
}

/// What a screen shows, folded from rows and states. These five are all there is.
@frozen public enum PagingPhase: Hashable, Sendable {
  /// Nothing is shown and nothing runs: before the first load, after one that was cancelled, or where more is loaded by
  /// command only.
  case initial
  /// Nothing is shown yet; a load runs.
  case loading
  /// The list is known to hold nothing.
  case empty
  /// There are rows, or placeholders for them.
  case content
  /// Nothing is shown, since a load failed.
  case failed(LoadFailure)
}

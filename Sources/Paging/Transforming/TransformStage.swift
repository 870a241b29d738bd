import Synchronization

/// What a transformed content is made of, whatever it was transformed from.
protocol ContentStage<Output>: ContentReporting {
  associatedtype Output: Identifiable & Sendable where Output.ID: Sendable

  /// The newest snapshot, transformed here and now if it wasn't yet.
  var snapshot: PagingSnapshot<Output> { get }
  /// Where the newest snapshot is shown too.
  var hub: SnapshotHub<Output> { get }
  /// A reader of a stream of its own.
  func makeReader() -> any SnapshotReading<Output>
  func viewportChanged(to rows: Range<Int>, of snapshot: PagingSnapshot<Output>)
  func settled() async

  func refresh(from origin: RefreshOrigin) -> PagingCommand
  func retry(_ type: LoadType?) -> PagingCommand
  func load(_ type: LoadType) -> PagingCommand
  func jump(toIndex index: Int) -> PagingCommand
  func jump(toItem id: Output.ID) -> PagingCommand
}

/// One transformation of a content's snapshots.
///
/// The closures that transform run while `working` is held, one at a time, and while nothing else is: whoever only
/// wants the newest snapshot finds it in `published`. A closure that reads a content is given the last snapshot of it,
/// or it would wait for itself.
final class TransformStage<Transform: PageTransform>: ContentStage {
  typealias Input = Transform.Input
  typealias Output = Transform.Output

  struct Published {
    var snapshot: PagingSnapshot<Output>
    /// What it was made of; nil before anything was.
    var base: SnapshotBody<Input>?

    /// The snapshot, if it is what would be made of `base`, or newer.
    func answer(to base: SnapshotBody<Input>) -> PagingSnapshot<Output>? {
      guard let mine = self.base, mine.origin === base.origin, mine.version >= base.version else { return nil }
      return snapshot
    }
  }

  let upstream: any PagedContent<Input>
  /// The content above, if it knows what is made of it.
  let listening: (any ContentReporting)?
  let origin: SnapshotOrigin
  let hub: SnapshotHub<Output>
  private let working: Mutex<TransformedPages<Transform>>
  private let published: Mutex<Published>
  let telling = Mutex(Telling())
  /// The item above that an identity names which isn't loaded; nil where only loaded rows tell.
  let source: @Sendable (Output.ID) -> SoughtSource<Input>

  init(
    _ upstream: any PagedContent<Input>, _ transform: Transform,
    source: @escaping @Sendable (Output.ID) -> SoughtSource<Input>
  ) {
    let origin = SnapshotOrigin()
    let nothing = PagingSnapshot(TransformedPages<Transform>.nothing(of: origin))
    self.upstream = upstream
    self.source = source
    self.origin = origin
    listening = upstream as? any ContentReporting
    hub = SnapshotHub(nothing) { _ in }
    working = Mutex(TransformedPages(transform))
    published = Mutex(Published(snapshot: nothing))
  }

  deinit { listening?.contentEnded(id) }

  // MARK: - Snapshots

  var snapshot: PagingSnapshot<Output> {
    let above = upstream.snapshot
    if let ready = published.withLock({ $0.answer(to: above.body) }) { return ready }
    return TransformTurn.isRunning ? newest : made(of: above)
  }

  /// What is made of a snapshot of the content above, or of a newer one. Not to be called in a closure that transforms.
  private func made(of above: PagingSnapshot<Input>) -> PagingSnapshot<Output> {
    // The turn spans the lock, since rows that die under it may read the content too.
    TransformTurn.run {
      working.withLock { working in
        // Whoever held it may have been about the same.
        let (ready, last) = published.withLock { ($0.answer(to: above.body), $0.snapshot) }
        if let ready { return ready }
        working.advance(to: above.body)
        guard let body = working.body(of: origin, version: last.version + 1) else { return last }
        let made = Published(snapshot: PagingSnapshot(body), base: above.body)
        // What it replaces outlives the inner lock.
        _ = published.withLock { published in
          defer { published = made }
          return published
        }
        hub.publish(made.snapshot)
        return made.snapshot
      }
    }
  }

  /// The snapshot that was made last.
  var newest: PagingSnapshot<Output> { published.withLock { $0.snapshot } }

  /// The same off the actor that asks, unless there is nothing to do.
  fileprivate func snapshot(
    read above: PagingSnapshot<Input>, isolation actor: isolated (any Actor)?
  ) async -> PagingSnapshot<Output> {
    if let ready = published.withLock({ $0.answer(to: above.body) }) { return ready }
    return await transform(above)
  }

  @concurrent private func transform(_ above: PagingSnapshot<Input>) async -> PagingSnapshot<Output> {
    made(of: above)
  }

  func makeReader() -> any SnapshotReading<Output> { StageReader(self) }

  func settled() async {
    observerCame()
    await settle()
    observerWent()
  }

  private func settle() async {
    while !Task.isCancelled {
      await upstream.settled()
      let above = upstream.snapshot
      _ = await transform(above)
      tell()
      // What was told may have started a load, and what was transformed may be out of date by now.
      if listening?.isSettled != false, upstream.snapshot.version == above.version { return }
    }
  }
}

/// Tells whether this very code is called by a closure that transforms.
private final class TransformTurn: Sendable {
  @TaskLocal private static var current: TransformTurn?

  /// Tasks that a closure starts inherit the turn, and outlive it.
  private let isOver = Atomic(false)

  static var isRunning: Bool { current?.isOver.load(ordering: .acquiring) == false }

  static func run<Result>(_ body: () -> Result) -> Result {
    let turn = TransformTurn()
    defer { turn.isOver.store(true, ordering: .releasing) }
    return $current.withValue(turn, operation: body)
  }
}

/// One reader's place in the stream of a transformed content: it reads the content above and transforms what comes.
private final class StageReader<Transform: PageTransform>: SnapshotReading {
  typealias Item = Transform.Output

  private let stage: TransformStage<Transform>
  private let above: PagingSnapshots<Transform.Input>.AsyncIterator
  private var lastVersion: UInt64 = 0

  init(_ stage: TransformStage<Transform>) {
    self.stage = stage
    stage.observerCame()
    above = stage.upstream.snapshots().makeAsyncIterator()
  }

  deinit { stage.observerWent() }

  func next(isolation actor: isolated (any Actor)?) async -> PagingSnapshot<Item>? {
    var above = above
    while let read = await above.next(isolation: actor) {
      let snapshot = await stage.snapshot(read: read, isolation: actor)
      stage.tell()
      // Another reader may have been ahead of this one.
      guard snapshot.version > lastVersion else { continue }
      lastVersion = snapshot.version
      return snapshot
    }
    return nil
  }
}

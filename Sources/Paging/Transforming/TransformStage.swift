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
/// The closures that transform run while `working` is held, one at a time, and while nothing else is: whoever only wants
/// the newest snapshot finds it in `published`. A closure that reads a content is given the last snapshot of it, or it
/// would wait for itself.
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

  var snapshot: PagingSnapshot<Output> { snapshot(of: upstream.snapshot) }

  /// What is made of a snapshot of the content above, or of a newer one.
  func snapshot(of above: PagingSnapshot<Input>) -> PagingSnapshot<Output> {
    let (ready, last) = published.withLock { ($0.answer(to: above.body), $0.snapshot) }
    if let ready { return ready }
    if TransformTurn.isRunning { return last }
    return working.withLock { working in
      // Whoever held it may have been about the same.
      let (ready, last) = published.withLock { ($0.answer(to: above.body), $0.snapshot) }
      if let ready { return ready }
      let next = TransformTurn.$isRunning.withValue(true) {
        working.advance(to: above.body)
        return working.body(of: origin, version: last.version + 1)
      }
      guard let next else { return last }
      let snapshot = PagingSnapshot(next)
      published.withLock { $0 = Published(snapshot: snapshot, base: above.body) }
      hub.publish(snapshot)
      return snapshot
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
    snapshot(of: above)
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

/// Whether a transformation runs in this task, or on this thread where there is none.
private enum TransformTurn {
  @TaskLocal static var isRunning = false
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

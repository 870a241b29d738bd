import Synchronization

/// What a transformed content is made of, whatever it was transformed from.
protocol ContentStage<Output>: AnyObject, Sendable {
  associatedtype Output: Identifiable & Sendable where Output.ID: Sendable

  /// The newest snapshot, transformed here and now if it wasn't yet.
  var snapshot: PagingSnapshot<Output> { get }
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
  let origin = SnapshotOrigin()
  private let working: Mutex<TransformedPages<Transform>>
  private let published: Mutex<Published>
  /// The item above that an identity names which isn't loaded; nil where only loaded rows tell.
  let source: @Sendable (Output.ID) -> SoughtSource<Input>

  init(
    _ upstream: any PagedContent<Input>, _ transform: Transform,
    source: @escaping @Sendable (Output.ID) -> SoughtSource<Input>
  ) {
    self.upstream = upstream
    self.source = source
    working = Mutex(TransformedPages(transform))
    published = Mutex(
      Published(snapshot: PagingSnapshot(TransformedPages<Transform>.nothing(of: origin))))
  }

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
      return snapshot
    }
  }

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
    await upstream.settled()
  }

  func viewportChanged(to rows: Range<Int>, of snapshot: PagingSnapshot<Output>) {
    guard let (rows, base) = baseRows(of: rows, in: snapshot) else { return }
    upstream.viewportChanged(to: rows, of: PagingSnapshot(base))
  }

  /// The rows above that rows of a snapshot come from, and the snapshot above that it was made of.
  func baseRows(
    of rows: Range<Int>, in snapshot: PagingSnapshot<Output>
  ) -> (rows: Range<Int>, base: SnapshotBody<Input>)? {
    let body = snapshot.body
    guard body.origin === origin, let base = body.base as? SnapshotBody<Input>, let translation = body.translation
    else { return nil }
    return (translation.baseRows(of: rows.clamped(to: 0..<body.count)), base)
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
    above = stage.upstream.snapshots().makeAsyncIterator()
  }

  func next(isolation actor: isolated (any Actor)?) async -> PagingSnapshot<Item>? {
    var above = above
    while let read = await above.next(isolation: actor) {
      let snapshot = await stage.snapshot(read: read, isolation: actor)
      // Another reader may have been ahead of this one.
      guard snapshot.version > lastVersion else { continue }
      lastVersion = snapshot.version
      return snapshot
    }
    return nil
  }
}

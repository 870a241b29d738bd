import Synchronization

/// What a transformed content has told the content above.
struct Telling {
  /// Streams and calls of `settled()`.
  var observers = 0
  /// Whether a screen has reported its rows.
  var hasViewport = false
  /// The version of the last snapshot that was told of, and whether it was said that somebody reads.
  var told: (version: UInt64, isObserved: Bool)?
}

// What goes up: viewports, and where rows are left out, what is shown.
extension TransformStage {
  /// Each stage is a content of its own for as long as it lives.
  var id: ContentID { ContentID(rawValue: UInt64(UInt(bitPattern: ObjectIdentifier(self)))) }

  var leavesRowsOut: Bool { Transform.leavesRowsOut || listening?.leavesRowsOut == true }

  var isSettled: Bool { listening?.isSettled ?? true }

  // MARK: - Its own reports

  func viewportChanged(to rows: Range<Int>, of snapshot: PagingSnapshot<Output>) {
    guard let (rows, base) = baseRows(of: rows, in: snapshot) else { return }
    guard let listening else { return upstream.viewportChanged(to: rows, of: PagingSnapshot(base)) }
    let isObserved = telling.withLock { telling in
      telling.hasViewport = true
      return telling.observers > 0
    }
    listening.contentReported(
      TransformedReport(
        content: id, rows: rows, body: base, shown: leavesRowsOut ? newest.body : nil, isObserved: isObserved))
  }

  /// Says what the newest snapshot shows, where rows are left out and it wasn't said yet.
  func tell() {
    guard leavesRowsOut, let listening else { return }
    let newest = newest
    guard let base = newest.body.base else { return }
    let isObserved = telling.withLock { telling -> Bool? in
      let isObserved = telling.observers > 0
      guard isObserved || telling.hasViewport else { return nil }
      if let told = telling.told, told.version >= newest.version, told.isObserved == isObserved { return nil }
      telling.told = (newest.version, isObserved)
      return isObserved
    }
    guard let isObserved else { return }
    listening.contentReported(
      TransformedReport(content: id, rows: nil, body: base, shown: newest.body, isObserved: isObserved))
  }

  func observerCame() {
    telling.withLock { $0.observers += 1 }
  }

  func observerWent() {
    let (isLast, hasViewport) = telling.withLock { telling in
      telling.observers -= 1
      return (telling.observers == 0, telling.hasViewport)
    }
    guard isLast, leavesRowsOut else { return }
    if hasViewport {
      tell()
    } else {
      listening?.contentEnded(id)
      // Who came meanwhile may have told before that.
      let hasCome = telling.withLock { telling in
        telling.told = nil
        return telling.observers > 0
      }
      if hasCome { tell() }
    }
  }

  // MARK: - Reports of contents made of this one

  func contentReported(_ report: TransformedReport) {
    guard let body = report.body as? SnapshotBody<Output>, body.origin === origin, let base = body.base else { return }
    var report = report
    report.body = base
    if let rows = report.rows {
      guard let translated = baseRows(of: rows, in: PagingSnapshot(body)) else { return }
      report.rows = translated.rows
    }
    guard listening == nil else { return listening?.contentReported(report) ?? () }
    if let rows = report.rows, let base = base as? SnapshotBody<Input> {
      upstream.viewportChanged(to: rows, of: PagingSnapshot(base))
    }
  }

  func contentEnded(_ content: ContentID) { listening?.contentEnded(content) }

  // MARK: - Rows

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

public import Paging

/// Keeps every snapshot of a content, in order, from the moment the recorder is made.
///
/// A stream gives the newest unread snapshot only; a recorder is told of each before streams drop any, so a test can
/// ask for the order of events. When `settled()` or a command's end returns, all that led there is on the record.
///
/// ```swift
/// let recorder = PagerRecorder(pager)
/// await pager.settled()
/// #expect(
///   recorder.difference(
///     from: """
///       idle | 0 rows
///       refresh loading | 0 rows
///       prepend at end | 20 rows
///       """) == nil)
/// ```
///
/// A recorder does not observe: it starts no load and keeps no content alive. Every member may be used from any thread.
/// Memory: all snapshots, which share the pages that they have in common.
public final class PagerRecorder<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private let tape: SnapshotTape<Item>
  private let listening: SnapshotListening

  /// A recorder of what `content` shows, the newest snapshot first.
  public init(_ content: some PagedContent<Item>) {
    let tape = SnapshotTape<Item>()
    self.tape = tape
    listening = content.snapshots().listen(
      SnapshotListener(noted: { tape.note($0) }, told: { tape.told(isOver: $0) }))
  }

  /// What was recorded so far, in order. Versions rise, and none is left out.
  public var snapshots: [PagingSnapshot<Item>] { tape.snapshots }

  /// Forgets what was recorded, so that a test's next step has a record of its own.
  public func removeAll() { tape.removeAll() }

  // MARK: - Waiting

  /// What is on the record, once that is at least `count` snapshots.
  ///
  /// - Returns: Fewer only if the content has ended or the task that waits is cancelled.
  @discardableResult
  public func snapshots(atLeast count: Int) async -> [PagingSnapshot<Item>] {
    await tape.reached(count)
    return snapshots
  }

  /// The first snapshot that `condition` accepts, of those on the record or of those to come.
  ///
  /// Waiting loads nothing by itself: something else has to observe the content, or tell it to load.
  ///
  /// - Throws: ``RecordingEnded`` when the content ends without one; `CancellationError` when the task is cancelled.
  @discardableResult
  public func snapshot(
    where condition: (PagingSnapshot<Item>) throws -> Bool
  ) async throws -> PagingSnapshot<Item> {
    var seen: UInt64?
    while true {
      try Task.checkCancellation()
      let (news, count, isOver) = tape.newer(than: seen)
      if let found = try news.first(where: condition) { return found }
      if isOver { throw RecordingEnded(lines: log) }
      seen = news.last?.version ?? seen
      await tape.reachedInAll(count + 1)
    }
  }

  // MARK: - Text

  /// One line for each snapshot: what the loads did, and how many rows there were.
  ///
  /// | line | says |
  /// |---|---|
  /// | `idle \| 0 rows` | nothing runs, no end is known |
  /// | `refresh loading \| 0 rows` | the first load |
  /// | `prepend at end, append loading \| 20 rows (80 after)` | 20 loaded rows, and 80 placeholders after them |
  /// | `append failed Offline \| 20 rows` | with the type of the error, or a `PagingError`'s code |
  /// | `remote refresh loading \| 20 rows` | a mediator's load |
  public var log: [String] { snapshots.map { $0.logLine() } }

  /// The same lines with the loaded rows at their ends, as `row` writes them: `append at end | 3 rows: 7 8 9`.
  public func log(showing row: (Item) -> String) -> [String] { snapshots.map { $0.logLine(showing: row) } }

  /// What tells the record from the lines that a test expects; nil where nothing does.
  ///
  /// The text names the first line that differs, and shows the record around it. A line `…` (or `...`) stands for any
  /// number of lines, none included.
  ///
  /// - Parameter expected: Lines as in ``log``. Space around them and empty lines don't count.
  public func difference(from expected: String) -> String? {
    LogDifference(expected: expected, recorded: log)?.description
  }

  /// What tells the record from the lines that a test expects; nil where nothing does.
  public func difference(from expected: [String]) -> String? {
    difference(from: expected.joined(separator: "\n"))
  }
}

/// A recorded content ended before what a test waited for had come.
public struct RecordingEnded: Error, Hashable, CustomStringConvertible {
  /// The record, one line for each snapshot.
  public let lines: [String]

  /// What happened, and the record.
  public var description: String {
    "The content ended without the snapshot that was waited for. The record:\n"
      + LogDifference.numbered(lines, around: lines.count - 1)
  }
}

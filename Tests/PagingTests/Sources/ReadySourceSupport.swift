import PagingTesting
import Testing

@testable import Paging

/// The server says no.
struct Refused: Error, Hashable {}

extension Pager {
  /// Scrolls down, a screen of `rows` at a time, until the list ends, an edge fails or nothing comes any more.
  func scrollToEnd(rows: Int = 5) async throws {
    await settled()
    var bottom = 0
    while bottom < snapshot.count {
      bottom = min(snapshot.count, bottom + rows)
      try await see(max(0, bottom - rows)..<bottom)
      if snapshot.states.append.failure != nil { return }
    }
  }

  /// Scrolls up likewise, to the first row.
  func scrollToStart(rows: Int = 5) async throws {
    // A bound that no test comes near, where a defect would go on for ever.
    for _ in 0..<1_000 {
      try await see(0..<min(rows, snapshot.count))
      let edge = snapshot.states.prepend
      if edge.isAtEnd || edge.failure != nil { return }
    }
    Issue.record("the start of the list never comes")
  }
}

/// Returns when `condition` holds; until then others get the thread. Ends when a test's time is up.
func until(_ condition: () async throws -> Bool) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}

/// What the task comes to; it is cancelled with the test that waits for it.
func value<Value: Sendable>(of task: Task<Value, Never>) async -> Value {
  await withTaskCancellationHandler {
    await task.value
  } onCancel: {
    task.cancel()
  }
}

/// What a change says in one word: "all", or the titles by ID.
func told(_ change: SourceChange<Row>?) -> String? {
  switch change?.kind {
  case nil: nil
  case .everything: "all"
  case .items(let items): items.map { "\($0.id)\($0.title)" }.sorted().joined(separator: " ")
  }
}

extension PageSource where Item == Row {
  /// The IDs of a walk from the start to the end.
  func walkedIDs(pageSize: Int = 10) async throws -> [Int] {
    var ids: [Int] = []
    for try await page in pages(pageSize: pageSize) { ids += page.items.map(\.id) }
    return ids
  }
}

extension Page where Item == Row {
  var ids: [Int] { items.map(\.id) }
}

func rows(_ ids: some Sequence<Int>) -> [Row] { ids.map { Row(id: $0) } }

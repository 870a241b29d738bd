import Paging
import PagingStore
import Synchronization

/// Does what takes time for a browser, and keeps what comes of it until the screen asks.
final class BrowseDesk<Item: BrowseItem>: Sendable {
  private struct State {
    var news = BrowseNews()
    var found: BrowsedList<Item>.Found?
    var search: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let list: BrowsedList<Item>
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called when there is something new, from any thread.
  init(_ list: BrowsedList<Item>, wake: @escaping @Sendable () -> Void) {
    self.list = list
    self.wake = wake
  }

  /// What there is to say.
  var news: BrowseNews { state.withLock { $0.news } }

  /// What was looked for and found, once.
  func takeFound() -> BrowsedList<Item>.Found? {
    state.withLock { state in
      defer { state.found = nil }
      return state.found
    }
  }

  /// Follows the list; the first load begins with it. The tasks go on until they are cancelled.
  func watch() -> [Task<Void, Never>] {
    let rows = Task { [list, wake] in
      for await _ in list.content.snapshots() { wake() }
    }
    guard let store = list.store else { return [rows] }
    let counts = Task { [weak self] in
      for await count in store.newRows {
        self?.note {
          $0.newRows = count.count
          $0.hasMoreNewRows = count.isLowerBound
        }
      }
    }
    return [rows, counts]
  }

  /// Says something until the next key.
  func say(_ message: String?) { note { $0.message = message } }

  /// A key was pressed: what was said has been read.
  func clearMessage() {
    state.withLock { $0.news.message = nil }
  }

  // MARK: - What readers wish

  /// Loads the list anew; new rows are shown where the reader is at its start.
  func refresh(fromStart: Bool) {
    let command = list.content.refresh(from: fromStart ? .start : .anchor)
    guard fromStart, let store = list.store else { return }
    Task {
      // A failure is a state of the list, and shown there.
      guard (try? await command.finished()) != nil else { return }
      attempt { try store.showNew(goesThere: false) }
    }
  }

  /// Shows the new rows that wait; `goesThere`: by beginning there.
  func showNew(goesThere: Bool) {
    guard let store = list.store else { return }
    Task { attempt { try store.showNew(goesThere: goesThere) } }
  }

  /// Fills a gap by one page.
  func fill(_ gap: Gap, from side: GapSide) {
    guard let store = list.store else { return }
    note { $0.fillings[gap.id] = .runs }
    Task {
      do {
        try await store.fill(gap, from: side)
        note { $0.fillings[gap.id] = nil }
      } catch {
        note { $0.fillings[gap.id] = .failed(list.explain(error)) }
      }
    }
  }

  /// Looks for a row that isn't loaded.
  func find(_ target: BrowsePrompt.Target, in snapshot: PagingSnapshot<Item>) {
    let missing = Self.missing(target, in: snapshot)
    guard let find = list.find else { return say(missing) }
    say("looking for \(Self.words(target)) …")
    let search = Task {
      do {
        guard let found = try await find(target) else { return say(missing) }
        try Task.checkCancellation()
        if case .item(let id) = found { try await list.content.jump(toItem: id).finished() }
        state.withLock {
          $0.found = found
          $0.news.message = nil
        }
        wake()
      } catch is CancellationError {
        // Another search took its place.
      } catch {
        say(list.explain(error))
      }
    }
    let former = state.withLock { state in
      defer { state.search = search }
      return state.search
    }
    former?.cancel()
  }

  private static func words(_ target: BrowsePrompt.Target) -> String {
    switch target {
    case .row(let number): "row \(grouped(number))"
    case .text(let text): "“\(printable(text, limit: 60))”"
    }
  }

  private static func missing(_ target: BrowsePrompt.Target, in snapshot: PagingSnapshot<Item>) -> String {
    switch target {
    case .text: "\(words(target)) is in none of the \(grouped(snapshot.items.count)) rows that are loaded."
    case .row:
      if let total = snapshot.total, total.isExact {
        "there is no \(words(target)): the list has \(grouped(total.count))."
      } else {
        "\(words(target)) isn't loaded: \(grouped(snapshot.items.count)) are, and the list is read on from there."
      }
    }
  }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      say(list.explain(error))
    }
  }

  private func note(_ change: (inout BrowseNews) -> Void) {
    state.withLock { change(&$0.news) }
    wake()
  }
}

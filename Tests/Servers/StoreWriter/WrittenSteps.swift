import Foundation
import PagingStore

/// Calls that write, one after the other, each told of before it (`begun 7`) and once it has returned (`done 7`).
///
/// What step n does follows from n, so whoever kills the process knows what the store must hold.
package enum WrittenSteps {
  /// What a step calls.
  package enum Call: Equatable, Sendable {
    /// A page of ``WrittenRow/same``, of generation n.
    case page
    /// A page of ``list``: ten rows above all others, and the one that was the newest.
    case growth
    /// A change of the row with that ID in ``WrittenRow/same``.
    case edit(Int)
    /// A place at the row with that ID.
    case position(Int)
  }

  /// The list that grows.
  package static let list = "stepwise"

  /// What step n does.
  package static func call(_ step: Int) -> Call {
    switch step % 4 {
    case 0: .page
    case 1: .growth
    case 2: .edit(step / 4 % 20)
    default: .position(step / 4 * 7 % 20)
    }
  }

  /// The IDs that a step of growth adds, the newest first.
  package static func ids(_ step: Int) -> [Int] { (step * 10 + 100..<step * 10 + 110).reversed() }

  /// The step that added a row.
  package static func step(of id: Int) -> Int { id / 10 - 10 }

  /// What a page of a step calls where it goes on.
  package static func token(_ step: Int) -> String { "newer than \(step)" }

  /// What a row says that was changed by a step.
  package static func text(_ step: Int) -> String { "edited in step \(step)" }

  /// Takes steps until the process is killed, or its parent has ended.
  ///
  /// - Parameters:
  ///   - first: The first step.
  ///   - newest: The newest row of the list that grows; -1: it has none.
  static func run(_ file: URL, from first: Int, newest: Int) throws {
    let store = try ListStore(at: file)
    let same = store.list(WrittenRow.same, of: WrittenRow.self)
    let growing = store.list(list, of: WrittenRow.self)
    let parent = getppid()
    var (step, newest) = (first, newest)
    tell("open")
    while getppid() == parent {
      tell("begun \(step)")
      switch call(step) {
      case .page: try same.apply(WrittenRow.samePage(step), for: try same.request(.head))
      case .growth:
        try growing.apply(page(step, newest: newest), for: try growing.request(.head))
        newest = ids(step)[0]
      case .edit(let id):
        try store.edit(id, of: WrittenRow.self, intent: text(step)) { $0.filling = text(step) }
      case .position(let id):
        try same.savePosition(ListPosition(item: id, offset: Double(step)))
        try same.flushPosition()
      }
      tell("done \(step)")
      step += 1
    }
  }

  private static func page(_ step: Int, newest: Int) -> RemotePage<WrittenRow> {
    let known = newest < 0 ? [] : [newest]
    return RemotePage(
      (ids(step) + known).map { WrittenRow($0, step) }, newerToken: token(step), olderToken: "older than \(step)")
  }

  private static func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

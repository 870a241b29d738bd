import Foundation
import PagingHTTP

/// How a user's commands change a list while it is probed.
struct ListChanges: Sendable {
  /// Puts a row in above and prints its ID.
  let insert: ShellCommand
  /// Deletes the row whose ID it gets; nil: what was put in stays.
  let delete: ShellCommand?
  /// Asked before anything is deleted, with the IDs.
  let mayDelete: @Sendable ([String]) async -> Bool

  /// How many rows are put in.
  static let count = 2
}

/// A change that failed.
struct ChangeFailure: Error, Sendable {
  /// What happened, in one line.
  let reason: String
}

extension Prober {
  /// Puts rows in above the second page, and deletes them again if it may, and looks at that page each time.
  ///
  /// - Parameter left: Told of the IDs that were put in and are not deleted yet, each time that these change.
  /// - Throws: A ``ChangeFailure``; cancellation.
  mutating func change(by changes: ListChanges, left: @Sendable ([String]) -> Void) async throws {
    guard seen.isStable, seen.pages.count > 1 else {
      seen.notes.append(
        seen.pages.count > 1
          ? "inserts and deletes: the list's order does not last." : "inserts and deletes: there is no second page.")
      return
    }
    do {
      let inserted = try await insert(by: changes, left: left)
      guard let delete = changes.delete else { return }
      try await self.delete(inserted, by: delete, changes, left: left)
    } catch let stop as ProbeTransport.Stop {
      seen.notes.append(stop.words)
    }
  }

  private mutating func insert(
    by changes: ListChanges, left: @Sendable ([String]) -> Void
  ) async throws -> [String] {
    let first = try await page(nil)
    guard let key = first.next else { throw ChangeFailure(reason: "the first page names no next one any more.") }
    let known = Set((seen.pages.flatMap(\.rows) + first.rows).compactMap(\.words))
    var ids: [String] = []
    for _ in 0..<ListChanges.count {
      let id = try await run(changes.insert, nil, "--insert-cmd")
      guard !id.isEmpty, !id.contains(where: \.isNewline) else {
        throw ChangeFailure(reason: "--insert-cmd must print the new row's ID, in one line.")
      }
      // Only what was put in may be deleted later on.
      guard !known.contains(id), !ids.contains(id) else {
        throw ChangeFailure(
          reason: "--insert-cmd printed '\(printable(id, limit: 60))', the ID of a row that was there before.")
      }
      ids.append(id)
      left(ids)
    }
    let second = try await page(key)
    let fresh = try await page(nil)
    let top = Set(fresh.rows.prefix(max(ids.count, fresh.rows.count - 1)).compactMap(\.words))
    let cameOnTop = top.isSuperset(of: ids)
    seen.insert = .init(first: first.rows, count: ids.count, cameOnTop: cameOnTop, second: second.rows)
    if !cameOnTop {
      let rows = ids.map { printable($0, limit: 40) }.joined(separator: ", ")
      seen.notes.append("inserts: the rows \(rows) did not come on the first page.")
    }
    return ids
  }

  private mutating func delete(
    _ ids: [String], by command: ShellCommand, _ changes: ListChanges, left: @Sendable ([String]) -> Void
  ) async throws {
    let first = try await page(nil)
    guard let key = first.next else { throw ChangeFailure(reason: "the first page names no next one any more.") }
    let second = try await page(key)
    guard await changes.mayDelete(ids) else {
      seen.notes.append("deletes: they were not allowed.")
      return
    }
    var rest = ids
    for id in ids {
      _ = try await run(command, id, "--delete-cmd")
      rest.removeAll { $0 == id }
      left(rest)
    }
    let after = try await page(key)
    let fresh = try await page(nil)
    let gone = Set(fresh.rows.compactMap(\.words)).isDisjoint(with: ids)
    guard gone else {
      seen.notes.append("deletes: the rows are still there after --delete-cmd.")
      return
    }
    // What was not on the first page can't have moved what is behind it.
    guard seen.insert?.cameOnTop == true else { return }
    seen.delete = .init(
      second: second.rows, count: ids.count, secondAfter: after.rows, firstAfter: fresh.rows)
  }

  private func page(_ key: HTTPPageKey?) async throws -> ProbedList.Loaded {
    let loaded = try await list.load(key)
    if let failure = loaded.failure {
      throw ChangeFailure(
        reason: "a page failed between the changes: " + explained(failure, last: list.remote.transport.last))
    }
    return loaded
  }

  private func run(_ command: ShellCommand, _ row: String?, _ name: String) async throws -> String {
    try Task.checkCancellation()
    do {
      return try await command.run(row: row)
    } catch let failure as ShellCommand.Failure {
      throw ChangeFailure(reason: "\(name) \(failure.reason).")
    }
  }
}

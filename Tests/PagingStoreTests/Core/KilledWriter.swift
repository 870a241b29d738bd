// Processes of their own can be started here only.
#if os(macOS) || os(Linux)
  import Foundation
  import StoreWriter
  import Testing

  @testable import PagingStore

  /// What a store must hold after steps of ``WrittenSteps``.
  struct StepModel: Equatable {
    /// The step that wrote the last page.
    var page: Int?
    /// The steps that added rows, in their order.
    var growth: [Int] = []
    /// The last step that changed each row.
    var edits: [Int: Int] = [:]
    /// The step that saved the last place.
    var position: Int?

    /// The newest row of the list that grows.
    var newest: Int { growth.last.map { WrittenSteps.ids($0)[0] } ?? -1 }

    mutating func take(_ step: Int) {
      switch WrittenSteps.call(step) {
      case .page: page = step
      case .growth: growth.append(step)
      case .edit(let id): edits[id] = step
      case .position: position = step
      }
    }

    func after(_ step: Int) -> StepModel {
      var model = self
      model.take(step)
      return model
    }
  }

  /// What a writer told before it was killed: the steps that returned, and one that may have been under way.
  struct StepReport {
    private(set) var isOpen = false
    private(set) var done: [Int] = []
    private(set) var begun: Int?

    init(_ text: String) {
      // The last line may be cut off.
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        let words = line.split(separator: " ")
        let step = words.last.flatMap { Int($0) }
        switch words.first {
        case "open": isOpen = true
        case "begun": begun = step
        case "done":
          if let step { done.append(step) }
          begun = nil
        default: break
        }
      }
    }
  }

  /// A store whose writer was killed, opened again.
  struct KilledStore {
    private let store: ListStore
    private let same: StoredList<WrittenRow>
    private let growing: StoredList<WrittenRow>

    init(at file: URL) throws {
      store = try ListStore(at: file)
      same = store.list(WrittenRow.same, of: WrittenRow.self)
      growing = store.list(WrittenSteps.list, of: WrittenRow.self)
    }

    /// What the store holds, read as screens read it. Complains of a page that isn't whole.
    func model(_ complain: (String) -> Void) throws -> StepModel {
      var model = StepModel()
      for row in try rows(of: same, limit: 100) {
        model.page = model.page ?? row.generation
        if row.generation != model.page { complain("row \(row.id) is of page \(row.generation)") }
        guard row.filling.hasPrefix("edited") else { continue }
        model.edits[row.id] = row.filling.split(separator: " ").last.flatMap { Int($0) }
      }
      let stored = try rows(of: same, limit: 100).map(\.id)
      if model.page != nil, stored != Array(0..<20) { complain("half a page: \(stored)") }
      let intents = try store.pendingEdits().map { [try $0.itemID(of: WrittenRow.self): $0.intent] }
      if intents != model.edits.sorted(by: { $0.value < $1.value }).map({ [$0.key: WrittenSteps.text($0.value)] }) {
        complain("what is to be sent isn't what shows: \(intents), \(model.edits)")
      }
      let grown = try ids(of: growing)
      for start in stride(from: 0, to: grown.count, by: 10) {
        let step = WrittenSteps.step(of: grown[start])
        model.growth.insert(step, at: 0)
        if Array(grown[start..<min(start + 10, grown.count)]) != WrittenSteps.ids(step) {
          complain("half of page \(step)")
        }
      }
      for row in try rows(of: growing, limit: 30) where row.generation < WrittenSteps.step(of: row.id) {
        complain("row \(row.id) is of page \(row.generation)")
      }
      if let step = model.growth.last {
        let token =
          try order(of: growing) { order throws(ListStoreError) in try order.runs().first?.newer.token } ?? nil
        if token != WrittenSteps.token(step) { complain("the token beside page \(step) is \(token ?? "none")") }
      }
      if let place = try same.savedPosition() {
        let step = Int(place.position.offset)
        model.position = step
        if WrittenSteps.call(step) != .position(place.position.item) { complain("place \(step) at another row") }
      }
      return model
    }

    /// What SQLite and the rules of the store say against it.
    func problems() throws -> [String] {
      var problems = try store.core.database.problems()
      for list in [same, growing] {
        problems +=
          try order(of: list) { order throws(ListStoreError) in
            Self.broken(try order.runs(), try order.entries(in: .min ... .max, limit: .max))
          } ?? []
      }
      let overdrawn = try store.core.database.read { connection throws(ListStoreError) -> Bool in
        let last = try WriteTransaction.lastSequence(connection)
        return try connection.has(Self.largerNumbers, last, last, last)
      }
      return overdrawn ? problems + ["a number was drawn that the sequence doesn't know"] : problems
    }

    /// Invariants 1, 2, 5 and 6 of rows that fall.
    private static func broken(_ runs: [Run], _ rows: [Entry]) -> [String] {
      var broken: [String] = []
      if Set(rows.map(\.item)).count < rows.count { broken.append("INV1: an item twice") }
      let positions = Set(rows.map(\.position))
      var inRuns = 0
      for (index, run) in runs.enumerated() where !run.isEmpty {
        inRuns += rows.count { run.low <= $0.position && $0.position <= run.high }
        if !positions.contains(run.high) || !positions.contains(run.low) { broken.append("INV2: a bound is no row") }
        if run.newer.state == .live, index > 0 { broken.append("INV5: a live run isn't the head") }
        if run.older.state == .reached, index < runs.count - 1 { broken.append("INV6: an end above rows") }
      }
      for (upper, lower) in zip(runs, runs.dropFirst()) where upper.low <= lower.high {
        broken.append("INV2: two runs overlap")
      }
      if inRuns != rows.count { broken.append("INV2: \(rows.count) rows, of which \(inRuns) are in runs") }
      return broken
    }

    private static let largerNumbers = SQL(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM item WHERE item_no > ?) OR EXISTS (SELECT 1 FROM patch WHERE patch_no > ?)
        OR EXISTS (SELECT 1 FROM run WHERE run_no > ?)
      """)

    private func rows(of list: StoredList<WrittenRow>, limit: Int) throws -> [WrittenRow] {
      guard let window = try store.core.window(of: list.id, at: .head, before: 0, after: limit) else { return [] }
      return try list.rows(of: window).compactMap(\.item)
    }

    /// All of them, without decoding any.
    private func ids(of list: StoredList<WrittenRow>) throws -> [Int] {
      try order(of: list) { order throws(ListStoreError) in
        try order.window(at: .max, newer: 0, older: .max).rows.compactMap { Int($0.key.text) }
      } ?? []
    }

    private func order<R>(
      of list: StoredList<WrittenRow>, _ read: (ListOrder) throws(ListStoreError) -> R
    ) throws(ListStoreError) -> R? {
      try store.core.database.read { connection throws(ListStoreError) in
        guard let record = try store.core.list(list.id, on: connection) else { return nil }
        return try read(connection.order(of: record.number))
      }
    }
  }
#endif

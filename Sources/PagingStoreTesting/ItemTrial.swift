import Paging
import PagingStore
import PagingTesting

/// One run of an item verifier.
struct ItemTrial<Item: StoredItem & Equatable> {
  let items: [Item]
  let order: ListPolicy.Order
  let config: ListStoreConfig
  private(set) var report = VerifierReport()

  init(items: [Item], order: ListPolicy.Order, config: ListStoreConfig) {
    self.items = items
    self.order = order
    self.config = config
  }

  /// - Returns: Whether there is something to go on with.
  mutating func checkSamples() -> Bool {
    report.begin(.itemSamples)
    guard items.count > 1 else {
      report.fail(.itemSamples, "There are \(items.count) items: give at least two, as different as they come.")
      return false
    }
    var seen: Set<Item.ID> = []
    for item in items where !seen.insert(item.id).inserted {
      report.fail(.itemSamples, "Two items have the ID \(item.id): give different items.")
    }
    do {
      _ = try ListStore.inMemory(config: config)
    } catch {
      report.fail(.itemSamples, "A store with that configuration can't be made: \(error)")
    }
    return report.isClean
  }

  mutating func checkCoding() {
    report.begin(.itemCoding)
    for item in items {
      do {
        let list = try self.list(.cursor)
        try list.take([item])
        let back = try list.store.item(item.id, of: Item.self)
        guard back != item else { continue }
        report.fail(
          .itemCoding,
          "\(item) comes back as \(back.map { "\($0)" } ?? "nothing"). Encode and decode every stored property; "
            + "what isn't to be stored must not count in ==.")
      } catch {
        report.fail(.itemCoding, "\(item) can't be stored and read: \(error)\(error.why)")
      }
    }
  }

  mutating func checkIdentity() async {
    report.begin(.itemIdentity)
    do {
      let list = try self.list(.cursor)
      try list.take(items)
      let rows = try await list.rows()
      guard rows.count == items.count else {
        return report.fail(
          .itemIdentity,
          "\(items.count) items with different IDs are \(rows.count) rows: some IDs are encoded alike. "
            + "Encode all of an ID that makes it another one.")
      }
      for item in items where try list.store.item(item.id, of: Item.self)?.id != item.id {
        report.fail(.itemIdentity, "The item with ID \(item.id) isn't found by it. Encode equal IDs alike, every time.")
      }
    } catch {
      report.fail(.itemIdentity, "The items can't be stored and read: \(error)\(error.why)")
    }
  }

  mutating func checkBytes() {
    report.begin(.itemBytes)
    for item in items {
      do {
        let list = try self.list(.cursor)
        try list.take([item])
        guard try list.take([item]).updated > 0 else { continue }
        report.fail(
          .itemBytes,
          "\(item) that is stored twice counts as changed: equal items are encoded unlike, so every page makes screens read anew. "
            + "Encode sets in an order, and nothing that depends on the moment.")
      } catch {
        report.fail(.itemBytes, "\(item) can't be stored twice: \(error)\(error.why)")
      }
    }
  }

  mutating func check(newer change: (@Sendable (inout Item) -> Void)?) {
    guard let change else { return report.skip(.itemVersion) }
    report.begin(.itemVersion)
    for item in items {
      var later = item
      change(&later)
      guard later.id == item.id, later != item else {
        report.fail(.itemVersion, "The newer copy of \(item) is \(later): it must have the same ID, and differ.")
        continue
      }
      guard let old = item.version, let new = later.version, new > old else {
        report.fail(
          .itemVersion,
          "The version of \(item) is \(Self.text(item.version)), and that of the newer copy \(Self.text(later.version)): "
            + "it must rise with every change on the server, or be nil always.")
        continue
      }
      do {
        let list = try self.list(.cursor)
        try list.take([later])
        try list.take([item])
        guard try list.store.item(item.id, of: Item.self) != later else { continue }
        report.fail(
          .itemVersion, "An older copy of \(later) that came later took its place, although its version is smaller.")
      } catch {
        report.fail(.itemVersion, "Two copies of \(item) can't be stored: \(error)\(error.why)")
      }
    }
  }

  mutating func checkOrder() async {
    guard order == .keyed else { return report.skip(.itemOrder) }
    report.begin(.itemOrder)
    do {
      let list = try self.list(.keyed)
      // By their keys alone: each as if it were the newest.
      try list.take(items.reversed())
      let rows = try await list.rows().map(\.id)
      guard let place = zip(rows, items.map(\.id)).enumerated().first(where: { $1.0 != $1.1 }) else { return }
      report.fail(
        .itemOrder,
        "By its sort key the item with ID \(place.element.0) is row \(place.offset), where the server has \(place.element.1). "
          + "A larger key is nearer the head; equal keys go by the IDs.")
    } catch {
      report.fail(.itemOrder, "The items can't be stored in a keyed list: \(error)\(error.why)")
    }
  }

  mutating func check(edit change: (@Sendable (inout Item) -> Void)?) {
    guard let change else { return report.skip(.itemEdit) }
    report.begin(.itemEdit)
    for item in items {
      var wanted = item
      change(&wanted)
      do {
        let list = try self.list(.cursor)
        try list.take([item])
        try list.store.edit(item.id, of: Item.self, intent: "verify", change)
        let edited = try list.store.item(item.id, of: Item.self)
        if wanted == item {
          report.fail(.itemEdit, "The edit of \(item) changes nothing that counts in ==.")
        } else if edited != wanted {
          report.fail(
            .itemEdit, "After the edit \(item) is \(edited.map { "\($0)" } ?? "gone"), and should be \(wanted).")
        }
        try list.take([item])
        guard try list.store.item(item.id, of: Item.self) != edited else { continue }
        report.fail(.itemEdit, "A page with the item as it was wiped the edit of \(item).")
      } catch {
        report.fail(.itemEdit, "\(item) can't be edited: \(error)\(error.why)")
      }
    }
  }

  // MARK: - Parts

  /// A list in a store of its own.
  private struct TrialList {
    let store: ListStore
    let list: StoredList<Item>

    @discardableResult
    func take(_ items: [Item]) throws -> MergeOutcome {
      try list.apply(RemotePage(items, reachedEnd: true), for: try list.request(.head))
    }

    func rows() async throws -> [Item] {
      try await list.pageSource().load(LoadParams(.refresh, loadSize: 100_000)).items.compactMap(\.item)
    }
  }

  private func list(_ order: ListPolicy.Order) throws -> TrialList {
    let store = try ListStore.inMemory(config: config)
    return TrialList(store: store, list: store.list("verified", policy: ListPolicy(order: order)))
  }

  private static func text(_ version: Int64?) -> String { version.map { "\($0)" } ?? "nil" }
}

extension Error {
  /// What is underneath an error of the store, for the line that tells of it.
  var why: String { (self as? ListStoreError)?.cause.map { " (\($0))" } ?? "" }
}

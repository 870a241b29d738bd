extension StoredList {
  /// The rows of a window, with gap rows between runs. Items that don't decode are left out and reported.
  ///
  /// A gap's row goes with the row below it, so that of two pages only the lower one has it.
  func rows(of window: Window) throws(ListStoreError) -> [ListRow<Item>] {
    var rows: [ListRow<Item>] = []
    rows.reserveCapacity(window.rows.count + window.gaps.count)
    var gaps = window.gaps[...]
    var failures = DecodingFailures()
    for (index, row) in window.rows.enumerated() {
      var item: Item?
      if let blob = row.blob {
        do throws(ListStoreError) {
          item = try coder.decode(Item.self, from: blob)
        } catch {
          failures.add(error)
        }
      }
      while let gap = gaps.first, gap.index <= index {
        gaps.removeFirst()
        rows.append(ListRow(self.gap(above: gap.lower, below: gap.upper, in: window.list, beside: item?.id)))
      }
      if let item {
        rows.append(ListRow(item, number: row.item))
      } else if row.blob == nil {
        rows.append(ListRow(unfetched: row.item))
      }
    }
    report(failures)
    return rows
  }

  /// Fresh copies of the rows of items. Throws for one that doesn't decode, whose row has to go.
  func rows(of items: Set<Int64>) throws(ListStoreError) -> [ListRow<Item>] {
    var rows: [ListRow<Item>] = []
    rows.reserveCapacity(items.count)
    for row in try core.payloads(of: items.sorted()) {
      if let blob = row.blob {
        rows.append(ListRow(try coder.decode(Item.self, from: blob), number: row.item))
      } else {
        rows.append(ListRow(unfetched: row.item))
      }
    }
    return rows
  }

  /// A gap as it stands between two runs.
  ///
  /// - Parameter item: The row below it; nil: it can't be told.
  func gap(above lower: Run, below upper: Run, in list: Int64, beside item: Item.ID?) -> Gap {
    let ways = ways(beside: item)
    var sides: [GapSide] = []
    // The server's end is never joined to what is stored below it.
    if upper.older.state != .serverEnd {
      let canGoOn = ways.byKey || ways.around || ways.walkedPages > 0
      if upper.older.state == .open, upper.older.token != nil || canGoOn { sides.append(.above) }
      let canGoUp = ways.byKey || ways.around || ways.newerThan
      if lower.newer.state == .open, lower.newer.token != nil || canGoUp { sides.append(.below) }
    }
    return Gap(id: lower.number, list: list, fillableSides: sides)
  }

  private func report(_ failures: DecodingFailures) {
    guard let first = failures.first else { return }
    core.report(
      ListStoreReport(
        kind: .undecodableItems, list: name, count: failures.count,
        message: "\(failures.count) items of “\(name)” are left out, as they don't decode. \(first.message)"))
  }
}

/// Items that were left out of a window.
private struct DecodingFailures {
  var count = 0
  var first: ListStoreError?

  mutating func add(_ error: ListStoreError) {
    count += 1
    first = first ?? error
  }
}

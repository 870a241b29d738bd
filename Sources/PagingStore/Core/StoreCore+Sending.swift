extension StoreCore {
  /// Whether nothing newer than the head run can be missing: it is subscribed to, unbroken since its head was
  /// confirmed.
  func isHeadCurrent(_ runs: [Run], of name: ListName) -> Bool {
    runs.first?.newer.state == .live && subscriptions.current(of: name) != nil
  }

  /// Items that were created here and have no place in the order yet, as rows: they follow the newest row that is
  /// shown, the one made last at the very top. There are none where newer rows may be missing, since what lies between
  /// would be hidden.
  ///
  /// Their positions only say how they stand to one another and to the rows of the order.
  func sendingRows(
    of list: ListRecord, named name: ListName, on connection: Connection
  ) throws(ListStoreError) -> [Window.Row] {
    let items = try connection.sending.items(in: list.number)
    guard !items.isEmpty else { return [] }
    let order = connection.order(of: list.number)
    let runs = try order.runs()
    guard isHeadCurrent(runs, of: name) || runs.allSatisfy(\.isEmpty) else { return [] }
    var rows: [Window.Row] = []
    for (index, item) in items.enumerated() {
      guard try order.entry(of: item) == nil, let record = try connection.items.find(item) else { continue }
      guard let blob = try connection.sight(of: record).blob else { continue }
      rows.append(Window.Row(position: Self.firstSendingPosition + Position(index), item: item, blob: blob))
    }
    return rows.reversed()
  }

  /// Above every position of an order.
  private static let firstSendingPosition = Position.max - (1 << 20)
}

extension Window {
  /// Adds rows above the newest one that is shown, where the window reaches that.
  ///
  /// - Parameters:
  ///   - sending: The rows, the newest first.
  ///   - anchor: Where the window was read.
  ///   - before: How many rows above the anchor were wanted.
  mutating func add(_ sending: [Row], at anchor: Position, before: Int) {
    guard !sending.isEmpty, !hasNewer else { return }
    let higher = sending.filter { $0.position > anchor }
    let room = max(0, before - rows.prefix { $0.position > anchor }.count)
    hasNewer = higher.count > room
    // The nearest ones; those below the anchor all, as they are few.
    let added = higher.suffix(room) + sending.filter { $0.position <= anchor }
    for index in gaps.indices { gaps[index].index += added.count }
    rows.insert(contentsOf: added, at: 0)
  }
}

@testable import PagingStore

extension StoreModel {
  /// Q1: everybody is connected, everything is delivered, all gaps are filled: what the lists have is what the server has.
  func settle() async throws -> [String] {
    for list in lists {
      list.flights = []
      if list.session == nil {
        list.excuseHeld()
        try list.connect()
      }
      for round in 0..<400 {
        tick += 1
        guard try settle(list, round) else { break }
        let broken = breaches + (try broken())
        if !broken.isEmpty { return broken }
      }
      let wrong = differences(list)
      if !wrong.isEmpty { return wrong }
      // From the start on there is nothing that a list may not know.
      try ask(.head, nil, StoreStep(kind: .askHead, a: 0, b: 4), of: list)
      list.flights[0].isRefresh = true
      list.excused = []
      list.ghosts = []
      repeat {
        tick += 1
        serve(0, of: list)
        try deliver(list.flights.removeFirst(), to: list)
        breaches += try broken()
        guard let last = list.seen.order.stored.last, last.older.state != .reached else { break }
        try ask(.older, last, StoreStep(kind: .askOlder, a: 0, b: 3), of: list)
      } while !list.flights.isEmpty && breaches.isEmpty
      breaches += differences(list)
      if list.seen.rows.map(\.id) != server.visible.map(\.id) { breaches.append("Q1: the order is another one") }
      if !breaches.isEmpty { return breaches }
    }
    return try store.core.database.problems().map { "INV9: \($0)" }
  }

  /// - Returns: Whether there was anything to do.
  private func settle(_ list: ModelList, _ round: Int) throws -> Bool {
    try deliverEvents(to: list)
    breaches += try broken()
    let runs = list.seen.order.stored
    let step = StoreStep(kind: .askHead, a: 0, b: round % 2 == 0 ? 3 : 4)
    if runs.first?.newer.state != .live {
      try ask(.head, nil, step, of: list)
    } else if let index = runs.firstIndex(where: { $0.older.state != .reached }) {
      try fill(index, step, list)
    } else {
      return false
    }
    // Whatever the edges say, a whole new start helps in the end.
    if round % 100 == 99 {
      list.flights = []
      try ask(.head, nil, step, of: list)
      list.flights[0].isRefresh = true
    }
    guard !list.flights.isEmpty else { return true }
    serve(0, of: list)
    try deliver(list.flights.removeFirst(), to: list)
    return true
  }

  private func fill(_ index: Int, _ step: StoreStep, _ list: ModelList) throws {
    let runs = list.seen.order.stored
    try ask(.older, runs[index], step, of: list)
    if list.flights.isEmpty, index + 1 < runs.count { try ask(.newer, runs[index + 1], step, of: list) }
    if list.flights.isEmpty, let row = list.seen.rows.first(where: { $0.position == runs[index].low }) {
      let from = server.places.visible.first { $0 <= row.place } ?? row.place
      let request = try list.list.request(.around(row.id))
      let ask = ModelServer.Ask(kind: .around, from: from, bound: nil, limit: 9)
      list.flights.append(ModelList.Flight(request: request, ask: ask, asked: tick))
    }
    if list.flights.isEmpty { try ask(.head, nil, step, of: list) }
  }

  private func differences(_ list: ModelList) -> [String] {
    let rows = list.seen.rows.map(\.place)
    let visible = server.places.visible
    var wrong: [String] = []
    let missing = visible.filter { !rows.contains($0) && !list.excused.contains($0) }
    let extra = rows.filter { !visible.contains($0) && !list.ghosts.contains($0) }
    if !missing.isEmpty { wrong.append("Q1, at rest, \(missing) are missing in \(list.name)") }
    if !extra.isEmpty { wrong.append("Q1, at rest, \(extra) should be gone from \(list.name)") }
    if list.seen.order.stored.count > 1 { wrong.append("Q1, at rest, gaps remain: \(list.seen.text)") }
    if list.seen.order.stored.first?.newer.state != .live {
      wrong.append("Q1, at rest, the head is not live: \(list.seen.text)")
    }
    return wrong
  }
}

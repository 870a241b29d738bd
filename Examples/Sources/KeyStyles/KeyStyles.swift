import Paging
import PagingTesting

/// The same list, read by each style while rows come and go above the reader: who repeats rows, and who leaves some out?
@main struct KeyStyles {
  /// 200 rows; before each request two new ones come in at the top, and one in the first ten is deleted.
  static func server() -> DriftingServer<SampleItem> {
    let server = DriftingServer(Sample.items(count: 200))
    server.beforeEachRequest { server, request in
      guard request.number > 1 else { return }
      for offset in 0..<2 { server.insert(SampleItem(id: 1000 + 2 * request.number + offset), at: 0) }
      if request.number % 3 == 0 { for _ in 0..<9 { server.delete(at: 5) } }
    }
    return server
  }

  static func read(_ name: String, _ source: some PageSource<some Any, SampleItem>) async throws {
    var times: [Int: Int] = [:]
    for try await row in source.items(pageSize: 20) { times[row.id, default: 0] += 1 }
    let repeated = times.values.count { $0 > 1 }
    // Rows 30 to 199 are there all the time.
    let skipped = (30..<200).count { times[$0] == nil }
    print("\(name): \(repeated) rows came twice, \(skipped) never")
  }

  static func main() async throws {
    var server = server()
    let plain = OffsetPageSource<SampleItem> { [server] range in try server.rows(in: range) }
    try await read("offset", plain)

    server = Self.server()
    let numbered = NumberedPageSource<SampleItem> { [server] params in
      try server.page(number: params.key ?? 1, size: params.loadSize)
    }
    try await read("page number", numbered)

    server = Self.server()
    let overlapping = OffsetPageSource<SampleItem>(overlap: 3) { [server] range in try server.rows(in: range) }
    try await read("offset with an overlap of 3", overlapping)

    server = Self.server()
    let cursor = CursorPageSource<String, SampleItem> { [server] params in try server.page(params) }
    try await read("cursor", cursor)
  }
}

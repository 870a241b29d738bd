import Paging

struct Row: Identifiable, Sendable {
  var id: Int
  var text: String
}

/// A source without an end to speak of, whose pages are made when they are asked for: one allocation each.
struct CountingSource: PageSource {
  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> {
    let start = params.key ?? 0
    return Page((start..<start + 20).map { Row(id: $0, text: "row") }, nextKey: start + 20)
  }
}

/// A pager, its snapshots, and a walk without one.
enum Pages {
  static func counts() async throws -> [(name: String, count: Int)] {
    let config = PagingConfig(pageSize: 20, prefetchDistance: 0, initialLoadSize: 20)
    let pager = Pager(config: config, source: CountingSource())
    while pager.snapshot.count < 10_000 { try await pager.load(.append).finished() }
    var all = [("a page loaded", try await Allocations.count { try await pager.load(.append).finished() })]
    all.append(("a snapshot read from a stream", try await delivered(pager)))
    let snapshot = pager.snapshot
    var row = 0
    all.append(
      (
        "a viewport report that starts nothing",
        Allocations.count {
          row = (row + 1) % 1_000
          pager.viewportChanged(to: 100 + row..<120 + row, of: snapshot)
        }
      ))
    all.append(
      (
        "a row by index",
        Allocations.count {
          row = (row + 7_919) % snapshot.count
          consume(snapshot[row].item?.id)
        }
      ))
    all.append(("all rows by pages", Allocations.count { for page in snapshot.pages { consume(page.count) } }))
    var walk = CountingSource().pages(pageSize: 20).makeAsyncIterator()
    all.append(("a page of a walk", try await Allocations.count { consume(try await walk.next()?.items.count) }))
    return all
  }

  /// What a reader's share of a page is: that of a page with ten more streams, less that of one without.
  private static func delivered(_ pager: Pager<Int, Row>) async throws -> Int {
    var streams = (0..<10).map { _ in pager.snapshots().makeAsyncIterator() }
    let without = try await Allocations.count { try await pager.load(.append).finished() }
    let with = try await Allocations.count {
      try await pager.load(.append).finished()
      for index in streams.indices { consume(await streams[index].next()?.count) }
    }
    return (with - without + streams.count / 2) / streams.count
  }
}

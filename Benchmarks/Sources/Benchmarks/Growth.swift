import Foundation
import Loading
import Paging
import PagingStore

/// What an operation costs as what it works on grows.
struct Curve: Codable {
  struct Point: Codable {
    var size: Int
    var nanoseconds: Double
  }

  /// What grows.
  var group: String
  var operation: String
  /// What the doc comment says.
  var promise: String
  var points: [Point] = []
}

/// Lists of up to a million rows, up to a hundred observers, caches of up to a million entries, stores of up to as many rows as asked for.
enum Growth {
  static func run(storeRows: Int) async throws -> [Curve] {
    try await lists() + observers() + caches() + stores(upTo: storeRows)
  }

  // MARK: Lists

  private static func lists() async throws -> [Curve] {
    let group = "rows in the list"
    var page = Curve(group: group, operation: "a page loaded, with its changes", promise: "O(log pages)")
    var report = Curve(group: group, operation: "a viewport report that starts nothing", promise: "O(log pages)")
    var row = Curve(group: group, operation: "a row by index", promise: "O(log pages)")
    var rows = Curve(group: group, operation: "a row of all, by pages", promise: "constant")
    for size in [1_000, 10_000, 100_000, 1_000_000] {
      let pager = Pager(config: Fixtures.config, source: CountingSource(count: size + 100_000))
      try await Fixtures.fill(pager, to: size)
      let snapshot = pager.snapshot
      let places = (0..<10_000).map { _ in Int.random(in: 0..<size) }
      row.add(
        size,
        Measure.median(samples: 31) {
          var sum = 0
          for place in places { sum &+= snapshot[place].item?.id ?? 0 }
          consume(sum)
        } / 10_000)
      rows.add(
        size,
        Measure.median(samples: 31) {
          var sum = 0
          for page in snapshot.pages { for row in page { sum &+= row.id &+ row.text.utf8.count } }
          consume(sum)
        } / Double(size))
      report.add(
        size,
        Measure.median(samples: 101) {
          for row in 0..<100 { pager.viewportChanged(to: 100 + row..<120 + row, of: snapshot) }
        } / 100)
      page.add(size, try await PageEvents.median(of: pager))
    }
    return [page, report, row, rows]
  }

  // MARK: Observers

  private static func observers() async throws -> [Curve] {
    let group = "streams that read"
    var page = Curve(group: group, operation: "a page loaded, each stream read, a stream", promise: "constant")
    for size in [1, 3, 10, 30, 100] {
      let pager = Pager(config: Fixtures.config, source: CountingSource(count: 1_000_000))
      try await Fixtures.fill(pager, to: 1_000)
      var streams = (0..<size).map { _ in pager.snapshots().makeAsyncIterator() }
      var times: [Double] = []
      for _ in 0..<200 {
        let start = ContinuousClock.now
        try await pager.load(.append).finished()
        for index in streams.indices { consume(await streams[index].next()?.count) }
        times.append(Measure.nanoseconds(ContinuousClock.now - start))
      }
      page.add(size, Measure.median(times) / Double(size))
    }
    return [page]
  }

  // MARK: Caches

  private static func caches() -> [Curve] {
    let group = "entries in the memory cache"
    var hit = Curve(group: group, operation: "a hit", promise: "O(1)")
    var insertion = Curve(group: group, operation: "an insertion that evicts", promise: "O(1)")
    for size in [1_000, 10_000, 100_000, 1_000_000] {
      let cache = MemoryCache<Int, Int>(policy: .lru + .maxCount(size))
      for key in 0..<size { cache.insert(key, forKey: key) }
      var chance = SmallChance(seed: 1)
      let keys = (0..<10_000).map { _ in Int(chance.next() % UInt64(size)) }
      hit.add(size, Measure.median(samples: 31) { for key in keys { consume(cache.value(forKey: key)) } } / 10_000)
      var next = size
      insertion.add(
        size,
        Measure.median(samples: 31) {
          for _ in 0..<10_000 {
            cache.insert(next, forKey: next)
            next += 1
          }
        } / 10_000)
    }
    return [hit, insertion]
  }

  // MARK: Stores

  private static func stores(upTo most: Int) async throws -> [Curve] {
    let group = "rows in the store"
    var window = Curve(group: group, operation: "a window of 100 rows, anywhere", promise: "O(log n)")
    var merge = Curve(group: group, operation: "a merge of 50 new rows at the end", promise: "O(log n)")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("growth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let list = try ListStore(at: folder.appendingPathComponent("lists.db")).list("home", of: Post.self)
    var count = 0
    func grow(by rows: Int) throws {
      let posts = (count..<count + rows).map { Post($0) }
      count += rows
      try list.apply(RemotePage(posts, olderToken: "from \(count)"), for: try list.request(.olderThanAll))
    }
    for size in [10_000, 100_000, 1_000_000, 10_000_000] where size <= most {
      while count < size { try grow(by: min(1_000, size - count)) }
      merge.add(size, Measure.median(try (0..<101).map { _ in try Measure.time { try grow(by: 50) } }))
      let source = list.pageSource()
      var times: [Double] = []
      for _ in 0..<201 {
        let key = try list.rowID(of: Int.random(in: 1_000..<size - 1_000)).flatMap { source.key(around: $0) }
        let start = ContinuousClock.now
        let page = try await source.load(LoadParams(.refresh, key: key, loadSize: 100))
        times.append(Measure.nanoseconds(ContinuousClock.now - start))
        precondition(page.items.count == 100)
      }
      window.add(size, Measure.median(times))
    }
    return [window, merge]
  }
}

extension Curve {
  fileprivate mutating func add(_ size: Int, _ nanoseconds: Double) {
    points.append(Point(size: size, nanoseconds: nanoseconds))
  }
}

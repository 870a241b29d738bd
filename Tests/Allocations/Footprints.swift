import CAllocationCounter
import ImageLoading
import Paging

/// How much memory things hold, in bytes that were asked for.
enum Footprints {
  static func show() async throws {
    let pagers = held(1_000) { Pager(source: CountingSource()) }
    print("\(pagers) bytes an idle pager")
    let loaders = held(100) { ImageLoader(config: Pictures.config) }
    print("\(loaders) bytes an idle image loader")
    let config = PagingConfig(pageSize: 20, prefetchDistance: 0, initialLoadSize: 20)
    let pager = Pager(config: config, source: CountingSource())
    try await pager.load(.refresh).finished()
    let before = allocated_bytes()
    let pages = 10_000
    for _ in 0..<pages { try await pager.load(.append).finished() }
    let page = Int(allocated_bytes() - before) / pages
    print("\(page) bytes a page of 20 rows, which take \(20 * MemoryLayout<Row>.stride) themselves")
    print("\((page - 20 * MemoryLayout<Row>.stride) / 20) bytes a row beside the row itself")
  }

  private static func held<Object>(_ count: Int, _ make: () -> Object) -> Int {
    // What is set up once is there before.
    var objects = [make()]
    objects.reserveCapacity(count + 1)
    let before = allocated_bytes()
    for _ in 0..<count { objects.append(make()) }
    return withExtendedLifetime(objects) { Int(allocated_bytes() - before) / count }
  }
}

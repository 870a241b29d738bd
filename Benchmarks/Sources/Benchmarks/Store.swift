import Foundation
import Paging
import PagingStore
import Synchronization

/// An item as a feed has it, about 200 bytes of JSON.
struct Post: StoredItem, Equatable {
  var id: Int
  var author: String
  var text: String
  var likes: Int
  var isLiked = false

  init(_ id: Int) {
    self.id = id
    author = "Author \(id % 977)"
    text = "A post with the number \(id), and a text that is as long as those that people write: two lines on a screen."
    likes = id % 1_000
  }
}

/// A list of many rows in a file, against the same file read and written by bare statements.
struct Stores {
  private let store: ListStore
  private let list: StoredList<Post>
  /// The same list, of which the items of a page are encoded before it comes.
  private let ready: StoredList<Post>
  private let encoded = EncodedPosts()
  private let bare: BareStore
  private let count: Int
  private static let pageSize = 50

  static func run(entries count: Int) async throws -> [Measurement] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stores-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("lists.db")
    try fill(file, count)
    let copy = folder.appendingPathComponent("bare.db")
    try FileManager.default.copyItem(at: file, to: copy)
    var all = [try await opening(file, count)]
    let stores = try Stores(file, copy, count)
    all += try await stores.windows()
    all += try stores.merges()
    all.append(try stores.pending())
    return all
  }

  private init(_ file: URL, _ copy: URL, _ count: Int) throws {
    store = try ListStore(at: file)
    list = store.list("home", of: Post.self)
    var config = ListStoreConfig()
    config.coder = encoded.coder
    ready = try ListStore(at: file, config: config).list("home", of: Post.self)
    bare = BareStore(at: copy.path)
    self.count = count
  }

  /// The newest post has the ID 0, so that the list can grow below; every store is closed when this returns.
  private static func fill(_ file: URL, _ count: Int) throws {
    let store = try ListStore(at: file)
    let list = store.list("home", of: Post.self)
    for start in stride(from: 0, to: count, by: 1_000) {
      let posts = (start..<min(start + 1_000, count)).map { Post($0) }
      try list.apply(RemotePage(posts, olderToken: "from \(start + 1_000)"), for: try list.request(.olderThanAll))
    }
  }

  private static func opening(_ file: URL, _ count: Int) async throws -> Measurement {
    var times: [Double] = []
    for _ in 0..<15 {
      let start = ContinuousClock.now
      let store = try ListStore(at: file)
      let page = try await store.list("home", of: Post.self).pageSource().load(LoadParams(.refresh, loadSize: 100))
      times.append(Measure.nanoseconds(ContinuousClock.now - start))
      precondition(page.items.count == 100)
    }
    return Measurement(
      workload: "store opened with \(count) entries, first window", ours: Measure.median(times), asked: 50e6)
  }

  // MARK: Windows

  private func windows() async throws -> [Measurement] {
    let newest = try await window(at: [0])
    let oldest = try await window(at: [count - 67])
    let anywhere = try await window(at: (0..<301).map { _ in Int.random(in: 1_000..<count - 1_000) })
    return [
      Measurement(workload: "window of 100 rows, newest", ours: newest.ours, baseline: newest.baseline, asked: 1.3),
      Measurement(workload: "window of 100 rows, oldest", ours: oldest.ours, baseline: oldest.baseline, asked: 1.3),
      Measurement(
        workload: "window of 100 rows, anywhere", ours: anywhere.ours, baseline: anywhere.baseline, asked: 1.3),
      Measurement(workload: "window, oldest against newest", ours: oldest.ours, baseline: newest.ours, asked: 1.2),
    ]
  }

  /// Of windows around posts, each read by both in turn. 0 is the head.
  private func window(at ids: [Int]) async throws -> (ours: Double, baseline: Double) {
    let source = list.pageSource()
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for sample in 0..<301 {
      let id = ids[sample % ids.count]
      let row = try list.rowID(of: id)
      let key = id == 0 ? nil : row.flatMap { source.key(around: $0) }
      let position = bare.place(of: max(0, id - 33)).position
      let start = ContinuousClock.now
      let page = try await source.load(LoadParams(.refresh, key: key, loadSize: 100))
      let middle = ContinuousClock.now
      let posts = bare.posts(from: position, count: 100)
      let end = ContinuousClock.now
      precondition(posts.count == 100 && page.items.compactMap(\.item) == posts)
      guard sample >= 50 else { continue }
      times.ours.append(Measure.nanoseconds(middle - start))
      times.baseline.append(Measure.nanoseconds(end - middle))
    }
    return (Measure.median(times.ours), Measure.median(times.baseline))
  }

  // MARK: Pages

  private func merges() throws -> [Measurement] {
    var all: [Measurement] = []
    let (low, high) = (bare.place(of: count - 1).position, bare.place(of: 0).position)
    var (oldest, newest) = (count, 0)
    for (list, suffix) in [(ready, ""), (list, ", with their encoding")] {
      all.append(
        try merge("page of 50 new rows at the end" + suffix, into: list, .olderThanAll) {
          let ids = Array(oldest..<oldest + Self.pageSize)
          oldest += Self.pageSize
          return (ids, low - Int64(oldest - count) << 20)
        })
      all.append(
        try merge("page of 25 new rows over 25 known ones at the head" + suffix, into: list, .head) {
          newest -= 25
          return (Array(newest..<newest + Self.pageSize), high + Int64(-newest) << 20)
        })
    }
    return all
  }

  /// Of pages that are made each time anew, by both in turn. Where ours has to encode the items, so has the other.
  private func merge(
    _ name: String, into list: StoredList<Post>, _ kind: ListRequest<Post>.Kind,
    page: () -> (ids: [Int], position: Int64)
  ) throws -> Measurement {
    var known: [Int: BareStore.Place] = [:]
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for sample in 0..<301 {
      let (ids, position) = page()
      let posts = ids.map { Post($0) }
      for id in ids where known[id] == nil && bare.has(id) { known[id] = bare.place(of: id) }
      try encoded.prepare(posts)
      let prepared = try posts.map { (String($0.id), try encoded.bytes(of: $0), known[$0.id]) }
      let answer = RemotePage(posts, olderToken: "from \((ids.last ?? 0) + 1)")
      let request = try list.request(kind)
      let start = ContinuousClock.now
      let outcome = try list.apply(answer, for: request)
      let middle = ContinuousClock.now
      let rows = list === ready ? prepared : try posts.map { (String($0.id), try encoded.encode($0), known[$0.id]) }
      bare.upsert(rows, from: position)
      let end = ContinuousClock.now
      precondition(!outcome.wasStale && outcome.inserted == ids.count { known[$0] == nil }, "\(outcome)")
      guard sample >= 50 else { continue }
      times.ours.append(Measure.nanoseconds(middle - start))
      times.baseline.append(Measure.nanoseconds(end - middle))
    }
    return Measurement(
      workload: name, ours: Measure.median(times.ours), baseline: Measure.median(times.baseline), asked: 1.5)
  }

  // MARK: What is new

  private func pending() throws -> Measurement {
    var policy = ListPolicy()
    policy.freshness = .newItemsControl
    let waiting = store.list("home", of: Post.self, policy: policy)
    let posts = (1...150).map { Post(-1_000_000 + $0) } + [Post(-25 * 602)]
    try waiting.apply(RemotePage(posts), for: try waiting.request(.head))
    let time = Measure.median(samples: 301) {
      guard let pending = try? waiting.currentPendingCount(), pending.count == 100, pending.isLowerBound else {
        preconditionFailure("150 rows wait")
      }
    }
    return Measurement(workload: "pending count", ours: time, asked: 1e5)
  }
}

/// Posts that are encoded before they are asked for, as the baseline has them.
private final class EncodedPosts: Sendable {
  private let bytes = Mutex<[Int: Data]>([:])
  private let encoder = JSONEncoder()

  init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

  var coder: ItemCoder {
    ItemCoder(
      encode: { [self] in try bytes(of: $0) }, decode: { try JSONDecoder().decode($0, from: $1) })
  }

  func prepare(_ posts: [Post]) throws {
    let new = try Dictionary(uniqueKeysWithValues: posts.map { ($0.id, try encode($0)) })
    bytes.withLock { $0 = new }
  }

  func bytes(of value: any Encodable) throws -> Data {
    let prepared = (value as? Post).flatMap { post in bytes.withLock { $0[post.id] } }
    return try prepared ?? encode(value)
  }

  func encode(_ value: any Encodable) throws -> Data { try encoder.encode(value) }
}

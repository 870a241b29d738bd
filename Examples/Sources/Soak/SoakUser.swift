import Foundation
import ImageCodecs
import ImageLoading
import LoadingHTTP
import Paging
import PagingHTTP
import PagingStore

/// A row on screen, with its picture.
@MainActor final class Cell: ImageTarget {
  var imageBinding = ImageBinding()
  /// The picture that it should show.
  private(set) var number: Int?
  var onWrong: (String) -> Void = { _ in }

  func bind(_ post: Post?, loader: ImageLoader) {
    number = post?.picture
    let request = number.flatMap { URL(string: "https://soak.example/pictures/\($0)") }.map {
      ImageRequest($0, target: .fill(PixelSize(width: 16, height: 16)))
    }
    loader.load(request, into: self)
  }

  func show(_ content: ImageContent) {
    guard content.stage == .image, let image = content.image else { return }
    let color = image.withPixels { [UInt8]($0.prefix(3)) }
    if number == nil || color != Picture.color(number ?? 0) {
      onWrong("a row that shows picture \(number.map(String.init) ?? "none") was given one of colour \(color)")
    }
  }
}

/// An app's screen and its reader: a list over a store over the server, twelve rows with pictures, and whatever comes to mind.
@MainActor final class SoakUser {
  private let server: SoakServer
  private let folder: URL
  private var chance: Chance
  private var store: ListStore
  private var list: StoredList<Post>
  private var pager: StoredPager<Post>
  private var loader: ImageLoader
  private let cells = (0..<12).map { _ in Cell() }
  private var top = 0
  /// The likes that the server has not been told of, by row.
  private var likes: [Int: LocalEdit] = [:]
  private(set) var broken: [String] = []
  private(set) var done: [String: Int] = [:]

  init(server: SoakServer, folder: URL, seed: UInt64) throws {
    self.server = server
    self.folder = folder
    chance = Chance(seed: seed)
    (store, list, pager, loader) = try Self.open(server, folder)
    for cell in cells { cell.onWrong = { [weak self] in self?.broken.append($0) } }
  }

  private static func open(
    _ server: SoakServer, _ folder: URL
  ) throws -> (ListStore, StoredList<Post>, StoredPager<Post>, ImageLoader) {
    guard let url = URL(string: "https://soak.example/posts") else { throw HTTPError(.invalidURL, message: "No URL.") }
    var config = ListStoreConfig()
    config.maxItems = 2_000
    let store = try ListStore(at: folder.appending(path: "list.db"), config: config)
    let feed = HTTPPageSource(
      url, convention: .cursor({ (feed: Feed) in feed.next }, parameter: "below", size: "limit"), transport: server,
      items: { $0.posts })
    let list = store.list("home", remote: feed)
    var images = ImageLoaderConfig()
    images.diskFolder = folder.appending(path: "pictures")
    // So little that pictures go out of memory and off the disk all the time.
    images.maxMemoryBytes = 20 << 10
    images.maxMemoryShareOfEntry = 0.5
    images.maxDiskBytes = 64 << 10
    images.failureLifetime = .milliseconds(500)
    images.maxFetchesPerSecond = nil
    let pager = list.pager(config: try PagingConfig(pageSize: 20, prefetchDistance: 20, maxSize: 120))
    return (store, list, pager, ImageLoader(config: images, transport: server))
  }

  // MARK: What a user does

  func step() async throws {
    look()
    switch chance.below(1000) {
    case 0..<600: scroll(by: chance.below(9) - 3)
    case 600..<640: scroll(by: 200)
    case 640..<670: scroll(by: -200)
    case 670..<720: count("refresh") { pager.refresh(from: chance.happens(perMille: 500) ? .start : .anchor) }
    case 720..<780: count("retry") { pager.retry() }
    case 780..<830: try like()
    case 830..<870: try send()
    case 870..<900: try await fillGap()
    case 900..<910:
      done["jump to the newest", default: 0] += 1
      try list.jumpToNewest()
    case 910..<940: publish()
    case 940..<950: deleteSomething()
    case 950..<960: server.set([.fair, .fair, .fair, .rough, .rough, .none][chance.below(6)])
    case 960..<965: count("trim memory") { loader.trimMemory(.critical) }
    case 965..<970:
      done["sweep", default: 0] += 1
      try await store.sweep()
    case 970..<990: try await settle()
    case 990..<993: try await restart()
    default: break
    }
  }

  private func count(_ what: String, _ act: () -> Void) {
    done[what, default: 0] += 1
    act()
  }

  private func scroll(by rows: Int) {
    top = max(0, min(top + rows, pager.snapshot.count - cells.count))
    look()
  }

  /// The screen as it is drawn: rows are told to the pager, and checked, and their pictures asked for.
  private func look() {
    let snapshot = pager.snapshot
    broken += faults(of: snapshot)
    top = max(0, min(top, snapshot.count - cells.count))
    let visible = top..<min(top + cells.count, snapshot.count)
    pager.viewportChanged(to: visible, of: snapshot)
    for (cell, index) in zip(cells, visible) {
      let post = snapshot[index].item?.item
      if cell.number != post?.picture { cell.bind(post, loader: loader) }
    }
  }

  private func like() throws {
    let posts = pager.snapshot.items.compactMap(\.item).filter { !$0.isLiked && likes[$0.id] == nil }
    guard likes.count < 50, !posts.isEmpty else { return }
    let post = posts[chance.below(posts.count)]
    done["like", default: 0] += 1
    likes[post.id] = try store.edit(post.id, of: Post.self, intent: "like") { $0.isLiked = true }
    if try store.item(post.id, of: Post.self)?.isLiked != true { broken.append("a like of \(post.id) doesn't show") }
  }

  private func send() throws {
    guard let (id, edit) = likes.min(by: { $0.value.id < $1.value.id }) else { return }
    done["like sent", default: 0] += 1
    guard server.content.isThere(id) else {
      try edit.rollback()
      likes[id] = nil
      return
    }
    let sending = try edit.markSending()
    if chance.happens(perMille: 200) {
      likes[id] = try sending.fail()
      return
    }
    server.change {
      $0.liked.insert(id)
      $0.editions[id, default: 1] += 1
    }
    try sending.confirm(as: server.content.post(id))
    likes[id] = nil
  }

  private func fillGap() async throws {
    guard let gap = pager.snapshot.items.lazy.compactMap(\.gap).first(where: { !$0.fillableSides.isEmpty }) else {
      return
    }
    done["fill a gap", default: 0] += 1
    // What the server answers is the server's business here; that a gap is gone since is the list's.
    _ = try? await list.fill(gap, from: gap.fillableSides[chance.below(gap.fillableSides.count)])
  }

  private func publish() {
    let count = 1 + chance.below(60)
    done["publish", default: 0] += 1
    server.change { content in
      content.newest += count
      // A server that forgets: 1,200 posts at most.
      content.oldest = max(content.oldest, content.newest - 1_199)
      let oldest = content.oldest
      content.deleted = content.deleted.filter { $0 >= oldest }
      content.liked = content.liked.filter { $0 >= oldest }
      content.editions = content.editions.filter { $0.key >= oldest }
    }
  }

  private func deleteSomething() {
    let id = server.content.newest - chance.below(200)
    done["delete", default: 0] += 1
    server.change { _ = $0.deleted.insert(id) }
  }

  private func settle() async throws {
    done["settle", default: 0] += 1
    await pager.settled()
    look()
  }

  /// The app ends in the middle of whatever it does, and starts again.
  func restart() async throws {
    done["restart", default: 0] += 1
    for cell in cells { cell.bind(nil, loader: loader) }
    pager.close()
    loader.close()
    (store, list, pager, loader) = try Self.open(server, folder)
    let pending = Dictionary(try store.pendingEdits().map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    for (id, edit) in likes {
      guard let kept = pending[edit.id] else {
        broken.append("a like of \(id) is lost after a restart")
        continue
      }
      likes[id] = kept
    }
    top = chance.below(40)
  }

  // MARK: What always holds

  private func faults(of snapshot: PagingSnapshot<ListRow<Post>>) -> [String] {
    var faults: [String] = []
    let content = server.content
    var above: Int?
    var seen: Set<Int> = []
    for row in snapshot.items {
      guard let post = row.item else {
        above = nil
        continue
      }
      if !seen.insert(post.id).inserted { faults.append("row \(post.id) is there twice") }
      if post.text != Post.text(id: post.id, edition: post.edition) {
        faults.append("row \(post.id) of edition \(post.edition) says '\(post.text)'")
      }
      if post.edition > content.editions[post.id] ?? 1, content.isThere(post.id) {
        faults.append("row \(post.id) is of edition \(post.edition), which never was")
      }
      if let above, above <= post.id { faults.append("row \(post.id) is below row \(above)") }
      if let above, let hidden = (post.id + 1..<max(post.id + 1, above)).first(where: content.isThere) {
        faults.append("row \(hidden) is missing between \(above) and \(post.id), and no gap is shown")
      }
      above = post.id
    }
    return faults
  }

  /// With a connection, all gaps filled: what is stored is what the server has.
  func finish() async throws {
    server.set(.calm)
    for id in Array(likes.keys) {
      try likes[id]?.rollback()
      likes[id] = nil
    }
    var missing: [Int] = []
    for _ in 0..<20 {
      try? await pager.refresh(from: .start).finished()
      await scrollToEnd()
      while let gap = try await rows().lazy.compactMap(\.gap).first(where: { !$0.fillableSides.isEmpty }) {
        try await list.fill(gap, from: gap.fillableSides[0])
      }
      let stored = Set(try await rows().compactMap { $0.item?.id })
      let content = server.content
      missing = (content.oldest...content.newest).filter { content.isThere($0) && !stored.contains($0) }
      if missing.isEmpty { break }
    }
    if let first = missing.last { broken.append("\(missing.count) rows are not there in the end, such as \(first)") }
    for cell in cells { cell.bind(nil, loader: loader) }
    pager.close()
    loader.close()
  }

  private func scrollToEnd() async {
    for _ in 0..<200 {
      top = pager.snapshot.count
      look()
      if pager.snapshot.states.append.failure != nil { pager.retry() }
      await pager.settled()
      if pager.snapshot.states.append.isAtEnd { return }
    }
  }

  private func rows() async throws -> [ListRow<Post>] {
    try await list.pageSource().load(LoadParams(.refresh, loadSize: 5_000)).items
  }
}

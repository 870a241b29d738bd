import Foundation
import Loading
import PagingCache

@main struct PagesByKey {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pages-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }

    print("With callbacks:")
    await withCallbacks(try paginator(folder))

    print("The next start, async:")
    try await pages(paginator(folder))
  }

  static func report(_ statistics: PaginatorStatistics) {
    print("memory: \(statistics.memory.hits) hits; disk: \(statistics.disk.hits) hits; loads: \(statistics.loads)")
  }

  /// Pages in memory and on disk; one folder outlives the paginators.
  static func paginator(_ folder: URL) throws -> Paginator<Post> {
    var config = PaginatorConfig()
    config.memory = .lru + .maxCount(100)
    config.servesStaleOnFailure = true
    let disk = BlobPaginatorStore<Post>(try BlobStore(at: folder))
    return Paginator(config: config, store: disk, source: PostServer())
  }

  @MainActor static func withCallbacks(_ paginator: Paginator<Post>) async {
    let controller = LegacyController(paginator: paginator)
    await withCheckedContinuation { shown in controller.open { shown.resume() } }
    print("shown: \(controller.shown.first?.title ?? "nothing") and \(controller.shown.count - 1) more")
    await withCheckedContinuation { around in controller.lookAround { around.resume() } }
    report(paginator.statistics)

    controller.open { print("never called") }
    // After this has returned on the main actor no callback comes.
    controller.close()
  }

  static func pages(_ paginator: Paginator<Post>) async throws {
    let page = try await paginator.fetch("5", pageSize: 20)
    print("page 5: \(page.items.count) posts, \(page.isStale ? "stale" : "fresh")")
    for await delivery in paginator.fetchAround(AroundRequest("5", pageSize: 20, depth: 3, direction: .forward)) {
      switch delivery.result {
      case .success(let page): print("page \(delivery.key): \(page.items.count) posts")
      case .failure(let error): print("page \(delivery.key): \(error.code.rawValue)")
      }
    }
    do {
      _ = try await paginator.fetch("12", pageSize: 20)
    } catch let error as PaginatorError {
      print(error.message)
    }
    report(paginator.statistics)
  }
}

import Foundation
import Loading
import PagingTesting
import Testing

@testable import PagingCache

@Suite(.timeLimit(.minutes(10))) struct BlobPaginatorStoreTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "PagingCacheTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func theStoreKeepsWhatAPaginatorReliesOn() async throws {
    try await withFolder { folder in
      let report = await PaginatorStoreVerifier(isPersistent: true, makeItem: { SampleItem(id: $0) }) {
        BlobPaginatorStore(try BlobStore(at: folder))
      }.verify()
      #expect(report.isClean, "\(report)")
      #expect(report.skipped.isEmpty)
    }
  }

  @Test func aDamagedPageReadsAsAbsentAndIsLoadedAnew() async throws {
    try await withFolder { folder in
      let blobs = try BlobStore(at: folder)
      let kit = Kit()
      let store = BlobPaginatorStore<SampleItem>(blobs)
      _ = try await Paginator(store: store, source: kit.source).fetch("5", pageSize: 3)
      try blobs.write(Data("[{\"pageSize\":3,".utf8), for: "page/5")
      _ = try await Paginator(store: store, source: kit.source).fetch("5", pageSize: 3)
      _ = try await Paginator(store: store, source: kit.source).fetch("5", pageSize: 3)
      #expect(kit.source.keys == ["5", "5"], "the third found what the second had saved again")
    }
  }

  @Test func ofOneKeyTheLastEightPagesAreKept() async throws {
    try await withFolder { folder in
      let store = BlobPaginatorStore<SampleItem>(try BlobStore(at: folder))
      for size in 1...9 {
        try await store.save(SamplePage(key: "5", items: []), for: PaginatorRequest("5", pageSize: size))
      }
      #expect(try await store.page(for: PaginatorRequest("5", pageSize: 1)) == nil)
      #expect(try await store.page(for: PaginatorRequest("5", pageSize: 2)) != nil)
    }
  }

  @Test func prefixesKeepPaginatorsApart() async throws {
    try await withFolder { folder in
      let blobs = try BlobStore(at: folder)
      let request = PaginatorRequest("5", pageSize: 3)
      try await BlobPaginatorStore<SampleItem>(blobs, prefix: "a/").save(SamplePage(key: "5", items: []), for: request)
      #expect(try await BlobPaginatorStore<SampleItem>(blobs, prefix: "b/").page(for: request) == nil)
    }
  }
}

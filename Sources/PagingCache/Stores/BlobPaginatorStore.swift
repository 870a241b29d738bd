public import Loading
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps a paginator's pages as JSON in a blob store, which says how many there may be and which leaves first.
///
/// A key's pages, of every size and identity, share one blob; of one key the last eight are kept. What can't be
/// decoded, since it was damaged or the item's type has changed, reads as absent. Other things may be kept in the same
/// blob store as long as their keys don't begin with this store's prefix; ``removeAll()`` empties all of it.
///
/// Every call blocks a thread for the time of a small read or write.
public final class BlobPaginatorStore<Item: Codable & Sendable>: PaginatorStore {
  private struct Entry: Codable {
    let pageSize: Int
    let cacheIdentity: String
    let page: PaginatorPage<Item>

    func isOf(_ request: PaginatorRequest) -> Bool {
      pageSize == request.pageSize && cacheIdentity == request.cacheIdentity
    }
  }

  private static var maxPagesOfOneKey: Int { 8 }

  private let blobs: BlobStore
  private let prefix: String
  /// One change at a time, so that two pages of one key don't overwrite each other.
  private let changing = Mutex(())

  /// A store in a folder of blobs.
  ///
  /// - Parameters:
  ///   - blobs: Where the pages are kept.
  ///   - prefix: What the keys of the blobs begin with: stores of several paginators in one folder need different ones.
  public init(_ blobs: BlobStore, prefix: String = "page/") {
    self.blobs = blobs
    self.prefix = prefix
  }

  /// The page that was saved last for an equal request; nil where there is none, or none that can be decoded.
  ///
  /// - Throws: `LoadingError` where the disk fails.
  @concurrent public func page(for request: PaginatorRequest) async throws -> PaginatorPage<Item>? {
    try entries(of: request.key).last { $0.isOf(request) }?.page
  }

  /// Keeps a page in place of the request's earlier one.
  ///
  /// - Throws: `LoadingError` where the disk fails or is full, or the page is too large; `EncodingError`.
  @concurrent public func save(_ page: PaginatorPage<Item>, for request: PaginatorRequest) async throws {
    let entry = Entry(pageSize: request.pageSize, cacheIdentity: request.cacheIdentity, page: page)
    try change(request.key) { entries in
      entries.removeAll { $0.isOf(request) }
      entries.append(entry)
      entries.removeFirst(max(0, entries.count - Self.maxPagesOfOneKey))
    }
  }

  /// Lets one page go.
  ///
  /// - Throws: `LoadingError` where the disk fails.
  @concurrent public func remove(_ request: PaginatorRequest) async throws {
    try change(request.key) { entries in entries.removeAll { $0.isOf(request) } }
  }

  /// Lets a key's pages go.
  ///
  /// - Throws: `LoadingError` where the disk fails.
  @concurrent public func removePages(ofKey key: String) async throws {
    try changing.withLock { _ in try blobs.remove(prefix + key) }
  }

  /// Empties the blob store.
  ///
  /// - Throws: `LoadingError` where the disk fails.
  @concurrent public func removeAll() async throws {
    try changing.withLock { _ in try blobs.removeAll() }
  }

  private func entries(of key: String) throws -> [Entry] {
    guard let data = try blobs.data(for: prefix + key) else { return [] }
    return (try? JSONDecoder().decode([Entry].self, from: data)) ?? []
  }

  private func change(_ key: String, _ change: (inout [Entry]) -> Void) throws {
    try changing.withLock { _ in
      // What can't be read is replaced.
      var entries = (try? entries(of: key)) ?? []
      change(&entries)
      if entries.isEmpty {
        try blobs.remove(prefix + key)
      } else {
        try blobs.write(try JSONEncoder().encode(entries), for: prefix + key)
      }
    }
  }
}

import Paging
import PagingStore
import PagingTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of a remote verifier.
struct RemoteTrial<Remote: PageSource>
where Remote.Item: StoredItem & Equatable, Remote.Key: Codable {
  typealias Item = Remote.Item

  let remote: Remote
  let policy: ListPolicy
  let config: ListStoreConfig
  let pageSize: Int
  let maxPages: Int
  var report: VerifierReport
  /// The list from its start on.
  private(set) var rows: [Item] = []

  init(
    remote: Remote, policy: ListPolicy, config: ListStoreConfig, pageSize: Int, maxPages: Int, report: VerifierReport
  ) {
    self.remote = remote
    self.policy = policy
    self.config = config
    self.pageSize = pageSize
    self.maxPages = maxPages
    self.report = report
  }

  mutating func checkKeys() async {
    report.begin(.remoteKeys)
    do {
      var params = LoadParams<Remote.Key>(.refresh, loadSize: pageSize)
      for _ in 0..<maxPages {
        let page = try await remote.load(params)
        rows += page.items
        check(page.previousKey, "previous key")
        check(page.nextKey, "next key")
        for item in page.items { check(remote.key(around: item.id), "key around \(item.id)") }
        guard let next = page.nextKey else { return }
        params = LoadParams(.append, key: next, loadSize: pageSize)
      }
    } catch {
      report.fail(.remoteKeys, "A load that went well before threw \(error).")
    }
  }

  private mutating func check(_ key: Remote.Key?, _ what: String) {
    guard let key else { return }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let bytes = try encoder.encode(key)
      let back = try JSONDecoder().decode(Remote.Key.self, from: bytes)
      guard back == key, try encoder.encode(back) == bytes else {
        return report.fail(
          .remoteKeys,
          "The \(what) \(key) is \(back) after it was kept as \(String(decoding: bytes, as: UTF8.self)): encode all of a key."
        )
      }
    } catch {
      report.fail(.remoteKeys, "The \(what) \(key) can't be kept as JSON: \(error).")
    }
  }

  /// Fills the beginning of a list, opens it again, and fills the rest.
  mutating func checkList() async {
    // A list of IDs comes whole, and a ranked one may be another one each time.
    guard policy.order == .cursor || policy.order == .keyed else {
      report.skip(.remoteList)
      return report.skip(.remoteReopened)
    }
    report.begin(.remoteList)
    let file = FileManager.default.temporaryDirectory.appending(path: "verified-\(UUID().uuidString).db")
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path(percentEncoded: false) + suffix)
      }
    }
    do {
      let beginning = try await read(at: file, upTo: 1)
      guard beginning == Array(rows.prefix(beginning.count)) else {
        return report.fail(.remoteList, Self.difference(beginning, rows, "A list that is filled from the source"))
      }
      report.begin(.remoteReopened)
      let whole = try await read(at: file, upTo: .max)
      guard whole != rows else { return }
      report.fail(.remoteReopened, Self.difference(whole, rows, "A list that was opened again and read to its end"))
    } catch {
      report.fail(.remoteList, "A list that is filled from the source threw \(error).")
    }
  }

  /// What is in a list when it was scrolled down so far.
  private func read(at file: URL, upTo count: Int) async throws -> [Item] {
    let list = try ListStore(at: file, config: config).list("verified", policy: policy, remote: remote)
    _ = try await list.pager(config: PagingConfig(pageSize: pageSize, initialLoadSize: pageSize)).collectRows {
      scroll in
      var seen: Set<Item.ID> = []
      try await scroll.append { row in
        if let item = row.item { seen.insert(item.id) }
        return seen.count < count
      }
    }
    return try await list.pageSource().load(LoadParams(.refresh, loadSize: 100_000)).items.compactMap(\.item)
  }

  private static func difference(_ shown: [Item], _ rows: [Item], _ what: String) -> String {
    let place = zip(shown, rows).enumerated().first { $1.0 != $1.1 }
    let detail =
      place.map { "row \($0.offset) is \($0.element.0), and the source's is \($0.element.1)" }
      ?? "\(shown.count) rows are there, and the source has \(rows.count)"
    return "\(what) shows other rows than it has: \(detail)."
  }
}

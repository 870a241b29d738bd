public import Paging
public import PagingStore
public import PagingTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks the page source that a stored list is to be filled from, and says what is broken and which load shows it.
///
/// ```swift
/// let report = await RemoteVerifier { FeedSource(api: FakeAPI(posts: 40)) }.verify()
/// #expect(report.isClean, "\(report)")
/// ```
///
/// It makes all checks of a `PageSourceVerifier`, then those of a store: the source's keys are kept on disk as JSON, its items as the
/// coder writes them, and a list that is opened again goes on from both. Give it a list of a few dozen rows that nobody changes
/// meanwhile. It writes one file in the temporary folder, and deletes it.
public struct RemoteVerifier<Remote: PageSource>: Sendable
where Remote.Item: StoredItem & Equatable, Remote.Key: Codable {
  private let makeRemote: @Sendable () -> Remote
  private let policy: ListPolicy
  private let config: ListStoreConfig
  private let pageSize: Int
  private let maxPages: Int
  private let patience: Duration

  /// A verifier of the sources that `makeRemote` makes, all of the same list.
  ///
  /// - Parameters:
  ///   - policy: What kind of list it fills.
  ///   - config: How the app's store works.
  ///   - pageSize: Rows asked for in a load. At least 1; default 5.
  ///   - maxPages: How many pages the list may have at that size; default 100.
  ///   - patience: How long one load may take; default ten seconds.
  ///   - makeRemote: Makes a source.
  public init(
    policy: ListPolicy = ListPolicy(), config: ListStoreConfig = ListStoreConfig(), pageSize: Int = 5,
    maxPages: Int = 100, patience: Duration = .seconds(10), makeRemote: @escaping @Sendable () -> Remote
  ) {
    self.makeRemote = makeRemote
    self.policy = policy
    self.config = config
    self.pageSize = max(1, pageSize)
    self.maxPages = max(1, maxPages)
    self.patience = patience
  }

  /// Makes all checks, one after the other. Where the source itself is broken, those of the store are left out.
  public func verify() async -> VerifierReport {
    var report = await PageSourceVerifier(
      pageSize: pageSize, maxPages: maxPages, patience: patience, makeSource: makeRemote
    ).verify()
    guard report.isClean else {
      for check in [VerifierCheck.remoteKeys, .remoteList, .remoteReopened] { report.skip(check) }
      return report
    }
    var trial = RemoteTrial(
      remote: makeRemote(), policy: policy, config: config, pageSize: pageSize, maxPages: maxPages, report: report)
    await trial.checkKeys()
    if trial.rows.count > 1 {
      trial.report.add(await StoredItemVerifier(trial.rows, order: policy.order, config: config).verify())
    }
    if trial.report.isClean { await trial.checkList() }
    return trial.report
  }
}

extension VerifierCheck {
  // MARK: - Remotes of stored lists

  /// Keys are the same after they were kept on disk.
  public static let remoteKeys = VerifierCheck(rawValue: "remoteKeys")
  /// A stored list that is filled from the source has its rows, in its order.
  public static let remoteList = VerifierCheck(rawValue: "remoteList")
  /// A list that is opened again goes on where it was left.
  public static let remoteReopened = VerifierCheck(rawValue: "remoteReopened")
}

/// One run of a remote verifier.
private struct RemoteTrial<Remote: PageSource>
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

  /// Fills a list half, opens it again, and fills the rest.
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
      let half = try await read(at: file, upTo: max(1, rows.count / 2))
      guard half == Array(rows.prefix(half.count)) else {
        return report.fail(.remoteList, Self.difference(half, rows, "A list that is filled from the source"))
      }
      report.begin(.remoteReopened)
      let whole = try await read(at: file, upTo: .max)
      guard whole != rows else { return }
      report.fail(.remoteReopened, Self.difference(whole, rows, "A list that was opened again and read to its end"))
    } catch {
      report.fail(.remoteList, "A list that is filled from the source threw \(error).")
    }
  }

  /// What a list shows when it was scrolled down so far.
  private func read(at file: URL, upTo count: Int) async throws -> [Item] {
    let list = try ListStore(at: file, config: config).list("verified", policy: policy, remote: remote)
    let size = PagingConfig(pageSize: pageSize, prefetchDistance: 0, initialLoadSize: pageSize)
    let pager = list.pager(config: size)
    let shown = try await pager.collectRows { scroll in
      try await scroll.append { _ in pager.snapshot.count < count }
    }
    return shown.compactMap(\.item)
  }

  private static func difference(_ shown: [Item], _ rows: [Item], _ what: String) -> String {
    let place = zip(shown, rows).enumerated().first { $1.0 != $1.1 }
    let detail =
      place.map { "row \($0.offset) is \($0.element.0), and the source's is \($0.element.1)" }
      ?? "\(shown.count) rows are there, and the source has \(rows.count)"
    return "\(what) shows other rows than it has: \(detail)."
  }
}

import Paging

/// A page source whose loads, or the requests that they make, are in a trace. Without a trace it does nothing of its
/// own.
struct TracedSource<Base: PageSource>: PageSource {
  private let base: Base
  private let process: TraceProcess?
  private let isWalked: Bool

  /// `base` in that process of a trace; `isWalked`: no pager tells of its loads, so this does.
  init(_ base: Base, in process: TraceProcess?, isWalked: Bool) {
    self.base = base
    self.process = process
    self.isWalked = isWalked
  }

  @concurrent func load(_ params: LoadParams<Base.Key>) async throws -> Page<Base.Key, Base.Item> {
    guard let process else { return try await base.load(params) }
    return try await Tracing.$loadType.withValue(params.type) {
      guard isWalked else { return try await base.load(params) }
      let slice = process.begin(params.type == .refresh ? "first page" : "next page", on: .walk, "load")
      do {
        let page = try await base.load(params)
        process.end(slice, ["outcome": "ok", "rows": .number(page.items.count)])
        return page
      } catch {
        process.end(slice, ["outcome": .text(error is CancellationError ? "cancelled" : "failed")])
        throw error
      }
    }
  }

  func refreshKey(for state: PagingState<Base.Key, Base.Item>) -> Base.Key? { base.refreshKey(for: state) }
  func changes() -> AsyncStream<SourceChange<Base.Item>>? { base.changes() }
  func survivor(of anchor: Base.Item, among candidates: [Base.Item]) -> Base.Item? {
    base.survivor(of: anchor, among: candidates)
  }
  var keyKind: KeyKind { base.keyKind }
  func key(forIndex index: Int) -> Base.Key? { base.key(forIndex: index) }
  func key(around id: Base.Item.ID) -> Base.Key? { base.key(around: id) }
  var recoveryKey: Base.Key? { base.recoveryKey }
  var allowsRepeatedKeys: Bool { base.allowsRepeatedKeys }
}

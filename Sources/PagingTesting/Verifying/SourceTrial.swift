import Paging

/// One run of a source verifier: the list as it was walked, and what was found.
struct SourceTrial<Source: PageSource>: Sendable {
  typealias Key = Source.Key
  typealias Params = LoadParams<Key>
  typealias SourcePage = Page<Key, Source.Item>
  typealias ID = Source.Item.ID

  /// A page of the list.
  struct Step: Sendable {
    let params: Params
    let page: SourcePage
    /// The place of its first row in the list.
    var start = 0

    var ids: [ID] { page.items.map(\.id) }
  }

  let makeSource: @Sendable () -> Source
  let pageSize: Int
  let maxPages: Int
  let patience: Patience
  var findings = Findings()
  /// The source that was walked.
  let source: Source
  /// The pages, in list order.
  var steps: [Step] = []
  /// The IDs of all rows.
  var list: [ID] = []

  init(makeSource: @escaping @Sendable () -> Source, pageSize: Int, maxPages: Int, patience: Patience) {
    self.makeSource = makeSource
    self.pageSize = pageSize
    self.maxPages = maxPages
    self.patience = patience
    source = makeSource()
  }

  /// The steps that hold rows.
  var filled: [Step] { steps.filter { !$0.page.items.isEmpty } }

  /// What a pager asks for first.
  var firstParams: Params { Params(.refresh, loadSize: pageSize) }

  // MARK: - Loading

  func load(_ params: Params, from source: Source) async throws -> SourcePage {
    try await patience.wait { try await source.load(params) }
  }

  /// Loads a page for a check; nil where that fails, which is then noted.
  mutating func page(_ params: Params, from source: Source, in check: VerifierCheck) async -> SourcePage? {
    guard !findings.isOver else { return nil }
    do {
      return try await load(params, from: source)
    } catch {
      findings.threw(error, text(params), in: check)
      return nil
    }
  }

  // MARK: - Comparing

  /// What tells rows from those of the list from `start` on; nil where nothing does.
  func mismatch(_ ids: [ID], at start: Int) -> String? {
    for (offset, id) in ids.enumerated() {
      let place = start + offset
      guard list.indices.contains(place) else {
        return "row \(offset) of it, \(id), stands where the list has no rows"
      }
      if list[place] != id { return "row \(offset) of it is \(id), and row \(place) of the list is \(list[place])" }
    }
    return nil
  }

  /// What tells a page from the same page as it was walked; nil where nothing does.
  func mismatch(_ page: SourcePage, _ step: Step) -> String? {
    let ids = page.items.map(\.id)
    if ids == step.ids { return nil }
    return "\(ids.count) rows \(sketch(ids)) in place of \(step.ids.count) rows \(sketch(step.ids))"
  }

  /// A few of all indices, the first and the last among them.
  func sample(_ count: Int, _ most: Int) -> [Int] {
    guard count > most else { return Array(0..<max(0, count)) }
    return (0..<most).map { $0 * (count - 1) / (most - 1) }
  }

  // MARK: - Text

  func text(_ params: Params) -> String {
    let key = params.key.map { "\($0)" } ?? "nil"
    return "\(params.type)(key: \(key), loadSize: \(params.loadSize))"
  }

  func sketch(_ ids: [ID]) -> String {
    let shown = ids.prefix(5).map { "\($0)" }.joined(separator: ", ")
    return ids.count > 5 ? "[\(shown), …]" : "[\(shown)]"
  }
}

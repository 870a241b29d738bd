/// A source for a server that is told what to leave out, where somebody else remembers what was shown.
///
/// A ranking without sessions gives the best rows that weren't shown. Who keeps the shown ones on disk hands them over
/// here, so that what was seen before a restart does not come again.
public protocol ExcludingSource<Key, Item>: PageSource {
  /// Whether the server takes a list of what to leave out; default true.
  var takesExclusions: Bool { get }

  /// Loads the best rows that are not among `shown`.
  ///
  /// Starts off the main actor, unless the source isolates itself. It must not block its thread.
  ///
  /// - Parameters:
  ///   - shown: What was shown, the latest last.
  ///   - params: As for ``PageSource/load(_:)``; a nil key begins the list.
  /// - Returns: The rows. A nil ``Page/nextKey`` ends the list.
  /// - Throws: As ``PageSource/load(_:)``.
  @concurrent func load(excluding shown: [Item.ID], _ params: LoadParams<Key>) async throws -> Page<Key, Item>
}

extension ExcludingSource {
  /// It does.
  public var takesExclusions: Bool { true }
}

extension RankedPageSource: ExcludingSource {
  /// Whether it was made with `excluding`.
  public var takesExclusions: Bool {
    if case .takesExclusions = server { true } else { false }
  }

  /// Calls the closure with what the caller remembers instead of what this source was asked for before.
  ///
  /// An answer with no row ends the list. A source that keeps sessions loads its page as ever.
  @concurrent public func load(
    excluding shown: [Item.ID], _ params: LoadParams<RankedKey>
  ) async throws -> Page<RankedKey, Item> {
    guard case .takesExclusions(let load) = server else { return try await self.load(params) }
    var asked = params
    asked.key = params.key?.bare
    asked.type = asked.key == nil ? .refresh : .append
    let items = try await load(shown, asked)
    let offset = (asked.key?.offset ?? 0).offset(by: items.count)
    return Page(items, nextKey: items.isEmpty ? nil : RankedKey(session: nil, offset: offset))
  }
}

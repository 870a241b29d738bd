/// Where a walk stands: which page comes next, and whether going on makes sense.
struct WalkState<Key: Hashable & Sendable>: Sendable {
  /// How many pages in a row may be empty.
  static var emptyPageBudget: Int { 8 }

  private enum Place {
    case start(Key?)
    case after(Key)
    case refused(Key, PagingError)
    case end
  }

  private let pageSize: Int
  private let allowsRepeatedKeys: Bool
  private var place: Place
  private var pagesLeft: Int?
  private var emptyPages = 0
  private var keys: CycleGuard<Key>

  init(from key: Key?, pageSize: Int, maxPages: Int?, allowsRepeatedKeys: Bool) {
    self.pageSize = pageSize
    self.allowsRepeatedKeys = allowsRepeatedKeys
    place = .start(key)
    pagesLeft = maxPages
    keys = CycleGuard(startingFrom: key)
  }

  /// What to load next; nil at the end. Throws where the next key leads nowhere, and is at the end from then on.
  mutating func nextLoad() throws(PageWalkFailure<Key>) -> LoadParams<Key>? {
    if pagesLeft == 0 { return nil }
    switch place {
    case .start(let key):
      return LoadParams(.refresh, key: key, loadSize: pageSize, placeholdersEnabled: false)
    case .after(let key):
      return LoadParams(.append, key: key, loadSize: pageSize, placeholdersEnabled: false)
    case .refused(let key, let error):
      place = .end
      throw PageWalkFailure(resumeKey: key, cause: error)
    case .end:
      return nil
    }
  }

  /// The page that was to be loaded came.
  mutating func pageLoaded(isEmpty: Bool, nextKey: Key?) {
    pagesLeft = pagesLeft.map { $0 - 1 }
    emptyPages = isEmpty ? emptyPages + 1 : 0
    guard let nextKey else {
      place = .end
      return
    }
    if !allowsRepeatedKeys, keys.keyCame(nextKey) {
      place = .refused(nextKey, Self.keyCycle)
    } else if emptyPages >= Self.emptyPageBudget {
      place = .refused(nextKey, Self.tooManyEmptyPages)
    } else {
      place = .after(nextKey)
    }
  }

  /// The page that was to be loaded did not come: the walk is over.
  mutating func loadFailed() {
    place = .end
  }

  private static var keyCycle: PagingError {
    PagingError(
      .keyCycle,
      message: "The source's keys go round: a next key came that had been used before. "
        + "Mend the source, or set allowsRepeatedKeys if its keys may rightly come again.")
  }

  private static var tooManyEmptyPages: PagingError {
    PagingError(
      .emptyPages,
      message: "\(emptyPageBudget) pages in a row were empty and each named a next one. "
        + "Mend the source, or walk on from resumeKey.")
  }
}

/// A stored list as those who ask its remote see it: what is known, what to ask with, and what becomes of answers.
///
/// Every call is one transaction, and blocks for as long as that takes.
protocol MediatedList<Item>: Sendable {
  /// One row's data.
  associatedtype Item: StoredItem

  /// The runs and how their edges stand.
  func facts() throws(ListStoreError) -> ListFacts
  /// The row at an edge with some of its neighbours inside the run; nil: the run is gone or holds no row.
  func rows(at edge: EdgeName) throws(ListStoreError) -> EdgeRows<Item>?
  /// How many rows stand above an item, at most `limit`; nil: it is no row of the list.
  func depth(of id: Item.ID, limit: Int) throws(ListStoreError) -> Int?
  /// Which of these items are rows of the list, or were shown by a ranked list that shows nothing twice.
  func known(_ ids: [Item.ID]) throws(ListStoreError) -> Set<Item.ID>
  /// What a ranked list has shown, the latest last; empty for every other.
  func shown() throws(ListStoreError) -> [Item.ID]

  /// What is known of the list now, for an answer about its newest rows or those around an item.
  func request(_ kind: ListRequest<Item>.Kind) throws(ListStoreError) -> ListRequest<Item>
  /// What is known of an edge now; nil: its run is gone.
  func request(at edge: EdgeName) throws(ListStoreError) -> ListRequest<Item>?
  /// Merges an answer.
  func merge(_ page: RemotePage<Item>, for request: ListRequest<Item>) throws(ListStoreError) -> MergeOutcome
  /// Puts a page, or several that were gathered into one, in the place of all rows, in one step.
  func supplant(with page: RemotePage<Item>, for request: ListRequest<Item>) throws(ListStoreError) -> MergeOutcome
  /// Puts a list of IDs in the place of all rows, in one step; rows whose items are stored show them.
  func supplant(withIDs ids: [Item.ID], for request: ListRequest<Item>) throws(ListStoreError)
  /// Drops all runs below one.
  func discard(below run: Int64) throws(ListStoreError)

  /// The remote refused the token that the request was made with: it isn't used again. Nothing happens where the edge
  /// has changed.
  func refuse(_ request: ListRequest<Item>) throws(ListStoreError)
  /// Nothing leads on from the edge that the request was made at. Nothing happens where the edge has changed.
  func kill(_ request: ListRequest<Item>) throws(ListStoreError)

  /// Where the remote's log of changes was read up to; nil: it wasn't read yet.
  func changeToken() throws(ListStoreError) -> String?
  /// Applies a page of the log and keeps its token, in one step.
  ///
  /// - Returns: The items that are no rows of this list, for a list that can place them by their keys.
  func apply(_ changes: RemoteChanges<Item>) throws(ListStoreError) -> [Item]
  /// Those of a keyed list's newcomers that belong above all its rows, the newest first; none in every other list.
  func aboveAll(_ items: [Item]) throws(ListStoreError) -> [Item]
}

/// Which edge of which run.
struct EdgeName: Hashable, Sendable {
  /// The run's number.
  var run: Int64
  /// Which end of it.
  var side: EdgePlan.Side
}

/// The rows at an edge, the newest first.
struct EdgeRows<Item: StoredItem>: Sendable {
  /// Some rows of the run.
  var items: [Item]
  /// Which of them is the one at the edge.
  var index: Int

  /// The row at the edge.
  var boundary: Item { items[index] }

  /// Rows of which one is at the edge; nil where there is no such row.
  init?(_ items: [Item], index: Int) {
    guard items.indices.contains(index) else { return nil }
    self.items = items
    self.index = index
  }
}

/// What a remote's log says has changed.
struct RemoteChanges<Item: StoredItem>: Sendable {
  /// Items that are new or differ.
  var upserts: [Item]
  /// Items that are gone.
  var deletions: [Item.ID]
  /// Where the log goes on; nil: as before.
  var token: String?
  /// What was known when the question left.
  var request: ListRequest<Item>
}

/// The rules by which events change a list's order: what is joined, what is a gap, what is gone.
///
/// Pure: it reads through ``OrderReading`` and returns a ``MergePlan``; whoever calls it applies the plan in the same
/// transaction and stores the contents of items by itself. One merger serves all lists of a kind and may be kept or made anew.
/// Every call throws only what reading throws.
///
/// Cost: a point lookup for each item of a page, and a scan of the rows that lie within the page's range.
struct RunMerger: Sendable {
  /// How the order is known.
  let rule: OrderRule
  /// The distance between neighbours in a run when there is room.
  let stride: Position
  /// The distance between runs when there is room.
  let spacing: Position

  /// A merger for lists of a kind. Tests take small strides, so that room runs out.
  init(_ rule: OrderRule, stride: Position = 1 << 20, spacing: Position = 1 << 40) {
    self.rule = rule
    self.stride = stride
    self.spacing = spacing
  }

  /// Answers in a row without progress after which an edge is dead.
  static let maxFailures = 3
}

extension RunMerger {
  /// The record of a request that leaves now. `run` is the run that is continued, for older and newer pages.
  /// Nil when there is no such run.
  func departing(
    _ kind: MergeRequest.Kind, from run: Int64? = nil, list: Int64, in order: some OrderReading, at moment: MergeMoment
  ) throws(ListStoreError) -> MergeRequest? { nil }

  /// An answer arrived. The same answer twice is refused the second time, or changes nothing.
  func pageArrived(
    _ page: MergePage, for request: MergeRequest, in order: some OrderReading, at moment: MergeMoment,
    numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan { MergePlan() }

  /// The list is replaced as a whole by one answer, or by several that follow one another, the newest first.
  /// What live items brought in since the request left stays on top.
  func refreshReplaced(
    by pages: [MergePage], for request: MergeRequest, in order: some OrderReading, at moment: MergeMoment,
    numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan { MergePlan() }

  /// A live event: an item was created, or its place changed. `outcome.live` says what became of it.
  func liveItemArrived(
    _ item: MergeItem, in order: some OrderReading, at moment: MergeMoment, numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan { MergePlan() }

  /// The live subscription broke: the head is no longer known to be current, and what was held is dropped.
  func streamBroke(
    in order: some OrderReading, at moment: MergeMoment, numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan { MergePlan() }

  /// Items were deleted on the server. Their neighbours stay joined. The caller sets the tombstones.
  func deleted(
    _ items: [Int64], in order: some OrderReading, at moment: MergeMoment, numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan { MergePlan() }

  /// Rows are given up to save room; a gap remains, open from both sides. In opaque lists the range begins and ends at joints:
  /// `olderToken` goes on from the row above it, `newerToken` back from the row below it.
  func evicted(
    _ range: ClosedRange<Position>, olderToken: String? = nil, newerToken: String? = nil, in order: some OrderReading,
    at moment: MergeMoment, numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan { MergePlan() }

  /// The server refused the token of the edge that was continued. It is forgotten and never sent again: a keyed list goes on
  /// from its boundary row; another asks around it or walks from the head, if it can, else the edge is dead.
  func tokenRejected(
    for request: MergeRequest, canRecover: Bool, in order: some OrderReading, at moment: MergeMoment,
    numbers: inout MergeNumbers
  ) throws(ListStoreError) -> MergePlan { MergePlan() }
}

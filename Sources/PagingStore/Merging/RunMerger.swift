/// The rules by which events change a list's order: what is joined, what is a gap, what is gone.
///
/// Pure: it reads through ``OrderReading`` and returns a ``MergePlan``; whoever calls it applies the plan in the same
/// transaction and stores the contents of items by itself. One merger serves all lists of a kind and may be kept or
/// made anew. Every call throws only what reading throws.
///
/// Cost: a point lookup for each item of a page, and a scan of the rows that lie within the page's range.
struct RunMerger: Sendable {
  /// How the order is known.
  let rule: OrderRule
  /// Where rows go between others.
  let room: Room

  /// A merger for lists of a kind: with a distance between neighbours in a run, and one between runs, when there is
  /// room. Tests take small ones, so that room runs out.
  init(_ rule: OrderRule, stride: Position = 1 << 20, spacing: Position = 1 << 40) {
    self.rule = rule
    room = Room(stride: stride, spacing: spacing)
  }

  /// Whether live items go into the order at all; the order of a session and of an ID list is replaced, not added to.
  var takesLiveItems: Bool { rule == .keyed || rule == .cursor }

  /// Answers in a row without progress after which an edge is dead.
  static let maxFailures = 3

  /// The record of a request that leaves now. `run` is the run that is continued, for older and newer pages.
  /// Nil when there is no such run.
  func departing(
    _ kind: MergeRequest.Kind, from run: Int64? = nil, list: Int64, in order: some OrderReading, at moment: MergeMoment
  ) throws(ListStoreError) -> MergeRequest? {
    var request = MergeRequest(
      list: list, epoch: moment.epoch, kind: kind, started: moment.sequence, subscription: moment.subscription)
    guard kind == .older || kind == .newer else { return request }
    let runs = try order.runs()
    guard let index = runs.firstIndex(where: { $0.number == run }) else { return nil }
    request.run = run
    request.generation = kind == .older ? runs[index].older.generation : runs[index].newer.generation
    request.facing = Self.facing(kind, of: index, in: runs)
    return request
  }

  /// The edge across the gap.
  private static func facing(_ kind: MergeRequest.Kind, of index: Int, in runs: [Run]) -> MergeRequest.Facing? {
    switch kind {
    case .older where index + 1 < runs.count:
      MergeRequest.Facing(run: runs[index + 1].number, generation: runs[index + 1].newer.generation)
    case .newer where index > 0:
      MergeRequest.Facing(run: runs[index - 1].number, generation: runs[index - 1].older.generation)
    default: nil
    }
  }

  /// Whether what a request continued is as it was.
  static func isCurrent(_ request: MergeRequest, runs: [Run], at moment: MergeMoment) -> Bool {
    guard request.epoch == moment.epoch else { return false }
    switch request.kind {
    case .head: return moment.headSequence == 0 || request.started > moment.headSequence
    case .around: return request.started >= moment.headSequence
    case .older: return runs.first { $0.number == request.run }?.older.generation == request.generation
    case .newer: return runs.first { $0.number == request.run }?.newer.generation == request.generation
    }
  }

  /// The run beyond the gap, if nothing about its edge has changed since the request left.
  static func unchangedBound(_ request: MergeRequest, runs: [Run]) -> Run? {
    guard let index = runs.firstIndex(where: { $0.number == request.run }), let facing = request.facing,
      facing == Self.facing(request.kind, of: index, in: runs)
    else { return nil }
    return runs.first { $0.number == facing.run }
  }
}

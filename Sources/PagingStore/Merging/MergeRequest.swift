/// How the order of a list is known, which decides what a page proves.
enum OrderRule: Int64, Hashable, Sendable {
  /// Every row has a sort key that compares as the server orders; places and ranges follow from it.
  case keyed = 0
  /// Only pages tell the order; a page is placed by the rows that it shares with what is stored.
  case cursor = 1
  /// A session of a ranked list: rows are only added at the end. Absence removes nothing, a repeat moves nothing.
  case ranked = 2
  /// All IDs are known at once; pages bring contents only.
  case ids = 3
  /// As ``ranked``, where the server is told what was shown: the same token may come with every page, and three pages
  /// without a new row are the end.
  case excluding = 4
}

/// What was recorded when a request left. An answer is applied for it, and trusted only as far as it still holds.
///
/// Kept in memory only: after a restart nobody answers. ``RunMerger/departing(_:from:list:in:at:)`` fills it in.
struct MergeRequest: Hashable, Sendable {
  /// What was asked for.
  enum Kind: Hashable, Sendable {
    /// The newest page.
    case head
    /// What follows the older edge of ``MergeRequest/run``.
    case older
    /// What precedes the newer edge of ``MergeRequest/run``.
    case newer
    /// A window around an item, wherever it stands.
    case around
  }

  /// The edge on the other side of a gap, as it was at departure.
  struct Facing: Hashable, Sendable {
    /// Its run.
    var run: Int64
    /// The generation of its edge that faces the gap.
    var generation: Int64
  }

  /// The list.
  var list: Int64
  /// The list's epoch at departure.
  var epoch: Int64
  /// What was asked for.
  var kind: Kind
  /// The store's sequence number at departure: rows with a larger one were put in place since.
  var started: Int64
  /// The run that was continued; nil for the head and around an item.
  var run: Int64?
  /// The generation of the edge that was continued.
  var generation: Int64?
  /// What was on the other side of the gap; nil: nothing was.
  var facing: Facing?
  /// The live subscription that was unbroken at departure; nil: none was.
  var subscription: Int64?
  /// A row that the answer lacks, or has elsewhere, may only have been pushed out of its place: places are numbers of
  /// rows.
  var keepsAbsent = false

  /// Up to which number rows in place are judged by the answer: those may go, or move.
  var judged: Int64 { keepsAbsent ? 0 : started }
}

/// One item of an answer, known by its number.
struct MergeItem: Hashable, Sendable {
  /// The item's number in the item table.
  var item: Int64
  /// Its sort key as the server has it now; nil in lists that have none.
  var sortBytes: SortBytes?
  /// The sequence number at which the item was deleted, if it was: an answer that left before can't bring it back.
  var tombstone: Int64?
  /// Whether it was never stored before this answer, so that it stands in no order and needn't be looked for.
  var isNew = false

  /// An item of an answer.
  init(_ item: Int64, sortBytes: SortBytes? = nil, tombstone: Int64? = nil, isNew: Bool = false) {
    self.item = item
    self.sortBytes = sortBytes
    self.tombstone = tombstone
    self.isNew = isNew
  }
}

/// An answer, the newest item first. Its length proves nothing; only its tokens, its end and its bound do.
struct MergePage: Hashable, Sendable {
  /// The items, the newest first; a repeat inside the page counts once, at its first place.
  var items: [MergeItem]
  /// What continues above the first item.
  var newerToken: String?
  /// What continues below the last item.
  var olderToken: String?
  /// Nothing more lies in the direction that was asked: above for a newer page, below for every other.
  var reachedEnd: Bool
  /// The remote's end is the truth: what is stored beyond it is gone. Otherwise the remote may only keep the latest
  /// part.
  var endIsAuthoritative: Bool
  /// The request named the facing edge as its bound, and nothing more lies before it.
  var isBounded: Bool

  /// An answer.
  init(
    _ items: [MergeItem], newerToken: String? = nil, olderToken: String? = nil, reachedEnd: Bool = false,
    endIsAuthoritative: Bool = false, isBounded: Bool = false
  ) {
    self.items = items
    self.newerToken = newerToken
    self.olderToken = olderToken
    self.reachedEnd = reachedEnd
    self.endIsAuthoritative = endIsAuthoritative
    self.isBounded = isBounded
  }
}

/// A live item that waits for its place: the head was not current, or it belongs into a gap.
struct HeldItem: Hashable, Sendable {
  /// The item; its tombstone as it is now.
  var item: MergeItem
  /// The sequence number at which it arrived.
  var arrival: Int64
}

/// What the merger is told of a list besides its order, within the transaction that will write.
struct MergeMoment: Hashable, Sendable {
  /// The list's epoch.
  var epoch: Int64
  /// The store's sequence number; requests that leave now have it as their start.
  var sequence: Int64
  /// The start of the latest head request whose answer was applied, or what stands for it since rows were given up;
  /// heads that left no later, and windows that left earlier, are not trusted. 0: none.
  var headSequence: Int64
  /// The live subscription that is unbroken now; nil: there is none.
  var subscription: Int64?
  /// What is held back, in the order of arrival.
  var held: [HeldItem]

  /// A moment.
  init(epoch: Int64, sequence: Int64, headSequence: Int64 = 0, subscription: Int64? = nil, held: [HeldItem] = []) {
    self.epoch = epoch
    self.sequence = sequence
    self.headSequence = headSequence
    self.subscription = subscription
    self.held = held
  }
}

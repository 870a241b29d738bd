/// What was seen of a list, with nothing made of it yet.
struct ProbeObservations: Sendable {
  /// A page that came.
  struct Page: Sendable {
    /// Its rows, in order.
    var rows: [RowID]
    /// The key that it was asked with; nil for the first page, or where no key was found in the request.
    var key: String?
    /// Whether it names a next page.
    var goesOn = true
    /// How long it took, in milliseconds.
    var milliseconds = 0
    /// How large its body was.
    var bytes = 0
    /// What it says of the number of rows.
    var total: SeenTotal?
  }

  /// What a server did with a request that was out of the ordinary.
  enum Answer: Hashable, Sendable {
    /// A status from 400 on, below 500.
    case refused(Int)
    /// A status of success, and a body that says that the request failed.
    case refusedInBody
    /// A status from 500 on.
    case failed(Int)
    /// A page without rows.
    case noRows
    /// The rows of the first page.
    case firstPage
    /// The rows of the page whose key was tampered with.
    case samePage
    /// Other rows.
    case otherRows(Int)
    /// A reply of success that can't be read, or another status.
    case unreadable
  }

  /// A key that the server did not give.
  enum BadKey: String, CaseIterable, Sendable {
    case garbled, cut, empty
  }

  /// What came when another page size was asked for.
  struct SizeTrial: Sendable {
    /// The parameter that sets the size; nil where none of those tried did.
    var parameter: String?
    /// The parameters that were tried.
    var tried: [String] = []
    /// Asked size and rows that came; nil where the status was one of refusal.
    var asked: [(size: Int, rows: Int?)] = []
  }

  /// What came of rows that were put in above.
  struct InsertTrial: Sendable {
    /// The first page, before.
    var first: [RowID]
    /// How many rows were put in.
    var count: Int
    /// Whether all of them came at the list's top.
    var cameOnTop: Bool
    /// The second page by the key from before, afterwards.
    var second: [RowID]
  }

  /// What came of rows that were taken out above.
  struct DeleteTrial: Sendable {
    /// The second page, before.
    var second: [RowID]
    /// How many rows of the first page were taken out.
    var count: Int
    /// The second page by the same key, afterwards.
    var secondAfter: [RowID]
    /// The first page anew, afterwards.
    var firstAfter: [RowID]
  }

  /// The detector's kind, or the convention that the user named.
  var kind = "single"
  /// Where the user says what leads on is; nil: that was found.
  var namedNext: [String]?
  /// What the first reply says of more rows, where it names no next page; nil: nothing.
  var said: String?
  /// Why it is taken for that.
  var reason = ""
  /// The pages from the top on.
  var pages: [Page] = []
  /// What the key is called in a request; nil where no two requests could be compared.
  var keyName: String?
  /// Whether a page named a next page that had been named before.
  var goesRound = false
  /// The status with which a page failed in the course of the walk, and its number from 1.
  var brokeOff: (page: Int, status: Int?)?
  /// The first page, asked for again.
  var refreshes: [[RowID]] = []
  /// The second page by its key, at once a second time.
  var keyAgain: Answer?
  /// The second page by its key after so many seconds.
  var keyLater: (seconds: Int, answer: Answer)?
  /// What bad keys were answered with.
  var badKeys: [BadKey: Answer] = [:]
  /// What a place far behind the end was answered with, where pages are counted.
  var pastEnd: Answer?
  /// What the page behind an empty one that seemed the end was answered with, where pages are counted.
  var behindEmpty: Answer?
  /// The last page asked for again: its rows, and whether it then named a next page.
  var lastAgain: (rows: [RowID], goesOn: Bool)?
  var size: SizeTrial?
  /// The total in the reply to a HEAD.
  var headTotal: SeenTotal?
  /// Whether the row at the place of the total's last one is there and the one behind it isn't; nil: not looked at.
  var totalIsExact: Bool?
  /// The parameters that were tried for a window around a row, and the one that gave it.
  var windows: (tried: [String], found: String?, rows: Int)?
  /// The parameters that were tried for what is newer than a row, and the one that gave it.
  var newer: (tried: [String], found: String?, rows: Int)?
  /// Where the number of newer rows was given, and that number.
  var newerCount: (place: String, count: Int)?
  var insert: InsertTrial?
  var delete: DeleteTrial?
  /// How often the server asked to wait, and how long at most, in seconds.
  var throttles: (count: Int, seconds: Int) = (0, 0)
  /// What could not be looked at, and why.
  var notes: [String] = []

  /// The pages that are not the last one.
  var innerPages: [Page] { pages.filter(\.goesOn) }

  /// The size of most inner pages; nil before there was one.
  var usualSize: Int? {
    let sizes = innerPages.map(\.rows.count)
    return sizes.max { a, b in
      let (times, others) = (sizes.count { $0 == a }, sizes.count { $0 == b })
      return times == others ? a < b : times < others
    }
  }

  /// Why more rows must be there than came, though no second page did; nil: nothing says so.
  var moreThanCame: String? {
    if let said { return said }
    guard let size, let name = size.parameter, let rows = pages.first?.rows.count,
      let most = size.asked.compactMap({ asked in asked.rows.map { (asked.size, $0) } }).max(by: { $0.1 < $1.1 }),
      most.1 > rows
    else { return nil }
    return "\(grouped(most.1)) rows came with \(name)=\(most.0) against \(grouped(rows))"
  }

  /// Whether the list can be looked at twice with the same result, so that what changes is of our own doing.
  var isStable: Bool {
    refreshes.allSatisfy { Likeness(of: $0, to: pages.first?.rows ?? []).keepsOrder }
  }
}

/// How the rows of a page, when asked for again, relate to those from before.
enum Likeness: Hashable, Sendable {
  /// The same rows in the same order, but for so many new ones.
  case same(new: Int)
  /// More than half of the rows, in another order.
  case reordered(kept: Int)
  /// At most half of the rows.
  case other(kept: Int)

  init(of again: [RowID], to before: [RowID]) {
    let known = Set(before)
    let kept = again.filter(known.contains)
    let isMost = kept.count * 2 > before.count || before.isEmpty
    guard isMost else {
      self = .other(kept: kept.count)
      return
    }
    let present = Set(kept)
    // A row that came or went is no other order.
    let new = again.count - kept.count
    let isInOrder = kept == before.filter(present.contains)
    self = isInOrder ? .same(new: new) : .reordered(kept: kept.count)
  }

  /// How many rows came again, in another order; nil for anything else.
  var keptReordered: Int? {
    if case .reordered(let kept) = self { kept } else { nil }
  }

  /// How many rows came again where most are others; nil for anything else.
  var keptAmongOthers: Int? {
    if case .other(let kept) = self { kept } else { nil }
  }

  /// How many rows are new where the others stayed as they were; nil for anything else.
  var newInOrder: Int? {
    if case .same(let new) = self { new } else { nil }
  }

  /// Whether the rows that stayed have their order still, and are most.
  var keepsOrder: Bool {
    if case .same = self { true } else { false }
  }
}

/// How the rows beyond one edge of a run are asked for, and what is tried next where the way there is refused.
///
/// A stored token goes first. Where the remote refuses it, or there is none, the row at the edge is what can be gone on
/// from: by its key, around it, for what is newer than it, and last by walking down from the head until it comes. A way
/// that was refused isn't taken again. Nothing here is a decision of the moment: the same answers give the same steps.
struct EdgePlan: Hashable, Sendable {
  /// Which edge of its run.
  enum Side: Hashable, Sendable {
    case newer, older
  }

  /// What to do next.
  enum Step: Hashable, Sendable {
    /// Ask for the page that the edge's own token leads to.
    case askToken(String)
    /// Ask by the key of the row at the edge.
    case askByKey
    /// Ask around the row at the edge.
    case askAround
    /// Ask for what is newer than the row at the edge.
    case askNewerThan
    /// Ask for one page of the walk; nil: the list's first page.
    case walk(token: String?)
    /// All is done.
    case finish
    /// Nothing leads on from here: the edge is dead from now on.
    case die
    /// The edge was dead before; nothing is asked.
    case isDead
    /// The list is known to end at this edge; nothing is asked.
    case isEnd
    /// The remote can't be asked from this side at all.
    case impossible
  }

  private let side: Side
  private var ways: [Step]
  private var pagesLeft: Int
  private var wasRefused = false
  private(set) var step: Step

  /// A plan for an edge as it stands.
  ///
  /// - Parameters:
  ///   - side: Which edge of its run.
  ///   - edge: How it stands.
  ///   - hasRow: Whether there is a row at the edge; an empty run has none, and nothing to go on from but its token.
  ///   - ways: What the remote can be asked.
  init(_ side: Side, of edge: RunEdge, hasRow: Bool, ways: RemoteWays) {
    self.side = side
    pagesLeft = max(0, ways.walkedPages)
    self.ways = []
    step = .finish
    switch edge.state {
    case .dead: step = .isDead
    case .reached, .serverEnd, .live: step = .isEnd
    case .open:
      if let token = edge.token { self.ways.append(.askToken(token)) }
      if hasRow, ways.byKey { self.ways.append(.askByKey) }
      if hasRow, ways.around { self.ways.append(.askAround) }
      if hasRow, side == .newer, ways.newerThan { self.ways.append(.askNewerThan) }
      if hasRow, side == .older, pagesLeft > 0 { self.ways.append(.walk(token: nil)) }
      goOn()
    }
  }

  /// An answer came and was applied.
  ///
  /// - Parameters:
  ///   - meets: Whether it holds the row at the edge. A page of the edge's own token, or of what is newer than the row,
  ///     begins beside that row and needs not hold it.
  ///   - token: What continues it on the older side.
  mutating func answered(meets: Bool, token: String?) {
    switch step {
    case .askToken, .askNewerThan: step = .finish
    case .askByKey, .askAround:
      if meets { step = .finish } else { goOn() }
    case .walk:
      pagesLeft -= 1
      if meets || token == nil {
        step = .finish
      } else if pagesLeft > 0 {
        step = .walk(token: token)
      } else {
        wasRefused = true
        goOn()
      }
    case .finish, .die, .isDead, .isEnd, .impossible: break
    }
  }

  /// What was asked with is no good any more: a cursor that has expired, a row that the remote has no longer.
  mutating func refused() {
    wasRefused = true
    goOn()
  }

  private mutating func goOn() {
    guard ways.isEmpty else {
      step = ways.removeFirst()
      return
    }
    // An edge that nobody could ever go on from is no dead one: another remote, or a page around it, may.
    step = wasRefused && side == .older ? .die : .impossible
  }
}

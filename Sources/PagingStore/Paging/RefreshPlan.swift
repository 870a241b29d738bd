/// What a refresh of a stored list asks of the remote, step by step, and when it is done.
///
/// | building | what happens |
/// |---|---|
/// | in place | the head page is merged above what is stored; a gap that it leaves is recorded, discarded with all below it, or caught up |
/// | beside | pages are gathered until they cover what was on screen, and then take the place of the old ones at once |
struct RefreshPlan: Hashable, Sendable {
  /// What becomes of a gap below the head page.
  enum GapRule: Hashable, Sendable {
    case record
    case discard
    case catchUp(maxPages: Int)
  }

  /// How new pages come to stand where old ones are.
  enum Building: Hashable, Sendable {
    case inPlace(GapRule)
    /// At most so many pages are gathered.
    case beside(maxPages: Int)
  }

  /// What to do next.
  enum Step: Hashable, Sendable {
    /// Apply the change log, at most so many pages of it.
    case askChanges(maxPages: Int)
    /// Ask for the list's first page and merge it.
    case askHead
    /// Ask for the rows below the head run and merge them.
    case askBelowHead(run: Int64)
    /// Ask for one page and keep it aside; nil: the list's first.
    case gather(token: String?)
    /// Put what was gathered in the place of what is stored.
    case switchOver
    /// Drop everything that is older than the gap below this run.
    case discardBelow(run: Int64)
    /// All is done.
    case finish
  }

  private let building: Building
  private var pagesLeft = 0
  /// The run below the gap that is to be closed.
  private var target: Int64?
  private(set) var step: Step

  /// A plan for a list.
  ///
  /// - Parameters:
  ///   - building: How new pages come to stand where old ones are.
  ///   - hasChangeLog: Whether the remote can say what changed since the list was last caught up, and that moment is
  ///     known.
  init(_ building: Building, hasChangeLog: Bool) {
    self.building = building
    switch building {
    case .beside(let maxPages):
      pagesLeft = max(1, maxPages)
      step = .gather(token: nil)
    case .inPlace(.catchUp(let maxPages)):
      pagesLeft = max(0, maxPages)
      step = hasChangeLog && pagesLeft > 0 ? .askChanges(maxPages: pagesLeft) : .askHead
    case .inPlace: step = .askHead
    }
  }

  /// The change log was applied, or as much of it as was allowed. The head page says the rest.
  mutating func changesCame() {
    step = .askHead
  }

  /// The head page was merged.
  mutating func headCame(_ facts: ListFacts) {
    guard case .inPlace(let rule) = building, let head = facts.head, let below = facts.belowFirstGap else {
      step = .finish
      return
    }
    switch rule {
    case .record: step = .finish
    case .discard: step = .discardBelow(run: head.number)
    case .catchUp:
      target = below
      goOnBelow(head)
    }
  }

  /// A page below the head run was merged.
  ///
  /// - Parameters:
  ///   - facts: The list as it stands now.
  ///   - before: The list as it stood when the page was asked for; where nothing differs, asking again would bring
  ///     nothing.
  mutating func belowHeadCame(_ facts: ListFacts, before: ListFacts) {
    pagesLeft -= 1
    guard let target, let head = facts.head, head.number != target, facts.run(target) != nil, facts != before else {
      step = .finish
      return
    }
    goOnBelow(head)
  }

  /// A page was gathered.
  ///
  /// - Parameters:
  ///   - covers: Whether the gathered pages hold what was on screen.
  ///   - token: What continues them; nil: the list ends.
  mutating func gathered(covers: Bool, token: String?) {
    pagesLeft -= 1
    if let token, !covers, pagesLeft > 0 {
      step = .gather(token: token)
    } else {
      step = .switchOver
    }
  }

  /// What was gathered is shown, or what is older than a gap was dropped.
  mutating func stored() {
    step = .finish
  }

  private mutating func goOnBelow(_ head: Run) {
    step = pagesLeft > 0 && head.older.state == .open ? .askBelowHead(run: head.number) : .finish
  }
}

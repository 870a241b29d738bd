import PagingStore

/// What a reader's keys come to: moves on screen are made here, all else is asked for. Pure.
struct BrowseState<ID: Hashable> {
  /// What a key asks for that the state itself can't do.
  enum Wish: Hashable, Sendable {
    case leave
    /// Load the list anew, from its start or around the row on screen.
    case refresh(fromStart: Bool)
    /// Repeat what failed.
    case retry
    /// Show the new rows that wait.
    case showNew
    /// Fill the gap at that row.
    case fill(row: Int, GapSide)
    case go(BrowsePrompt.Target)
    /// Say what the keys are.
    case showKeys
  }

  /// What the keys' meaning depends on.
  struct Facts: Hashable, Sendable {
    /// Whether a load failed.
    var hasFailed = false
    /// Whether a refresh runs.
    var isRefreshing = false
    /// Whether what is held begins where the list does.
    var beginsAtStart = true
    /// Whether new rows wait.
    var hasNewRows = false
    /// The sides from which the gap under the cursor can be filled; nil: there is a row.
    var gap: [GapSide]?
  }

  /// How long the key has to rest before another press at the top is a pull: one that is held down repeats faster.
  static var pullPause: Duration { .milliseconds(300) }

  /// Where the reader is.
  var model: BrowseModel<ID>
  /// What is being typed.
  private(set) var prompt: BrowsePrompt?
  private var lastUp: Duration?
  private var lastSearch: BrowsePrompt.Target?

  init(height: Int) {
    model = BrowseModel(height: height)
  }

  /// A key was pressed.
  ///
  /// - Parameters:
  ///   - rows: The rows as they are shown.
  ///   - facts: How the list stands.
  ///   - now: When, since any start that stays the same.
  mutating func press(
    _ key: BrowseKey, in rows: some BrowseRows<ID>, _ facts: Facts, at now: Duration
  ) -> Wish? {
    if prompt != nil { return type(key) }
    defer { if key == .up || key == .character("k") { lastUp = now } }
    switch key {
    case .up, .character("k"): return up(in: rows, facts, at: now)
    case .down, .character("j"): model.move(by: 1, in: rows)
    case .pageUp, .character("b"): model.scroll(by: -model.height, in: rows)
    case .pageDown, .character(" "), .character("f"): model.scroll(by: model.height, in: rows)
    case .home, .character("g"):
      model.move(to: 0, in: rows)
      // What is held need not begin where the list does.
      if !facts.beginsAtStart, !facts.isRefreshing { return refreshAtStart() }
    case .end, .character("G"): model.move(to: Int.max, in: rows)
    case .character("r"): return model.isAtStart ? refreshAtStart() : .refresh(fromStart: false)
    case .character("R"): return .retry
    case .character("n"): return facts.hasNewRows ? .showNew : nil
    case .character("["): return fill(.above, in: rows, facts)
    case .character("]"): return fill(.below, in: rows, facts)
    case .enter: return enter(in: rows, facts)
    case .character(":"): prompt = BrowsePrompt(.jump)
    case .character("/"): prompt = BrowsePrompt(.find)
    case .character("?"), .character("h"): return .showKeys
    case .character("q"), .character("\u{4}"): return .leave
    default: break
    }
    return nil
  }

  /// At the top, a press that comes by itself pulls: the list is loaded anew.
  private mutating func up(in rows: some BrowseRows<ID>, _ facts: Facts, at now: Duration) -> Wish? {
    let isPull = model.selected == 0 && model.isAtStart && rows.count > 0
    guard isPull else {
      model.move(by: -1, in: rows)
      return nil
    }
    if let lastUp, now - lastUp < Self.pullPause { return nil }
    return facts.isRefreshing ? nil : refreshAtStart()
  }

  private mutating func refreshAtStart() -> Wish {
    model.willStartAgain()
    return .refresh(fromStart: true)
  }

  private mutating func enter(in rows: some BrowseRows<ID>, _ facts: Facts) -> Wish? {
    if let sides = facts.gap { return sides.first.flatMap { fill($0, in: rows, facts) } }
    if facts.hasFailed { return .retry }
    return facts.hasNewRows && model.isAtStart ? .showNew : nil
  }

  /// Rows come in between: those that the reader came along stay where they are.
  private mutating func fill(_ side: GapSide, in rows: some BrowseRows<ID>, _ facts: Facts) -> Wish? {
    guard let sides = facts.gap, sides.contains(side) else { return nil }
    let row = model.selected
    model.hold(side == .above ? max(0, row - 1) : min(row + 1, max(0, rows.count - 1)), in: rows)
    return .fill(row: row, side)
  }

  private mutating func type(_ key: BrowseKey) -> Wish? {
    switch key {
    case .character(let scalar): prompt?.type(scalar)
    case .erase: if prompt?.erase() != true { prompt = nil }
    case .escape: prompt = nil
    case .enter:
      // Nothing after the stroke finds the next one.
      let target = prompt?.target ?? (prompt?.kind == .find ? lastSearch : nil)
      if case .text? = target { lastSearch = target }
      prompt = nil
      return target.map { .go($0) }
    default: break
    }
    return nil
  }
}

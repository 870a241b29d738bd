import PagingStore
import Testing

@testable import pages

private struct NumberedRows: BrowseRows {
  var count: Int
  var standIn: Int? { nil }
  func id(at index: Int) -> Int? { (0..<count).contains(index) ? index : nil }
  func index(ofItem id: Int) -> Int? { (0..<count).contains(id) ? id : nil }
}

@Suite struct BrowseStateTests {
  private let rows = NumberedRows(count: 100)

  private func state() -> BrowseState<Int> {
    var state = BrowseState<Int>(height: 10)
    state.model.listChanged(to: rows)
    return state
  }

  @Test func upAtTheTopPullsButNotWhileTheKeyIsHeldDown() {
    var state = state()
    #expect(state.press(.down, in: rows, .init(), at: .zero) == nil)
    #expect(state.press(.up, in: rows, .init(), at: .milliseconds(10)) == nil)
    // The key repeats.
    for time in stride(from: 40, to: 1000, by: 30) {
      #expect(state.press(.up, in: rows, .init(), at: .milliseconds(time)) == nil)
    }
    #expect(state.press(.character("k"), in: rows, .init(), at: .milliseconds(2000)) == .refresh(fromStart: true))
    var facts = BrowseState<Int>.Facts()
    facts.isRefreshing = true
    #expect(state.press(.up, in: rows, facts, at: .seconds(9)) == nil)
  }

  @Test func refreshBeginsAtTheStartThereAndElsewhereAroundTheScreen() {
    var state = state()
    #expect(state.press(.character("r"), in: rows, .init(), at: .zero) == .refresh(fromStart: true))
    _ = state.press(.character("G"), in: rows, .init(), at: .zero)
    #expect(state.press(.character("r"), in: rows, .init(), at: .zero) == .refresh(fromStart: false))
    #expect(state.press(.character("g"), in: rows, .init(), at: .zero) == nil)
    var facts = BrowseState<Int>.Facts()
    facts.beginsAtStart = false
    #expect(state.press(.home, in: rows, facts, at: .zero) == .refresh(fromStart: true))
  }

  @Test func aGapIsFilledFromTheSidesThatItHas() {
    var facts = BrowseState<Int>.Facts()
    var state = state()
    #expect(state.press(.character("["), in: rows, facts, at: .zero) == nil)
    facts.gap = [.above]
    _ = state.press(.down, in: rows, .init(), at: .zero)
    #expect(state.press(.character("["), in: rows, facts, at: .zero) == .fill(row: 1, .above))
    #expect(state.press(.character("]"), in: rows, facts, at: .zero) == nil)
    facts.gap = [.above, .below]
    #expect(state.press(.character("]"), in: rows, facts, at: .zero) == .fill(row: 1, .below))
    #expect(state.press(.enter, in: rows, facts, at: .zero) == .fill(row: 1, .above))
    facts.gap = []
    #expect(state.press(.enter, in: rows, facts, at: .zero) == nil)
  }

  @Test func enterTriesAgainOrShowsWhatIsNew() {
    var facts = BrowseState<Int>.Facts()
    var state = state()
    #expect(state.press(.enter, in: rows, facts, at: .zero) == nil)
    #expect(state.press(.character("n"), in: rows, facts, at: .zero) == nil)
    facts.hasNewRows = true
    #expect(state.press(.enter, in: rows, facts, at: .zero) == .showNew)
    #expect(state.press(.character("n"), in: rows, facts, at: .zero) == .showNew)
    facts.hasFailed = true
    #expect(state.press(.enter, in: rows, facts, at: .zero) == .retry)
    #expect(state.press(.character("R"), in: rows, facts, at: .zero) == .retry)
  }

  private func typed(_ keys: String, _ state: inout BrowseState<Int>) -> BrowseState<Int>.Wish? {
    for scalar in keys.unicodeScalars { _ = state.press(.character(scalar), in: rows, .init(), at: .zero) }
    return state.press(.enter, in: rows, .init(), at: .zero)
  }

  @Test func promptsTakeNumbersIDsAndText() {
    var state = state()
    #expect(typed(":12", &state) == .go(.row(12)))
    #expect(typed(":1,200", &state) == .go(.row(1200)))
    #expect(typed(":abc", &state) == .go(.text("abc")))
    #expect(typed("/42", &state) == .go(.text("42")))
    #expect(typed("/", &state) == .go(.text("42")))
    #expect(typed(":", &state) == nil)
    // What would quit or refresh is only text there.
    #expect(typed("/qrR ü", &state) == .go(.text("qrR ü")))
    #expect(state.prompt == nil)
  }

  @Test func aPromptCanBeMendedAndLeft() {
    var state = state()
    _ = state.press(.character("/"), in: rows, .init(), at: .zero)
    _ = state.press(.character("a"), in: rows, .init(), at: .zero)
    _ = state.press(.character("\u{1B}"), in: rows, .init(), at: .zero)
    #expect(state.prompt?.text == "a")
    _ = state.press(.erase, in: rows, .init(), at: .zero)
    #expect(state.prompt?.text == "")
    _ = state.press(.erase, in: rows, .init(), at: .zero)
    #expect(state.prompt == nil)
    _ = state.press(.character(":"), in: rows, .init(), at: .zero)
    _ = state.press(.escape, in: rows, .init(), at: .zero)
    #expect(state.prompt == nil)
    #expect(state.press(.character("q"), in: rows, .init(), at: .zero) == .leave)
  }
}

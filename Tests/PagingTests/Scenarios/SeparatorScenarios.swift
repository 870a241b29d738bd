import Loading
import Testing

@testable import Paging

/// Separators: the SEP scenarios of `Documentation/PagingScenarios.md`, and what is in place of some of them.
///
/// Before an item of another first letter than the one before stands its capital, behind the last one END.
@Suite struct SeparatorScenarios {
  struct Word: Identifiable, Hashable, Sendable {
    let id: String
  }

  /// A list whose pages come and go by hand.
  struct Script {
    private var pages = TransformedPages(SeparatorInsertion<Word, String>(separator))
    private var list = PageSequence<Word>()
    private var firstOrdinal = 0
    private var firstCoordinate = 0
    private var version: UInt64 = 0
    private var source = LoadStates.idle
    private var mediator: LoadStates?
    private let above = SnapshotOrigin()
    private let origin = SnapshotOrigin()

    @Sendable private static func separator(_ before: Word?, _ after: Word?) -> String? {
      guard let after else { return "END" }
      return before?.id.first == after.id.first ? nil : after.id.first?.uppercased()
    }

    init(hasMediator: Bool = false) {
      if hasMediator { mediator = .idle }
    }

    mutating func append(_ words: String) { list.append(Self.page(words)) }

    mutating func prepend(_ words: String) {
      let page = Self.page(words)
      list.prepend(page)
      firstOrdinal -= 1
      firstCoordinate -= page.count
    }

    mutating func dropFirst() {
      firstCoordinate += list.removeFirst()?.count ?? 0
      firstOrdinal += 1
      source.prepend = .notLoading(endReached: false)
    }

    mutating func dropLast() {
      list.removeLast()
      source.append = .notLoading(endReached: false)
    }

    mutating func end(_ type: LoadType, ofMediator: Bool = false) {
      let end = LoadState.notLoading(endReached: true)
      switch (type, ofMediator) {
      case (.prepend, false): source.prepend = end
      case (.prepend, true): mediator?.prepend = end
      case (_, false): source.append = end
      case (_, true): mediator?.append = end
      }
    }

    private static func page(_ words: String) -> PageBox<Word> {
      PageBox(words.split(separator: " ").map { Word(id: String($0)) })
    }

    /// The rows of each page, as they are now.
    mutating func rows() -> [String] {
      version += 1
      pages.advance(
        to: SnapshotBody(
          origin: above, generation: 1, version: version, pages: list, firstOrdinal: firstOrdinal, replacements: 0,
          firstCoordinate: firstCoordinate, placeholdersBefore: 0, placeholdersAfter: 0,
          states: CombinedLoadStates(source: source, mediator: mediator), total: nil,
          position: PagingPosition(rowsBefore: 0, pageIndex: 0), anchor: nil))
      return pages.body(of: origin, version: version)?.pages.map { page in
        page.items.map { $0.separator ?? $0.item?.id ?? "" }.joined(separator: " ")
      } ?? []
    }
  }

  @Test func SEP_01_aFirstPageInTheMiddleHasNoSeparatorAtItsEnds() {
    var script = Script()
    script.append("a1")
    #expect(script.rows() == ["a1"])
  }

  @Test func SEP_03_theEndHasAFooter() {
    var script = Script()
    script.append("a1")
    script.end(.append)
    #expect(script.rows() == ["a1 END"])
  }

  @Test func SEP_04_bothEnds() {
    var script = Script()
    script.append("a1")
    script.end(.append)
    script.end(.prepend)
    #expect(script.rows() == ["A a1 END"])
  }

  @Test func SEP_05_anEmptyListThatMayGoOnHasNone() {
    var script = Script()
    #expect(script.rows() == [])
    script.append("")
    #expect(script.rows() == [""])
  }

  @Test func SEP_06_aStartThatWasReachedBeforeTheFirstRowCame() {
    var script = Script()
    script.end(.prepend)
    #expect(script.rows() == [])
    script.append("a1")
    #expect(script.rows() == ["A a1"])
    script.append("")
    #expect(script.rows() == ["A a1", ""])
    script.append("")
    script.end(.append)
    #expect(script.rows() == ["A a1 END", "", ""])
  }

  @Test func SEP_08_aStartThatWasDroppedIsNoneUntilItIsReachedAgain() {
    var script = Script()
    script.append("")
    script.end(.prepend)
    #expect(script.rows() == [""])
    script.append("a1")
    script.dropFirst()
    #expect(script.rows() == ["a1"])
    script.prepend("")
    script.end(.prepend)
    #expect(script.rows() == ["", "A a1"])
  }

  /// In place of SEP-11.
  @Test func P31_pagesThatAreAppended() {
    var script = Script()
    script.append("a1 a2")
    #expect(script.rows() == ["a1 a2"])
    script.append("c1 d1")
    script.append("d2 d3")
    #expect(script.rows() == ["a1 a2", "C c1 D d1", "d2 d3"])
  }

  /// In place of SEP-13.
  @Test func P31_aPageDroppedInFrontTakesItsSeparatorsAlong() {
    var script = Script()
    script.append("a1")
    script.append("b1")
    script.end(.prepend)
    #expect(script.rows() == ["A a1", "B b1"])
    script.dropFirst()
    #expect(script.rows() == ["b1"])
  }

  @Test func SEP_14_aPageDroppedAtTheBackTakesItsSeparatorsAlong() {
    var script = Script()
    script.append("a1")
    script.append("b1")
    script.end(.append)
    #expect(script.rows() == ["a1", "B b1 END"])
    script.dropLast()
    #expect(script.rows() == ["a1"])
  }

  @Test func SEP_15_emptyPagesAroundOne() {
    var script = Script()
    for page in ["", "", "a2 b1", "", ""] { script.append(page) }
    #expect(script.rows() == ["", "", "a2 B b1", "", ""])
  }

  /// In place of SEP-16.
  @Test func P31_emptyPagesBetweenTwo() {
    var script = Script()
    for page in ["", "a2 b1", "", "c1 c2", ""] { script.append(page) }
    #expect(script.rows() == ["", "a2 B b1", "", "C c1 c2", ""])
  }

  /// In place of SEP-18.
  @Test func P31_pagesThatArePrependedWithEmptyOnesBetween() {
    var script = Script()
    script.append("d1 d2")
    _ = script.rows()
    for page in ["", "c1 c2", "", "a1 b1", ""] { script.prepend(page) }
    #expect(script.rows() == ["", "a1 B b1 C", "", "c1 c2 D", "", "d1 d2"])
  }

  @Test func SEP_19_emptyPagesBeforeTheAppendedOne() {
    var script = Script()
    script.append("a1 a2")
    _ = script.rows()
    for page in ["", "", "b1 c1", "", ""] { script.append(page) }
    #expect(script.rows() == ["a1 a2", "", "", "B b1 C c1", "", ""])
  }

  @Test func SEP_20_emptyPagesBetweenTheAppendedOnes() {
    var script = Script()
    script.append("a1 a2")
    _ = script.rows()
    for page in ["", "b1 c1", "", "d1 d2", ""] { script.append(page) }
    #expect(script.rows() == ["a1 a2", "", "B b1 C c1", "", "D d1 d2", ""])
  }

  @Test func SEP_21_separatorsOfAnotherTypeThanTheItems() {
    var pages = TransformedPages(
      SeparatorInsertion<Word, Int> { before, after in before.flatMap { _ in after }.map { _ in 7 } })
    let above = PagingSnapshot(pages: [[Word(id: "a"), Word(id: "b")]])
    pages.advance(to: above.body)
    let rows = pages.body(of: SnapshotOrigin(), version: 1).map { PagingSnapshot($0) }
    #expect(rows.map { Array($0.items) } == [.item(Word(id: "a")), .separator(7), .item(Word(id: "b"))])
  }

  @Test func SEP_24_aPageThatIsDroppedAndComesAgainWithAMediator() {
    var script = Script(hasMediator: true)
    script.append("b1")
    #expect(script.rows() == ["b1"])
    script.prepend("a1")
    script.end(.prepend)
    #expect(script.rows() == ["a1 B", "b1"])
    script.end(.prepend, ofMediator: true)
    #expect(script.rows() == ["A a1 B", "b1"])
    script.dropFirst()
    #expect(script.rows() == ["b1"])
    script.prepend("a1")
    script.end(.prepend)
    #expect(script.rows() == ["A a1 B", "b1"])
  }

  @Test func SEP_27_aMediatorThatEndsBeforeTheSource() {
    var script = Script(hasMediator: true)
    script.append("a1")
    script.end(.append, ofMediator: true)
    #expect(script.rows() == ["a1"])
    script.end(.append)
    #expect(script.rows() == ["a1 END"])
    #expect(script.rows() == ["a1 END"])
  }

  /// In place of SEP-28.
  @Test func P31_anEndIsReachedWhenSourceAndMediatorHaveReachedIt() {
    var script = Script(hasMediator: true)
    script.append("a1")
    script.end(.prepend)
    #expect(script.rows() == ["a1"])
    script.end(.prepend, ofMediator: true)
    #expect(script.rows() == ["A a1"])
    script.end(.append)
    #expect(script.rows() == ["A a1"])
    script.end(.append, ofMediator: true)
    #expect(script.rows() == ["A a1 END"])
  }

  @Test func DEF_04_bothEndsOfAMediatorReachedAtOnce() {
    var script = Script(hasMediator: true)
    script.append("a1")
    script.end(.prepend)
    script.end(.append)
    #expect(script.rows() == ["a1"])
    script.end(.prepend, ofMediator: true)
    script.end(.append, ofMediator: true)
    #expect(script.rows() == ["A a1 END"])
  }

  @Test func SEP_29_aWholeListAndAnEmptyOne() {
    var script = Script()
    script.append("a1 b1")
    script.end(.prepend)
    script.end(.append)
    #expect(script.rows() == ["A a1 B b1 END"])

    var empty = Script()
    empty.end(.prepend)
    empty.end(.append)
    #expect(empty.rows() == ["END"])
    #expect(empty.rows() == ["END"])
    var filtered = Script()
    filtered.append("")
    filtered.end(.prepend)
    filtered.end(.append)
    #expect(filtered.rows() == ["END"])
    filtered.append("a1")
    #expect(filtered.rows() == ["", "A a1 END"])
  }

  @Test func P31_aHeaderAndAFooterOnAnEmptyList() {
    typealias Once = SeparatedRow<Word, String>
    var header = TransformedPages(SeparatorInsertion<Word, String> { before, _ in before == nil ? "header" : nil })
    var footer = TransformedPages(SeparatorInsertion<Once, String> { _, after in after == nil ? "footer" : nil })
    let empty = PagingSnapshot<Word>(
      pages: [],
      states: LoadStates(
        refresh: .notLoading(endReached: false), prepend: .notLoading(endReached: true),
        append: .notLoading(endReached: true)))
    header.advance(to: empty.body)
    guard let once = header.body(of: SnapshotOrigin(), version: 1) else { return #expect(Bool(false)) }
    footer.advance(to: once)
    let rows = footer.body(of: SnapshotOrigin(), version: 1).map { PagingSnapshot($0) }
    #expect(rows?.items.map { $0.separator ?? $0.item?.separator } == ["header", "footer"])
  }
}

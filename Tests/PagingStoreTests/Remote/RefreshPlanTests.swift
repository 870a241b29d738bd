import Testing

@testable import PagingStore

@Suite struct RefreshPlanTests {
  static func run(_ number: Int64, older: RunEdge.State = .open, generation: Int64 = 1) -> Run {
    Run(
      number: number, high: number * 100, low: number * 100 - 50,
      newer: RunEdge(state: .open, token: nil, generation: generation),
      older: RunEdge(state: older, token: "t", generation: generation))
  }

  private static func facts(_ runs: Run...) -> ListFacts { ListFacts(runs: runs) }

  @Test func S3_aRecordedGapStaysAfterOnePage() {
    var plan = RefreshPlan(.inPlace(.record), hasChangeLog: true)
    #expect(plan.step == .askHead)
    plan.headCame(Self.facts(Self.run(2), Self.run(1)))
    #expect(plan.step == .finish)
  }

  @Test func S3_aDiscardedGapTakesAllBelowIt() {
    var plan = RefreshPlan(.inPlace(.discard), hasChangeLog: false)
    plan.headCame(Self.facts(Self.run(2), Self.run(1)))
    #expect(plan.step == .discardBelow(run: 2))
    plan.stored()
    #expect(plan.step == .finish)
  }

  @Test func S3_withoutAGapNothingIsDiscarded() {
    var plan = RefreshPlan(.inPlace(.discard), hasChangeLog: false)
    plan.headCame(Self.facts(Self.run(1)))
    #expect(plan.step == .finish)
  }

  @Test func S3_catchingUpAsksUntilTheRunsMeet() {
    var plan = RefreshPlan(.inPlace(.catchUp(maxPages: 5)), hasChangeLog: false)
    let apart = Self.facts(Self.run(3), Self.run(2), Self.run(1))
    plan.headCame(apart)
    #expect(plan.step == .askBelowHead(run: 3))
    let narrower = Self.facts(Self.run(3, generation: 2), Self.run(2), Self.run(1))
    plan.belowHeadCame(narrower, before: apart)
    #expect(plan.step == .askBelowHead(run: 3))
    // The gap further down is another matter.
    plan.belowHeadCame(Self.facts(Self.run(3, generation: 3), Self.run(1)), before: narrower)
    #expect(plan.step == .finish)
  }

  @Test func S3_catchingUpStopsAfterItsPages() {
    var plan = RefreshPlan(.inPlace(.catchUp(maxPages: 2)), hasChangeLog: false)
    var before = Self.facts(Self.run(2), Self.run(1))
    plan.headCame(before)
    for generation in 2...3 {
      guard case .askBelowHead = plan.step else { return #expect(Bool(false), "stopped at \(generation)") }
      let now = Self.facts(Self.run(2, generation: Int64(generation)), Self.run(1))
      plan.belowHeadCame(now, before: before)
      before = now
    }
    #expect(plan.step == .finish)
  }

  @Test func S3_catchingUpStopsWhereAnAnswerChangesNothingOrTheEdgeIsDead() {
    let apart = Self.facts(Self.run(2), Self.run(1))
    var plan = RefreshPlan(.inPlace(.catchUp(maxPages: 9)), hasChangeLog: false)
    plan.headCame(apart)
    plan.belowHeadCame(apart, before: apart)
    #expect(plan.step == .finish)

    plan = RefreshPlan(.inPlace(.catchUp(maxPages: 9)), hasChangeLog: false)
    plan.headCame(Self.facts(Self.run(2, older: .dead), Self.run(1)))
    #expect(plan.step == .finish)
  }

  @Test func S3_theChangeLogGoesFirstAndTheHeadPageSaysTheRest() {
    var plan = RefreshPlan(.inPlace(.catchUp(maxPages: 4)), hasChangeLog: true)
    #expect(plan.step == .askChanges(maxPages: 4))
    plan.changesCame()
    #expect(plan.step == .askHead)
    plan.headCame(Self.facts(Self.run(1)))
    #expect(plan.step == .finish)
  }

  @Test func S9_pagesAreGatheredUntilTheyCoverTheScreen() {
    var plan = RefreshPlan(.beside(maxPages: 10), hasChangeLog: true)
    #expect(plan.step == .gather(token: nil))
    plan.gathered(covers: false, token: "a")
    #expect(plan.step == .gather(token: "a"))
    plan.gathered(covers: true, token: "b")
    #expect(plan.step == .switchOver)
    plan.stored()
    #expect(plan.step == .finish)
  }

  @Test func S9_gatheringEndsWithTheListAndWithItsPages() {
    var short = RefreshPlan(.beside(maxPages: 10), hasChangeLog: false)
    short.gathered(covers: false, token: nil)
    #expect(short.step == .switchOver)

    var deep = RefreshPlan(.beside(maxPages: 3), hasChangeLog: false)
    for token in ["a", "b", "c"] { deep.gathered(covers: false, token: token) }
    #expect(deep.step == .switchOver)
  }

  @Test func S9_aScreenIsCoveredByItsRowAndWhatIsBelowIt() {
    var cover = ScreenCover(anchor: 5, rowsBelow: 3)
    cover.came(1...5)
    #expect(!cover.isCovered)
    cover.came(6...7)
    #expect(cover.isCovered)

    var counted = ScreenCover<Int>(anchor: nil, rowsBelow: 3)
    counted.came([9, 8])
    #expect(!counted.isCovered)
    counted.came([7])
    #expect(counted.isCovered)
  }

  /// Every rule against every sequence of up to six answers: a refresh asks a bounded number of pages, and never below a head
  /// run that has met the run below.
  @Test func S3_everyShortRefreshEnds() {
    let answers = [
      Self.facts(), Self.facts(Self.run(2)), Self.facts(Self.run(2), Self.run(1)),
      Self.facts(Self.run(2, generation: 2), Self.run(1)), Self.facts(Self.run(2, older: .dead), Self.run(1)),
      Self.facts(Self.run(3), Self.run(2), Self.run(1)), Self.facts(Self.run(3), Self.run(1)),
    ]
    let rules: [RefreshPlan.Building] = [
      .inPlace(.record), .inPlace(.discard), .inPlace(.catchUp(maxPages: 0)), .inPlace(.catchUp(maxPages: 3)),
      .beside(maxPages: 3),
    ]
    var ended = 0
    for rule in rules {
      for hasChangeLog in [false, true] {
        play(RefreshPlan(rule, hasChangeLog: hasChangeLog), Self.facts(), asked: 0, answers, &ended)
      }
    }
    #expect(ended > 500)
  }

  private func play(_ plan: RefreshPlan, _ before: ListFacts, asked: Int, _ answers: [ListFacts], _ ended: inout Int) {
    #expect(asked <= 5)
    guard asked <= 5 else { return }
    switch plan.step {
    case .finish: ended += 1
    case .askChanges:
      var next = plan
      next.changesCame()
      play(next, before, asked: asked + 1, answers, &ended)
    case .askHead:
      for facts in answers {
        var next = plan
        next.headCame(facts)
        play(next, facts, asked: asked + 1, answers, &ended)
      }
    case .askBelowHead(let run):
      #expect(before.head?.number == run)
      #expect(before.runs.count > 1)
      for facts in answers {
        var next = plan
        next.belowHeadCame(facts, before: before)
        play(next, facts, asked: asked + 1, answers, &ended)
      }
    case .gather:
      for (covers, token) in [(false, nil), (false, "a"), (true, nil), (true, "b")] as [(Bool, String?)] {
        var next = plan
        next.gathered(covers: covers, token: token)
        play(next, before, asked: asked + 1, answers, &ended)
      }
    case .switchOver, .discardBelow:
      var next = plan
      next.stored()
      #expect(next.step == .finish)
      play(next, before, asked: asked, answers, &ended)
    }
  }
}

import Testing

@testable import PagingStore

/// What a remote does with one way of asking.
private enum Reply: CaseIterable {
  case meets, misses, refuses
}

@Suite struct EdgePlanTests {
  private static let everyWay = RemoteWays(byKey: true, around: true, newerThan: true, walkedPages: 2)

  private static func edge(_ state: RunEdge.State = .open, token: String? = "t") -> RunEdge {
    RunEdge(state: state, token: token, generation: 1)
  }

  private static func older(token: String? = "t", _ ways: RemoteWays = everyWay) -> EdgePlan {
    EdgePlan(.older, of: edge(token: token), hasRow: true, ways: ways)
  }

  @Test func S11_recoveryKeepsTheOrderTokenKeyAroundWalkDead() {
    var plan = Self.older()
    #expect(plan.step == .askToken("t"))
    plan.refused()
    #expect(plan.step == .askByKey)
    plan.refused()
    #expect(plan.step == .askAround)
    plan.refused()
    #expect(plan.step == .walk(token: nil))
    plan.answered(meets: false, token: "a")
    #expect(plan.step == .walk(token: "a"))
    plan.answered(meets: false, token: "b")
    #expect(plan.step == .die)
  }

  @Test func S11_theFirstWayThatMeetsTheRowEndsIt() {
    var plan = Self.older()
    plan.refused()
    plan.answered(meets: true, token: nil)
    #expect(plan.step == .finish)
  }

  @Test func S11_aWalkEndsWhereTheRowComes() {
    var plan = Self.older(RemoteWays(walkedPages: 9))
    plan.refused()
    plan.answered(meets: false, token: "a")
    plan.answered(meets: true, token: "b")
    #expect(plan.step == .finish)
  }

  @Test func S11_aWalkThatReachesTheListsEndHasSeenAll() {
    var plan = Self.older(RemoteWays(walkedPages: 9))
    plan.refused()
    plan.answered(meets: false, token: nil)
    #expect(plan.step == .finish)
  }

  @Test func S11_nothingIsAskedAtADeadEdgeOrAnEnd() {
    for (state, step) in [(RunEdge.State.dead, EdgePlan.Step.isDead), (.reached, .isEnd), (.serverEnd, .isEnd)] {
      let plan = EdgePlan(.older, of: Self.edge(state), hasRow: true, ways: Self.everyWay)
      #expect(plan.step == step)
    }
    #expect(EdgePlan(.newer, of: Self.edge(.live), hasRow: true, ways: Self.everyWay).step == .isEnd)
  }

  @Test func S11_anEdgeWithoutARowHasItsTokenOnly() {
    var plan = EdgePlan(.older, of: Self.edge(), hasRow: false, ways: Self.everyWay)
    #expect(plan.step == .askToken("t"))
    plan.refused()
    #expect(plan.step == .die)
  }

  @Test func S3_anEdgeThatNobodyCanGoOnFromIsNotDead() {
    #expect(Self.older(token: nil, RemoteWays()).step == .impossible)
    #expect(EdgePlan(.newer, of: Self.edge(token: nil), hasRow: true, ways: RemoteWays()).step == .impossible)
  }

  @Test func S3_theNewerEdgeDoesNotWalkAndTheOlderOneDoesNotAskForNewer() {
    var newer = EdgePlan(
      .newer, of: Self.edge(token: nil), hasRow: true, ways: RemoteWays(newerThan: true, walkedPages: 5))
    #expect(newer.step == .askNewerThan)
    newer.refused()
    #expect(newer.step == .impossible)
    #expect(Self.older(token: nil, RemoteWays(newerThan: true)).step == .impossible)
  }

  /// Every remote that can be, and every script of its replies: no token is asked with twice, no way is taken twice but a
  /// walk that goes on, the plan always ends, and it ends as the last reply says.
  @Test func S11_everyShortScriptEndsAndAsksNothingTwice() {
    var scripts = 0
    for byKey in [false, true] {
      for around in [false, true] {
        for newerThan in [false, true] {
          for walkedPages in 0...3 {
            let ways = RemoteWays(byKey: byKey, around: around, newerThan: newerThan, walkedPages: walkedPages)
            for side in [EdgePlan.Side.older, .newer] {
              for token in [nil, "t"] {
                let plan = EdgePlan(side, of: Self.edge(token: token), hasRow: true, ways: ways)
                play(plan, asked: [], walked: 0, ways, &scripts)
              }
            }
          }
        }
      }
    }
    #expect(scripts > 1_000)
  }

  private func play(_ plan: EdgePlan, asked: [EdgePlan.Step], walked: Int, _ ways: RemoteWays, _ scripts: inout Int) {
    switch plan.step {
    case .finish, .die, .impossible:
      scripts += 1
      return
    case .isDead, .isEnd:
      Issue.record("An open edge is neither dead nor an end.")
      return
    case .walk:
      #expect(walked < ways.walkedPages)
    default: break
    }
    #expect(!asked.contains(plan.step), "\(plan.step) was asked before")
    for reply in Reply.allCases {
      var next = plan
      switch reply {
      case .meets: next.answered(meets: true, token: "w\(walked)")
      case .misses: next.answered(meets: false, token: "w\(walked)")
      case .refuses: next.refused()
      }
      if reply == .meets { #expect(next.step == .finish) }
      if reply == .refuses { #expect(next.step != .finish) }
      var isWalk = false
      if case .walk = plan.step { isWalk = true }
      play(next, asked: asked + [plan.step], walked: isWalk ? walked + 1 : walked, ways, &scripts)
    }
  }
}

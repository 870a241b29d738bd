import Testing

@testable import PagingCache

/// Every answer that memory, disk and source can give, under all rules: the plan against the words of the contract.
@Suite struct FetchPlanTests {
  typealias Plan = FetchPlan<Int>

  enum Answer: CaseIterable {
    case nothing, good, expired, malformed

    var judgement: PageJudgement {
      switch self {
      case .nothing, .good: .good
      case .expired: .expired
      case .malformed: .malformed("odd")
      }
    }

    func found(_ item: Int) -> (page: PaginatorPage<Int>, judgement: PageJudgement)? {
      self == .nothing ? nil : (PaginatorPage(key: "5", items: [item]), judgement)
    }
  }

  /// What a plan does: the tiers that it asks, and what it delivers.
  private func outcome(
    _ memory: Answer, _ disk: Answer, _ source: Answer, _ rules: Plan.Rules
  ) -> (asked: String, delivered: String, isStale: Bool) {
    var plan = Plan(PaginatorRequest("5", pageSize: 1), rules: rules)
    var step = plan.memoryAnswered(memory.found(1))
    var asked = "m"
    while true {
      switch step {
      case .readDisk:
        asked += "d"
        step = plan.diskAnswered(disk.found(2))
      case .askSource:
        asked += "s"
        if let found = source.found(3) {
          step = plan.sourceAnswered(found.page, found.judgement)
        } else {
          step = plan.sourceFailed(Broken())
        }
      case .deliver(let fetched): return (asked, "\(fetched.page.items[0])", fetched.page.isStale)
      case .fail(let error): return (asked, error.code.rawValue, false)
      }
    }
  }

  private struct Broken: Error {}

  @Test(arguments: Answer.allCases, Answer.allCases) func theContractHoldsForAllAnswers(memory: Answer, disk: Answer) {
    for source in Answer.allCases {
      for bits in 0..<8 {
        let rules = Plan.Rules(
          servesStaleOnFailure: bits & 1 > 0, revalidatesWhileStale: bits & 2 > 0, passesCaches: bits & 4 > 0)
        let (asked, delivered, isStale) = outcome(memory, disk, source, rules)
        let words = "\(memory) \(disk) \(source) \(rules)"
        /// What may stand in: memory's page before the disk's, and a good one only where caches are passed by.
        let stale: String? =
          [(memory, "1"), (disk, "2")].first {
            $0.0 == .expired || (rules.passesCaches && $0.0 == .good)
          }?.1
        if !rules.passesCaches, memory == .good {
          #expect((asked, delivered, isStale) == ("m", "1", false), "\(words)")
        } else if !rules.passesCaches, disk == .good {
          #expect((asked, delivered, isStale) == ("md", "2", false), "\(words)")
        } else if !rules.passesCaches, rules.revalidatesWhileStale, let stale {
          #expect((asked, delivered, isStale) == ("md", stale, true), "\(words)")
        } else {
          #expect(asked == "mds", "\(words)")
          switch source {
          case .good: #expect(delivered == "3" && !isStale, "\(words)")
          case .expired: #expect(delivered == "expiredPage", "\(words)")
          case .malformed: #expect(delivered == "malformedPage", "\(words)")
          case .nothing:
            let standIn = rules.servesStaleOnFailure ? stale : nil
            #expect(delivered == standIn ?? "sourceFailed" && isStale == (standIn != nil), "\(words)")
          }
        }
      }
    }
  }

  @Test func namesOfPagesThatAreGoneAreForgotten() {
    var book = PageBook()
    for number in 0..<5_000 {
      let request = PaginatorRequest("\(number)", pageSize: 1)
      let token = book.began(request) { $0.key == "7" }
      book.ended(request, token: token, .came)
    }
    #expect(book.keyCount <= 2_048)
    #expect(book.clear("7") == [PaginatorRequest("7", pageSize: 1)], "that of a page in memory is kept")
  }

  @Test func whatComesUnderAnOldTokenIsNotCurrent() {
    var book = PageBook()
    let request = PaginatorRequest("5", pageSize: 1)
    let old = book.began(request) { _ in false }
    #expect(book.began(request) { _ in false } == old)
    _ = book.clear("5")
    #expect(!book.isCurrent(old, of: request))
    let new = book.began(request) { _ in false }
    book.ended(request, token: old, .failed(PaginatorError(.sourceFailed, message: "")))
    #expect(new != old && book.isCurrent(new, of: request) && book.failure(of: request) == nil)
  }
}

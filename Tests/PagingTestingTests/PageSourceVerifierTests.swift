import Paging
import PagingTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct PageSourceVerifierTests {
  /// Stands still, so that no patience ends because other tests keep the machine busy.
  private let clock = ManualClock()

  // MARK: - Honest sources

  private func verify(_ makeSource: @escaping @Sendable () -> some PageSource) async -> VerifierReport {
    await PageSourceVerifier(clock: clock, makeSource: makeSource).verify()
  }

  @Test func anArrayIsAccepted() async {
    let report = await verify { ArrayPageSource(Sample.items(count: 33)) }
    #expect(report.isClean, "\(report)")
    #expect(report.skipped == [.invalidKey])
  }

  @Test func aBudgetWithoutALimitIsABudget() async {
    let report = await PageSourceVerifier(maxPages: .max, clock: clock) { ArrayPageSource(Sample.items(count: 33)) }
      .verify()
    #expect(report.isClean, "\(report)")
  }

  @Test func forwardOnlyCursorsAreAccepted() async {
    let report = await PageSourceVerifier(invalidKey: "nonsense", clock: clock) { cursorSource(count: 40) }.verify()
    #expect(report.isClean, "\(report)")
    #expect(Set(report.skipped) == [.wayBack, .wayForward, .counts, .refreshKey, .keyForIndex, .keyAround])
    #expect(report.checked.contains(.invalidKey))
  }

  @Test(arguments: [1, 20, 33]) func pageNumbersAreAccepted(count: Int) async {
    let report = await verify { numberedSource(count: count) }
    #expect(report.isClean, "\(report)")
    #expect(report.checked.contains(.counts))
  }

  @Test func sortKeysThatGoBothWaysAreAccepted() async {
    let report = await PageSourceVerifier(pageSize: 7, invalidKey: .after(timestamp: 5, id: 5), clock: clock) {
      KeysetLikeSource(count: 50)
    }.verify()
    #expect(report.isClean, "\(report)")
    #expect(report.checked.contains(.wayForward) && report.checked.contains(.invalidKey))
  }

  @Test(arguments: [0, 1, 2]) func shortListsAreAccepted(count: Int) async {
    let array = await verify { ArrayPageSource((0..<count).map { Number(id: $0) }) }
    #expect(array.isClean, "\(array)")
    let cursors = await verify { CursorPageSource<Int, Number> { _ in Page((0..<count).map { Number(id: $0) }) } }
    #expect(cursors.isClean, "\(cursors)")
    let keyset = await verify { KeysetLikeSource(count: count) }
    #expect(keyset.isClean, "\(keyset)")
  }

  @Test func aListThatBeginsInTheMiddleIsAccepted() async {
    let report = await verify { UnreadSource() }
    #expect(report.isClean, "\(report)")
  }

  @Test func aSourceWithAnIsolationOfItsOwnIsAccepted() async {
    let report = await verify { IsolatedSource() }
    #expect(report.isClean, "\(report)")
  }

  @Test func aSessionWhoseKeysRepeatIsAccepted() async {
    let report = await verify { SessionSource() }
    #expect(report.isClean, "\(report)")
    #expect(report.skipped.contains(.repeatability) && report.skipped.contains(.concurrency))
  }

  @Test(arguments: [1, 5, 200]) func anyPageSizeWillDo(size: Int) async {
    let report = await PageSourceVerifier(pageSize: size, clock: clock) { HundredSource(count: 60) }.verify()
    #expect(report.isClean, "\(report)")
    let planted = await PageSourceVerifier(pageSize: size, clock: clock) { PlantedSource() }.verify()
    #expect(planted.isClean, "\(planted)")
  }

  // MARK: - Planted faults

  @Test(arguments: SourcePlant.ofKeys + SourcePlant.ofSizes + SourcePlant.ofAnswers)
  func aFaultIsFoundByItsCheck(plant: SourcePlant) async throws {
    let invalidKey = plant.check == .invalidKey ? 999 : nil
    let report = await PageSourceVerifier(invalidKey: invalidKey, clock: clock, makeSource: plant.make).verify()
    let failure = try #require(report.failures.first, "nothing was found")
    #expect(failure.check == plant.check, "\(report)")
    #expect(failure.message.hasSuffix("."), "it is a sentence")
    #expect(report.description.contains("✘ \(plant.check.rawValue): "))
  }

  @Test func aLoadThatNeverEndsCostsPatienceOnly() async {
    let (clock, trap) = (ManualClock(), Trap())
    async let report = PageSourceVerifier(clock: clock) {
      PlantedSource {
        $0.loading = { params, base in
          if params.key == 10 { await trap.stayIn() }
          return try await base.load(params)
        }
      }
    }.verify()
    await trap.caught()
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(10))
    #expect(await report.failures.map(\.check) == [.returns])
    trap.open()
  }

  @Test(arguments: [false, true]) func aLoadThatCancellationDoesNotEndIsFound(isUnderWay: Bool) async {
    let (clock, trap) = (ManualClock(), Trap())
    let hasLoaded = Mutex(false)
    let comesNext = Mutex(false)
    async let report = PageSourceVerifier(clock: clock) {
      PlantedSource {
        $0.loading = { params, base in
          // The check for blocked threads comes first, and cancels its load once that waits: not the one to be caught.
          let isFirst = hasLoaded.withLock { hasLoaded in
            defer { hasLoaded = true }
            return !hasLoaded
          }
          if isFirst { return try await base.load(params) }
          if isUnderWay {
            if comesNext.withLock({ $0 }) {
              // The load after one that was cancelled before it began: it stays on its way until it is cancelled.
              try? await Gate().pass()
            } else if Task.isCancelled {
              comesNext.withLock { $0 = true }
              throw CancellationError()
            }
          }
          if Task.isCancelled { await trap.stayIn() }
          return try await base.load(params)
        }
      }
    }.verify()
    await trap.caught()
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(10))
    let found = await report
    #expect(found.failures.map(\.check) == [.cancellation], "\(found)")
    #expect(found.failures.first?.message.contains(isUnderWay ? "on its way" : "before it began") == true)
    trap.open()
  }

  @Test func aLoadThatKeepsItsThreadIsFound() async {
    let (clock, blockade) = (ManualClock(), Blockade())
    async let report = PageSourceVerifier(clock: clock) {
      PlantedSource {
        $0.loading = { params, base in
          blockade.block()
          return try await base.load(params)
        }
      }
    }.verify()
    await blockade.reached()
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    #expect(await report.failures.map(\.check) == [.blocking])
    blockade.open()
  }

  @Test func cancellingTheVerifierEndsIt() async {
    let trap = Trap()
    let verifying = Task {
      await PageSourceVerifier {
        PlantedSource {
          $0.loading = { params, base in
            if params.key == 10 { await trap.stayIn() }
            return try await base.load(params)
          }
        }
      }.verify()
    }
    await trap.caught()
    verifying.cancel()
    let report = await verifying.value
    #expect(report.failures == [VerifierFailure(.loads, "Verifying was cancelled.")])
    trap.open()
  }

  // MARK: - The report

  @Test func aReportSaysWhatHeldAndWhatDidNot() async {
    let report = await PageSourceVerifier { PlantedSource.spoiling { $1.itemsBefore = 0 } }.verify()
    #expect(report.failures.count == 3, "of one check the first three failures")
    let lines = report.description.split(separator: "\n")
    #expect(lines.first == "3 broken, \(report.checked.count) checks made")
    #expect(lines[1] == "✘ counts: append(key: 5, loadSize: 5) says itemsBefore 0, and 5 rows precede it.")
    #expect(lines.contains { $0.hasPrefix("held: blocking, returns, loads") && !$0.contains("counts") })
    #expect(lines.last == "not applicable: refreshKey, keyForIndex, keyAround, invalidKey")
    #expect(VerifierReport().description == "nothing broken, 0 checks made")
  }
}

import Paging

// What a mediator must do, check by check. Each but the first begins with a store of its own.
extension MediatorTrial {
  /// Refreshes on a thread of its own, and looks whether anything else gets to run there.
  mutating func checkBlocking() async {
    findings.begin(.blocking)
    guard let pair = await pair(in: .blocking) else { return }
    let request = request(.refresh, Stored(pages: []))
    do {
      try await LoadLane.letPass({ _ = try? await pair.mediator.load(request) }, within: patience)
    } catch {
      let call = text(.refresh, Stored(pages: []))
      guard let lost = error as? OutOfPatience else { return findings.threw(error, call, in: .blocking) }
      findings.gaveUp(
        .blocking,
        "\(call) has held its thread for \(lost.patience). A load must suspend while it waits: take an async call, or "
          + "hand blocking work to a queue of its own.")
    }
  }

  /// Fetches the whole list once: what everything else is compared with.
  ///
  /// - Returns: Whether there is a list to go on with.
  mutating func fill() async -> Bool {
    guard let pair = await pair(in: .initialize) else { return false }
    for check in [VerifierCheck.returns, .initialize, .storedRows] { findings.begin(check) }
    do {
      _ = try await patience.wait { await pair.mediator.initialize() }
    } catch {
      findings.threw(error, "initialize()", in: .initialize)
      return false
    }
    guard let before = await stored(pair, in: .storedRows, after: "nothing was done") else { return false }
    findings.begin(.remoteRefresh)
    guard let result = await load(.refresh, before, pair, in: .remoteRefresh),
      let first = await stored(pair, in: .remoteRefresh, after: text(.refresh, before))
    else { return false }
    if first.ids.isEmpty, !result.endReached {
      findings.fail(
        .remoteRefresh,
        "\(text(.refresh, before)) left the source without rows and did not say that the end is reached. Write what was "
          + "fetched before the load returns, to the store that the source reads.")
      return false
    }
    beginning = first.ids
    guard let behind = await grow(.append, first, pair, isAtEnd: result.endReached, in: .remoteAppend),
      let all = await grow(.prepend, behind, pair, isAtEnd: false, in: .remotePrepend)
    else { return false }
    list = all.ids
    return true
  }

  /// Loads one way until the end is said to be reached, and once more.
  private mutating func grow(
    _ type: LoadType, _ from: Stored, _ pair: Pair, isAtEnd saidEnd: Bool, in check: VerifierCheck
  ) async -> Stored? {
    findings.begin(check)
    findings.begin(.remoteEnd)
    var (stored, isAtEnd, idle, loads) = (from, saidEnd, 0, 0)
    while !isAtEnd {
      let call = text(type, stored)
      guard loads < maxLoads else {
        findings.fail(
          .remoteEnd,
          "After \(loads) loads (.\(type)) and \(stored.ids.count) rows the end is not reached. Say endReached where "
            + "nothing follows; for a list that is longer than that, raise maxLoads or take a shorter one.")
        return nil
      }
      guard let step = await step(type, stored, pair, in: check) else { return nil }
      loads += 1
      idle = step.stored.ids.count > stored.ids.count ? 0 : idle + 1
      if idle == config.emptyPageBudget, !step.endReached {
        findings.fail(
          check,
          "\(call) is load number \(idle) in a row that adds no row and does not say that the end is reached: a pager "
            + "stops there.")
        return nil
      }
      (stored, isAtEnd) = (step.stored, step.endReached)
    }
    guard let more = await step(type, stored, pair, in: check) else { return nil }
    let added = more.stored.ids.count - stored.ids.count
    if added > 0 {
      findings.fail(
        .remoteEnd,
        "The end was said to be reached (.\(type)), and \(text(type, stored)) added \(added) rows: a pager would not have "
          + "asked for them. Say endReached only where nothing follows.")
      return nil
    }
    if !more.endReached {
      findings.fail(
        .remoteEnd, "The end was said to be reached (.\(type)), and \(text(type, stored)) says that it is not.")
    }
    return more.stored
  }

  private mutating func step(
    _ type: LoadType, _ stored: Stored, _ pair: Pair, in check: VerifierCheck
  ) async -> (stored: Stored, endReached: Bool)? {
    let call = text(type, stored)
    guard let result = await load(type, stored, pair, in: check),
      let now = await self.stored(pair, in: check, after: call)
    else { return nil }
    let (old, new) = (stored.ids, now.ids)
    let stays = type == .append ? Array(new.prefix(old.count)) == old : Array(new.suffix(old.count)) == old
    guard stays else {
      findings.fail(
        check,
        "\(call) did not leave the \(old.count) rows as they were \(type == .append ? "and add" : "and put") rows "
          + "\(type == .append ? "behind" : "in front of") them: the source serves \(new.count) rows now.")
      return nil
    }
    return (now, result.endReached)
  }

  /// A pair whose store holds the whole list, or what the first refresh brings.
  private mutating func filled(in check: VerifierCheck, wholly: Bool) async -> (pair: Pair, stored: Stored)? {
    guard let pair = await pair(in: check), await load(.refresh, Stored(pages: []), pair, in: check) != nil else {
      return nil
    }
    if wholly {
      await checkRest(of: pair, in: check, after: "load(.refresh)")
      if findings.has(check) { return nil }
    }
    guard let stored = await stored(pair, in: check, after: "load(.refresh)") else { return nil }
    return (pair, stored)
  }

  // MARK: - Again

  /// Refreshes when all rows are there, and goes on from there.
  mutating func checkRefreshAgain() async {
    guard let (pair, before) = await filled(in: .refreshAgain, wholly: true) else { return }
    findings.begin(.refreshAgain)
    guard await load(.refresh, before, pair, in: .refreshAgain) != nil,
      let now = await stored(pair, in: .refreshAgain, after: "another load(.refresh)")
    else { return }
    if now.ids.isEmpty, !before.ids.isEmpty {
      return findings.fail(.refreshAgain, "Another load(.refresh) left the source without rows.")
    }
    await checkRest(of: pair, in: .refreshAgain, after: "another load(.refresh)")
  }

  /// Appends twice from the same state, as after a failure, or when the pager has not yet shown what came.
  mutating func checkAppendAgain() async {
    guard let (pair, before) = await filled(in: .appendAgain, wholly: false) else { return }
    findings.begin(.appendAgain)
    for _ in 0..<2 {
      guard await load(.append, before, pair, in: .appendAgain) != nil else { return }
    }
    await checkRest(of: pair, in: .appendAgain, after: "\(text(.append, before)), twice")
  }

  /// Appends and prepends with nothing loaded, to an untouched store.
  mutating func checkEmptyState() async {
    guard let pair = await pair(in: .emptyState) else { return }
    findings.begin(.emptyState)
    let nothing = Stored(pages: [])
    for type in [LoadType.append, .prepend] {
      guard await load(type, nothing, pair, in: .emptyState) != nil else { return }
    }
    let event = "load(.append) and load(.prepend) with nothing loaded"
    guard let now = await stored(pair, in: .emptyState, after: event) else { return }
    if let gap = gap(in: now.ids) { return findings.fail(.emptyState, "After \(event), \(gap).") }
    guard await load(.refresh, now, pair, in: .emptyState) != nil else { return }
    await checkRest(of: pair, in: .emptyState, after: "\(event), and load(.refresh)")
  }

  // MARK: - Company

  /// Reads the store while rows are appended; then refreshes while an append that was cancelled may still be under way.
  mutating func checkConcurrency() async {
    guard let (pair, before) = await filled(in: .concurrency, wholly: false) else { return }
    findings.begin(.concurrency)
    let (append, patience, trial) = (request(.append, before), patience, self)
    do {
      async let reading = trial.read(pair.source)
      _ = try await patience.wait { try await pair.mediator.load(append) }
      let ids = try await reading.ids
      if Set(ids).count != ids.count {
        return findings.fail(.concurrency, "Read while an append wrote, the source served a row twice.")
      }
    } catch {
      return findings.threw(error, "\(text(.append, before)) while the source was read", in: .concurrency)
    }
    guard let now = await stored(pair, in: .concurrency, after: text(.append, before)) else { return }
    let (next, refresh) = (request(.append, now), request(.refresh, now))
    let isLate = Task { try? await pair.mediator.load(next) }
    // It is in the middle of its work by now, if it ever waits.
    for _ in 0..<16 { await Task.yield() }
    isLate.cancel()
    let event = "load(.refresh) beside a load(.append) that was cancelled for it"
    do {
      _ = try await patience.wait { try await pair.mediator.load(refresh) }
      _ = try await patience.wait { await isLate.value }
    } catch {
      return findings.threw(error, event, in: .concurrency)
    }
    await checkRest(of: pair, in: .concurrency, after: event)
  }

  // MARK: - Cancellation

  /// Cancels loads before they begin and on their way; then everything must go on as if they had never been.
  mutating func checkCancellation() async {
    for isUnderWay in [false, true] {
      for type in [LoadType.append, .refresh] {
        guard let (pair, before) = await filled(in: .cancellation, wholly: false) else { return }
        findings.begin(.cancellation)
        await cancel(type, before, pair, isUnderWay: isUnderWay)
        if findings.has(.cancellation) { return }
      }
    }
  }

  private mutating func cancel(_ type: LoadType, _ before: Stored, _ pair: Pair, isUnderWay: Bool) async {
    let request = request(type, before)
    let call = "\(text(type, before)), cancelled \(isUnderWay ? "on its way" : "before it began")"
    do {
      _ = try await patience.wait(cancelling: isUnderWay) {
        if !isUnderWay { withUnsafeCurrentTask { $0?.cancel() } }
        return try await pair.mediator.load(request)
      }
    } catch let lost as OutOfPatience {
      return findings.gaveUp(
        .cancellation,
        "\(call), has not ended within \(lost.patience). Check for cancellation, or pass it on to what the load waits for."
      )
    } catch {
      // Whatever a cancelled load throws is right, unless it is the task that verifies that was cancelled.
      if Task.isCancelled { return findings.threw(error, call, in: .cancellation) }
    }
    guard let now = await stored(pair, in: .cancellation, after: call) else { return }
    if now.ids.isEmpty, !before.ids.isEmpty {
      return findings.fail(
        .cancellation,
        "After \(call), the store was empty. Clear it only when the new rows are there, at once with writing them.")
    }
    await checkRest(of: pair, in: .cancellation, after: call)
  }
}

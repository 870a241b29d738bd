import Paging

// How a source behaves: blocked threads, cancellation, company, keys from nowhere.
extension SourceTrial {
  /// Loads the first page on a thread of its own, and looks whether anything else gets to run there.
  ///
  /// Made first: a source that blocks could hold all threads that the other checks run on.
  mutating func checkBlocking() async {
    findings.begin(.blocking)
    let (source, params) = (makeSource(), firstParams)
    do {
      try await LoadLane.letPass({ _ = try? await source.load(params) }, within: patience)
    } catch {
      guard let lost = error as? OutOfPatience else { return findings.threw(error, text(params), in: .blocking) }
      findings.gaveUp(
        .blocking,
        "\(text(params)) has held its thread for \(lost.patience). A load must suspend while it waits: "
          + "take an async call, or hand blocking work to a queue of its own.")
    }
  }

  /// Cancels loads before they begin and on their way.
  mutating func checkCancellation() async {
    guard !findings.isOver else { return }
    findings.begin(.cancellation)
    for step in [steps.first { $0.params.type == .refresh }, steps.last { $0.params.type == .append }] {
      guard let step else { continue }
      let (source, params) = (source, step.params)
      for isUnderWay in [false, true] {
        let when = isUnderWay ? "on its way" : "before it began"
        do {
          let page = try await patience.wait(cancelling: isUnderWay) {
            if !isUnderWay { withUnsafeCurrentTask { $0?.cancel() } }
            return try await source.load(params)
          }
          if !source.allowsRepeatedKeys, let difference = mismatch(page, step) {
            findings.fail(
              .cancellation,
              "\(text(params)), cancelled \(when), returned \(difference). A cancelled load throws, or returns what it "
                + "would have returned.")
          }
        } catch let lost as OutOfPatience {
          return findings.gaveUp(
            .cancellation,
            "\(text(params)), cancelled \(when), has not ended within \(lost.patience). Check for "
              + "cancellation, or pass it on to what the load waits for.")
        } catch {
          // Whatever a cancelled load throws is right, unless it is the task that verifies that was cancelled.
          if Task.isCancelled { return findings.threw(error, text(params), in: .cancellation) }
        }
      }
      guard !source.allowsRepeatedKeys, let page = await page(params, from: source, in: .cancellation) else { continue }
      if let difference = mismatch(page, step) {
        findings.fail(
          .cancellation,
          "After \(text(params)) was cancelled, the same load gave \(difference): it left something behind.")
      }
    }
  }

  /// Loads pages at the same time from one source.
  mutating func checkConcurrency() async {
    guard !findings.isOver else { return }
    guard !source.allowsRepeatedKeys, !findings.has(.repeatability) else { return findings.skip(.concurrency) }
    findings.begin(.concurrency)
    let (fresh, patience) = (makeSource(), patience)
    let chosen = sample(steps.count, 6).map { steps[$0] }
    for _ in 0..<3 {
      let results = await withTaskGroup(of: (Int, Result<SourcePage, any Error>).self) { group in
        for number in 0..<chosen.count * 2 {
          let params = chosen[number / 2].params
          group.addTask {
            do {
              return (number / 2, .success(try await patience.wait { try await fresh.load(params) }))
            } catch {
              return (number / 2, .failure(error))
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for (number, result) in results {
        let call = "\(text(chosen[number].params)) beside other loads"
        switch result {
        case .success(let page):
          if let difference = mismatch(page, chosen[number]) {
            findings.fail(.concurrency, "\(call) gave \(difference). A pager loads at both edges at the same time.")
          }
        case .failure(let error): findings.threw(error, call, in: .concurrency)
        }
      }
      if findings.has(.concurrency) { return }
    }
  }

  /// Loads with a key that no page has.
  mutating func check(invalidKey key: Key?) async {
    guard !findings.isOver else { return }
    guard let key else { return findings.skip(.invalidKey) }
    findings.begin(.invalidKey)
    let params = Params(.append, key: key, loadSize: pageSize)
    do {
      let page = try await load(params, from: source)
      findings.fail(
        .invalidKey,
        "\(text(params)) gave \(page.items.count) rows \(sketch(page.items.map(\.id))) in place of an error. "
          + "Throw PagingError(.invalidKey) for a key that is wrong, or .cursorExpired for one that was good once.")
    } catch {
      if Task.isCancelled || error is OutOfPatience { findings.threw(error, text(params), in: .invalidKey) }
    }
  }
}

import Loading
import Synchronization

// What the shell does with a mediator: asks it how to begin, and runs its loads. Its tasks hold the core weakly too.
extension PagerCore {
  func openMediator(_ id: UInt64) {
    guard let mediator else { return }
    let task = Task.detached { [weak self] in
      let action = await mediator.initialize()
      guard let self else { return }
      self.guarded.withLock { _ = $0.loads.removeValue(forKey: id) }
      self.perform { $0.mediatorInitialized(action, now: $1) }
    }
    keep(task, for: id)
  }

  func mediate(_ id: UInt64, _ type: LoadType, _ loaded: LoadedPages) {
    guard let mediator else { return }
    let request = MediatorRequest(type, state: loaded.state(Key.self, Item.self, config: config))
    let task = Task.detached { [weak self, retry = config.retry, sleep = clock.sleep] in
      let result = await Self.result(of: request, mediator, retry: retry, sleep: sleep) { self }
      switch result {
      case .success(let result): self?.perform { $0.mediatorLoaded(id, endReached: result.endReached, now: $1) }
      case .failure(let error): self?.perform { $0.mediatorFailed(id, error, now: $1) }
      case nil: break
      }
    }
    keep(task, for: id)
  }

  /// Runs one load of a mediator, again and again where the retry policy says so.
  ///
  /// - Returns: Nil when it was cancelled: whoever did that has put its state in order already.
  private static func result(
    of request: MediatorRequest<Key, Item>, _ mediator: any Mediator<Key, Item>, retry: RetryPolicy,
    sleep: @Sendable (Duration) async throws -> Void, core: () -> PagerCore?
  ) async -> Result<MediatorResult, any Error>? {
    var attempt = 1
    while true {
      do {
        return .success(try await mediator.load(request))
      } catch {
        if Task.isCancelled { return nil }
        guard let delay = core()?.delay(after: attempt, error, retry) else { return .failure(error) }
        attempt += 1
        do { try await sleep(delay) } catch { return nil }
      }
    }
  }
}

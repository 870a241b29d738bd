import Synchronization

/// Brings what a load delivers, on any thread, to the main actor in order, with one hop for all that has come until it
/// lands.
///
/// Also ends the load: whoever cancels may come before the load's own end is known.
final class BindingMailbox: Sendable {
  private struct State {
    weak var token: ImageBindingToken?
    var deliveries: [Result<ImageUpdate, any Error>] = []
    var isOnItsWay = false
    var isClosed = false
    var hasEnded = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whom deliveries are for; not held.
  func address(to token: ImageBindingToken) { state.withLock { $0.token = token } }

  /// What ends the load; called at once where it is to end already. Held until then only, since it holds the load,
  /// which holds this.
  func attach(_ cancel: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed, !state.hasEnded { state.cancel = cancel }
      return state.isClosed
    }
    if isClosed { cancel() }
  }

  /// Ends the load; nothing is delivered from here on.
  func close() {
    let (cancel, dropped) = state.withLock { state in
      defer {
        state.isClosed = true
        state.cancel = nil
        state.deliveries = []
      }
      return (state.cancel, state.deliveries)
    }
    cancel?()
    // What was dropped goes outside the lock.
    withExtendedLifetime(dropped) {}
  }

  /// Takes a delivery; those that come after the end are left out.
  func deliver(_ delivery: Result<ImageUpdate, any Error>) {
    let (isToHop, ended) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard !state.isClosed else { return (false, nil) }
      state.deliveries.append(delivery)
      var ended: (@Sendable () -> Void)?
      switch delivery {
      case .success(.progress), .success(.preview): break
      case .success(.image), .failure:
        state.hasEnded = true
        swap(&ended, &state.cancel)
      }
      defer { state.isOnItsWay = true }
      return (!state.isOnItsWay, ended)
    }
    // What would have ended it goes outside the lock.
    withExtendedLifetime(ended) {}
    if isToHop { Task { @MainActor in land() } }
  }

  @MainActor private func land() {
    let (deliveries, token) = state.withLock { state in
      defer {
        state.isOnItsWay = false
        state.deliveries = []
      }
      return (state.deliveries, state.token)
    }
    token?.take(deliveries)
  }
}

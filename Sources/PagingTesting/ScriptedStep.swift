public import Paging

extension ScriptedPageSource {
  /// What one load of a scripted source does.
  public struct Step: Sendable {
    private let outcome: @Sendable (ManualClock) async throws -> Page<Key, Item>

    /// Returns a page.
    ///
    /// - Parameters:
    ///   - page: What to return.
    ///   - delay: How long it takes on the source's clock; default none.
    public static func page(_ page: Page<Key, Item>, after delay: Duration = .zero) -> Step {
      Step { clock in
        try await clock.sleep(for: delay)
        return page
      }
    }

    /// Fails.
    ///
    /// - Parameters:
    ///   - error: What to throw.
    ///   - delay: How long it takes on the source's clock; default none.
    public static func failure(_ error: any Error, after delay: Duration = .zero) -> Step {
      Step { clock in
        try await clock.sleep(for: delay)
        throw error
      }
    }

    /// Says that the data changed under the load: throws `PagingError.invalidated`.
    public static var invalid: Step { failure(PagingError.invalidated) }

    /// Never returns, until it is cancelled.
    public static var hang: Step {
      Step { _ in
        try await Gate().pass()
        throw CancellationError()
      }
    }

    /// Waits until the gate is open, then does what `step` says.
    ///
    /// - Parameters:
    ///   - gate: What to wait at.
    ///   - step: What to do then.
    public static func held(by gate: Gate, _ step: Step) -> Step {
      Step { clock in
        try await gate.pass()
        return try await step.run(on: clock)
      }
    }

    /// The same step with bad manners: cancelled or not, it takes its time and then returns or throws as if nothing
    /// were.
    ///
    /// `hang.ignoringCancellation` never ends at all, so the task that loads outlives its test.
    public var ignoringCancellation: Step {
      Step { clock in
        // A task of its own, since cancellation doesn't reach it.
        try await Task { try await self.run(on: clock) }.value
      }
    }

    private init(_ outcome: @escaping @Sendable (ManualClock) async throws -> Page<Key, Item>) {
      self.outcome = outcome
    }

    func run(on clock: ManualClock) async throws -> Page<Key, Item> {
      try await outcome(clock)
    }
  }
}

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import Dispatch
  public import ImageLoading

  extension ImageLoader {
    /// Forwards the system's word on memory to this loader: its warnings as ``/ImageLoading/MemoryPressure/moderate``,
    /// its last ones as ``/ImageLoading/MemoryPressure/critical``.
    ///
    /// - Parameter animations: Stand still for five seconds after a warning; default: those of the shared budget.
    /// - Returns: What ends it; so does letting go of it.
    public func forwardingMemoryWarnings(pausing animations: AnimationBudget = .shared) -> MemoryWarningForwarding {
      MemoryWarningForwarding([
        Self.source(of: .warning) { [weak self] in
          self?.trimMemory(.moderate)
          animations.pause(for: .seconds(5))
        },
        Self.source(of: .critical) { [weak self] in
          self?.trimMemory(.critical)
          animations.pause(for: .seconds(5))
        },
      ])
    }

    private static func source(
      of event: DispatchSource.MemoryPressureEvent, _ react: @escaping @Sendable () -> Void
    ) -> any DispatchSourceMemoryPressure {
      let source = DispatchSource.makeMemoryPressureSource(eventMask: event, queue: .global())
      source.setEventHandler(handler: react)
      source.resume()
      return source
    }
  }

  /// Forwards warnings to a loader as long as it is kept.
  public final class MemoryWarningForwarding {
    private let sources: [any DispatchSourceMemoryPressure]

    init(_ sources: [any DispatchSourceMemoryPressure]) { self.sources = sources }

    deinit { for source in sources { source.cancel() } }
  }
#endif

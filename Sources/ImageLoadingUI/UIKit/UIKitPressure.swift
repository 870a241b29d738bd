#if canImport(UIKit) && !os(watchOS)
  public import ImageLoading
  import UIKit

  extension ImageLoader {
    /// Forwards the system's word on memory to this loader: its warnings as ``/ImageLoading/MemoryPressure/low``, the
    /// way to the background as ``/ImageLoading/MemoryPressure/background``.
    ///
    /// - Parameter animations: Stand still for five seconds after a warning; default: those of the shared budget.
    /// - Returns: What ends it; so does letting go of it.
    @MainActor public func forwardingMemoryWarnings(
      pausing animations: AnimationBudget = .shared
    ) -> MemoryWarningForwarding {
      MemoryWarningForwarding([
        NotificationObserver(UIApplication.didReceiveMemoryWarningNotification) { [weak self] in
          self?.trimMemory(.low)
          animations.pause(for: .seconds(5))
        },
        NotificationObserver(UIApplication.didEnterBackgroundNotification) { [weak self] in
          self?.trimMemory(.background)
        },
      ])
    }
  }

  /// Forwards warnings to a loader as long as it is kept.
  @MainActor public final class MemoryWarningForwarding {
    private let observers: [NotificationObserver]

    fileprivate init(_ observers: [NotificationObserver]) { self.observers = observers }
  }

  private final class NotificationObserver {
    private let token: any NSObjectProtocol

    init(_ name: Notification.Name, _ react: @escaping @Sendable () -> Void) {
      token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in react() }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
  }
#endif

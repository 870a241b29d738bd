public import PagingCache
import Synchronization

/// A validator that says of keys and pages what a test told it, and otherwise that they are good.
///
/// Every member may be used from any thread. All keys that it is asked for are kept, so memory grows with them.
public final class FakeValidator<Item: Sendable>: PaginatorValidator {
  private struct State {
    var keys: [String: PageValidity] = [:]
    var pages: [String: PageValidity] = [:]
    var askedForKeys: [String] = []
  }

  private let state = Mutex(State())

  /// A validator that finds everything good.
  public init() {}

  /// What to say of a key from now on.
  public func set(_ validity: PageValidity, ofKey key: String) {
    state.withLock { $0.keys[key] = validity }
  }

  /// What to say of the pages of a key from now on.
  public func set(_ validity: PageValidity, ofPage key: String) {
    state.withLock { $0.pages[key] = validity }
  }

  /// What was said of the page's key.
  public func validate(_ page: PaginatorPage<Item>) -> PageValidity {
    state.withLock { $0.pages[page.key] ?? .valid }
  }

  /// What was said of the key.
  public func validate(key: String) -> PageValidity {
    state.withLock { state in
      state.askedForKeys.append(key)
      return state.keys[key] ?? .valid
    }
  }

  /// The keys that the validator was asked for, in order.
  public var askedForKeys: [String] { state.withLock { $0.askedForKeys } }
}

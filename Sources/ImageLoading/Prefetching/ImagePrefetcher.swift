import Synchronization

/// Loads what will be wanted soon as a window moves over a list: the rows ahead of those on screen.
///
/// ```swift
/// let prefetcher = ImagePrefetcher(loader)
/// prefetcher.update(rowsAhead.map { ImageRequest($0.avatar, target: .fill(size)) })
/// ```
///
/// What was in the window before goes on, what has left it is cancelled, what is new begins, in the order of the list.
/// Nothing is asked for twice while it stays in the window. Letting go of the prefetcher cancels all that it has begun;
/// what others have joined meanwhile goes on. Every member may be used from any thread.
public final class ImagePrefetcher: Sendable {
  private struct Slot {
    let request: ImageRequest
    /// Tells this stay in the window from others of the same request.
    let id: UInt64
    /// Its place in the window.
    var rank: Int
    var handle: PrefetchHandle?
  }

  private struct State {
    var slots: [ImageKey: Slot] = [:]
    var nextID: UInt64 = 0
    var isPaused = false
  }

  private let loader: any ImageProviding
  private let destination: PrefetchDestination
  private let state = Mutex(State())
  /// Whatever moves the window, which lives as long as this.
  private let mover = Mutex<(any Sendable)?>(nil)

  /// A prefetcher with nothing in its window.
  ///
  /// - Parameters:
  ///   - loader: Who loads.
  ///   - destination: How far; default: decoded, into memory.
  public init(_ loader: any ImageProviding, to destination: PrefetchDestination = .memory) {
    self.loader = loader
    self.destination = destination
  }

  /// Moves the window: exactly these are wanted soon, the most wanted first. Requests for the same picture count once.
  ///
  /// O(n) in the requests of the old window and the new one.
  public func update(_ requests: [ImageRequest]) {
    let keyed = requests.map { (key: ImageKeys($0).final, request: $0) }
    let (left, begun) = state.withLock { state -> ([Slot], [(ImageKey, UInt64, ImageRequest)]) in
      var slots: [ImageKey: Slot] = [:]
      var begun: [(ImageKey, UInt64, ImageRequest)] = []
      for (key, request) in keyed where slots[key] == nil {
        if var slot = state.slots.removeValue(forKey: key) {
          slot.rank = slots.count
          slots[key] = slot
          continue
        }
        state.nextID += 1
        slots[key] = Slot(request: request, id: state.nextID, rank: slots.count)
        if !state.isPaused { begun.append((key, state.nextID, request)) }
      }
      defer { state.slots = slots }
      return (Array(state.slots.values), begun)
    }
    for slot in left { slot.handle?.cancel() }
    begin(begun)
  }

  /// Cancels one request and takes it out of the window; others go on. It begins again when a later window has it.
  public func cancel(_ request: ImageRequest) {
    let slot = state.withLock { $0.slots.removeValue(forKey: ImageKeys(request).final) }
    slot?.handle?.cancel()
  }

  /// Cancels all and empties the window.
  public func cancelAll() { update([]) }

  /// Whether nothing is loaded for now; default false. Setting it cancels what runs; what is in the window by the time
  /// that it is set back begins again, and what was done by then costs a look.
  public var isPaused: Bool {
    get { state.withLock { $0.isPaused } }
    set {
      let (ended, begun) = state.withLock { state -> ([PrefetchHandle], [(ImageKey, UInt64, ImageRequest)]) in
        guard state.isPaused != newValue else { return ([], []) }
        state.isPaused = newValue
        var ended: [PrefetchHandle] = []
        var begun: [(ImageKey, UInt64, ImageRequest)] = []
        // Each gets a new ID, so that a load that is just beginning for the old one finds itself unwanted.
        for (key, slot) in state.slots.sorted(by: { $0.value.rank < $1.value.rank }) {
          state.nextID += 1
          if let handle = slot.handle { ended.append(handle) }
          state.slots[key] = Slot(request: slot.request, id: state.nextID, rank: slot.rank)
          if !newValue { begun.append((key, state.nextID, slot.request)) }
        }
        return (ended, begun)
      }
      for handle in ended { handle.cancel() }
      begin(begun)
    }
  }

  /// Keeps what moves the window. It must not keep this prefetcher.
  package func keep(_ mover: any Sendable) {
    // What is replaced goes outside the lock.
    _ = self.mover.withLock { kept in
      defer { kept = mover }
      return kept
    }
  }

  private func begin(_ begun: [(ImageKey, UInt64, ImageRequest)]) {
    for (key, id, request) in begun {
      let handle = loader.prefetch([request], to: destination)
      let isWanted = state.withLock { state in
        guard state.slots[key]?.id == id else { return false }
        state.slots[key]?.handle = handle
        return true
      }
      if !isWanted { handle.cancel() }
    }
  }
}

import Paging

/// A simulation in a trace, at its own time: the reader's gestures and waits, the pager's loads and drops, the
/// requests, and how many rows are held.
struct SimulationTrace: Sendable {
  private static let gestures = TraceTrack("reader", rank: 1)
  private static let waits = TraceTrack("waits", rank: 2)

  private let process: TraceProcess
  private var gesture: TraceSlice?
  private var wait: TraceSlice?
  private var held = 0

  /// The simulation is that process of a trace.
  init(_ process: TraceProcess) {
    self.process = process
  }

  /// Hears a pager.
  var observer: PagingObserver { process.observer }

  mutating func gestureBegan(_ kind: Gesture.Kind, to top: Int) {
    gesture = process.begin(kind.rawValue, on: Self.gestures, "reader", ["row": .number(top)])
  }

  mutating func gestureEnded() {
    if let slice = gesture { process.end(slice) }
    gesture = nil
  }

  /// Whether rows on screen are missing, and how many rows are held.
  mutating func looked(isWaiting: Bool, held: Int) {
    if isWaiting, wait == nil { wait = process.begin("row not there", on: Self.waits, "reader") }
    if !isWaiting, let slice = wait {
      process.end(slice)
      wait = nil
    }
    if held != self.held { process.count("rows held", held) }
    self.held = held
  }

  /// The reader opens the list, or leaves it.
  func visit(_ number: Int, begins: Bool) {
    process.instant(
      begins ? "opens the list" : "leaves the list", on: Self.gestures, "reader", ["visit": .number(number)])
  }

  func requestBegan(_ rows: Range<Int>, for type: LoadType) -> TraceSlice {
    process.begin(
      "rows \(rows.lowerBound) to \(rows.upperBound)", on: .requests(type), "http", ["rows": .number(rows.count)])
  }

  func requestEnded(_ slice: TraceSlice, bytes: Int, isCancelled: Bool) {
    process.end(slice, isCancelled ? ["outcome": "cancelled"] : ["status": 200, "bytes": .number(bytes)])
  }
}

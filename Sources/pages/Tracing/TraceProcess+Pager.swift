import Loading
import Paging
import Synchronization

extension TraceProcess {
  /// Hears one pager, and puts its events into the trace, each named by what caused it.
  var observer: PagingObserver {
    let slices = Slices()
    return { event in
      switch (event.name, event.phase) {
      case ("load", .begin), ("mediatorLoad", .begin):
        slices.begin(event.id, self.begin(event.title, on: event.track, event.category, event.arguments))
      case ("load", .end), ("mediatorLoad", .end):
        if let slice = slices.end(event.id) { self.end(slice, event.arguments) }
      default:
        self.instant(event.title, on: event.track, event.category, event.arguments)
      }
    }
  }
}

/// The loads of one pager that are under way.
private final class Slices: Sendable {
  private let open = Mutex<[UInt64: TraceSlice]>([:])

  func begin(_ id: UInt64, _ slice: TraceSlice) { open.withLock { $0[id] = slice } }
  func end(_ id: UInt64) -> TraceSlice? { open.withLock { $0.removeValue(forKey: id) } }
}

extension PagingEvent {
  /// What a trace calls it: what caused it, and where.
  var title: String {
    switch name {
    case "load": cause + (loadType == .refresh ? "" : " \(edge)")
    case "mediatorLoad": "mediator: " + cause + (loadType == .refresh ? "" : " \(edge)")
    case "pagesDropped":
      switch (reason, loadType) {
      case ("retention", _): "let go: nobody looked"
      case (_, .append?): "let go over the cap: grew \(edge)"
      case (_, .prepend?): "let go over the cap: grew \(edge)"
      default: "let go over the cap"
      }
    case "duplicatesDropped": "rows left out: here already"
    case "generation": reason == "close" ? "list closed" : "list starts over: \(reason ?? "")"
    default: name
    }
  }

  private var cause: String {
    switch reason {
    case "viewport": purpose == .prefetch ? "prefetch" : "row on screen missing"
    case "start": "first load"
    case "restore": "saved place restored"
    case "empty": "after an empty page"
    case "invalidation": "refresh: list changed"
    case "expiry": "restart: cursor expired"
    case "command": "load more"
    case "mediator": "refresh: mediator stored rows"
    case let reason?: reason
    case nil: name
    }
  }

  private var edge: String { loadType == .prepend ? "at prepend edge" : "at append edge" }

  fileprivate var track: TraceTrack {
    switch (name, loadType) {
    case ("load", let type?): .loads(type)
    case ("mediatorLoad", let type?): .mediator(type)
    default: .list
    }
  }

  fileprivate var category: String {
    switch name {
    case "load", "mediatorLoad": "load"
    case "pagesDropped": "drop"
    default: "list"
    }
  }

  fileprivate var arguments: TraceEvent.Arguments {
    var arguments: TraceEvent.Arguments = [:]
    arguments["reason"] = reason.map { .text($0) }
    arguments["keys"] = keyKind.map { .text($0.rawValue) }
    arguments["outcome"] = outcome.map { .text($0) }
    arguments["rows"] = itemCount.map { .number($0) }
    arguments["pages"] = pageCount.map { .number($0) }
    arguments["duplicates"] = droppedDuplicates.map { .number($0) }
    return arguments
  }
}

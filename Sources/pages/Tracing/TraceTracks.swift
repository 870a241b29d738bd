/// A row of a trace, by its name.
struct TraceTrack: Hashable, Sendable {
  let name: String
  /// Where it stands among the others; smaller is higher.
  let rank: Int

  init(_ name: String, rank: Int) {
    self.name = name
    self.rank = rank
  }
}

/// Something that lasts, between its begin and its end.
struct TraceSlice: Hashable, Sendable {
  let number: UInt64
}

/// The tracks of one process of a trace, and what is going on on each: decides which events tell what happened. Pure.
///
/// Slices of one track that overlap are put on tracks beside each other, since a viewer takes those of one track to lie
/// in each other. Holds what is going on, and the tracks.
struct TraceTracks: Sendable {
  private struct Lane {
    let number: Int
    var slice: Open?
  }

  private struct Open {
    let number: UInt64
    let name: String
    let category: String
  }

  private let process: Int
  private var lanes: [TraceTrack: [Lane]] = [:]
  private var laneCount = 0
  private var sliceCount: UInt64 = 0

  /// The tracks of the process of that number.
  init(process: Int) {
    self.process = process
  }

  /// What tells a viewer the name of the process.
  func named(_ name: String) -> [TraceEvent] {
    [
      TraceEvent("process_name", .metadata, process: process, track: 0, ["name": .text(name)]),
      TraceEvent("process_sort_index", .metadata, process: process, track: 0, ["sort_index": .number(process)]),
    ]
  }

  /// Something began.
  mutating func begin(
    _ name: String, on track: TraceTrack, _ category: String, at time: Duration, _ arguments: TraceEvent.Arguments
  ) -> (slice: TraceSlice, events: [TraceEvent]) {
    sliceCount += 1
    let lane = freeLane(of: track)
    lanes[track]?[lane.index].slice = Open(number: sliceCount, name: name, category: category)
    let event = TraceEvent(
      name, .begin, category: category, at: time, process: process, track: lane.number, arguments)
    return (TraceSlice(number: sliceCount), lane.events + [event])
  }

  /// It ended; nothing where it had ended before.
  mutating func end(_ slice: TraceSlice, at time: Duration, _ arguments: TraceEvent.Arguments) -> [TraceEvent] {
    for (track, lanes) in lanes {
      for (index, lane) in lanes.enumerated() {
        guard let open = lane.slice, open.number == slice.number else { continue }
        self.lanes[track]?[index].slice = nil
        return [end(open, on: lane.number, at: time, arguments)]
      }
    }
    return []
  }

  /// Something happened that takes no time.
  mutating func instant(
    _ name: String, on track: TraceTrack, _ category: String, at time: Duration, _ arguments: TraceEvent.Arguments
  ) -> [TraceEvent] {
    let lane = lane(0, of: track)
    return lane.events
      + [TraceEvent(name, .instant, category: category, at: time, process: process, track: lane.number, arguments)]
  }

  /// A number is another from now on.
  func count(_ name: String, at time: Duration, _ value: Int) -> [TraceEvent] {
    [TraceEvent(name, .counter, category: "memory", at: time, process: process, track: 0, [name: .number(value)])]
  }

  /// The trace ends: so does all that is going on.
  mutating func endAll(at time: Duration) -> [TraceEvent] {
    var events: [TraceEvent] = []
    for lane in lanes.values.joined().sorted(by: { $0.number < $1.number }) {
      guard let open = lane.slice else { continue }
      events.append(end(open, on: lane.number, at: time, ["outcome": "still under way at the end of the trace"]))
    }
    for (track, lanes) in lanes {
      for index in lanes.indices { self.lanes[track]?[index].slice = nil }
    }
    return events
  }

  private func end(
    _ open: Open, on lane: Int, at time: Duration, _ arguments: TraceEvent.Arguments
  ) -> TraceEvent {
    TraceEvent(open.name, .end, category: open.category, at: time, process: process, track: lane, arguments)
  }

  private mutating func freeLane(of track: TraceTrack) -> (index: Int, number: Int, events: [TraceEvent]) {
    let known = lanes[track] ?? []
    let index = known.firstIndex { $0.slice == nil } ?? known.count
    let (number, events) = lane(index, of: track)
    return (index, number, events)
  }

  private mutating func lane(_ index: Int, of track: TraceTrack) -> (number: Int, events: [TraceEvent]) {
    if let known = lanes[track], known.indices.contains(index) { return (known[index].number, []) }
    laneCount += 1
    lanes[track, default: []].append(Lane(number: laneCount))
    let name = index == 0 ? track.name : "\(track.name) \(index + 1)"
    return (
      laneCount,
      [
        TraceEvent("thread_name", .metadata, process: process, track: laneCount, ["name": .text(name)]),
        TraceEvent(
          "thread_sort_index", .metadata, process: process, track: laneCount, ["sort_index": .number(track.rank)]),
      ]
    )
  }
}

import Foundation
import Synchronization

/// Writes a trace to a file as things happen: a JSON array that may be cut off after any event, and that ``close()``
/// ends.
///
/// Callable from any thread. Holds what is going on, no event that is over.
final class TraceRecorder: Sendable {
  private struct State {
    var tracks: [(tracks: TraceTracks, now: @Sendable () -> Duration)] = []
    var events = 0
    var isClosed = false
    var failure: WriteFailure?
  }

  private let file: Descriptor
  private let state = Mutex(State())

  /// A trace that is written to `file`, from its first byte on.
  init(to file: Descriptor) {
    self.file = file
  }

  /// How many events were written.
  var eventCount: Int { state.withLock { $0.events } }
  /// Why the file is not whole, where it isn't.
  var failure: WriteFailure? { state.withLock { $0.failure } }

  /// Another process of the trace: a group of tracks with a time of its own.
  ///
  /// - Parameter now: The time since the trace began, for what happens in that process.
  func process(_ name: String, now: @escaping @Sendable () -> Duration) -> TraceProcess {
    let number = state.withLock { state in
      let tracks = TraceTracks(process: state.tracks.count + 1)
      state.tracks.append((tracks, now))
      write(tracks.named(name), &state)
      return state.tracks.count
    }
    return TraceProcess(self, number)
  }

  /// Ends all that is going on, and the file. What comes later is left out.
  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      for index in state.tracks.indices {
        let now = state.tracks[index].now()
        write(state.tracks[index].tracks.endAll(at: now), &state)
      }
      put(state.events == 0 ? "[\n]\n" : "\n]\n", &state)
      state.isClosed = true
    }
  }

  /// Lets a process's tracks decide on events, at its time, and writes them.
  fileprivate func record<R>(
    _ process: Int, _ event: (inout TraceTracks, Duration) -> (result: R, events: [TraceEvent])
  ) -> R {
    // Time is read under the lock: so the events of a process are in its order.
    state.withLock { state in
      let now = state.tracks[process - 1].now()
      let (result, events) = event(&state.tracks[process - 1].tracks, now)
      write(events, &state)
      return result
    }
  }

  private func write(_ events: [TraceEvent], _ state: inout State) {
    guard !state.isClosed else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for event in events {
      guard let json = try? encoder.encode(event) else { continue }
      put((state.events == 0 ? "[\n" : ",\n") + String(decoding: json, as: UTF8.self), &state)
      state.events += 1
    }
  }

  private func put(_ text: String, _ state: inout State) {
    guard state.failure == nil else { return }
    do { try file.write(text.utf8) } catch { state.failure = error }
  }
}

/// One process of a trace: what happens in it is told here. Callable from any thread.
final class TraceProcess: Sendable {
  /// The trace that it is part of.
  let recorder: TraceRecorder
  private let number: Int

  fileprivate init(_ recorder: TraceRecorder, _ number: Int) {
    self.recorder = recorder
    self.number = number
  }

  /// Something began.
  func begin(
    _ name: String, on track: TraceTrack, _ category: String, _ arguments: TraceEvent.Arguments = [:]
  ) -> TraceSlice {
    recorder.record(number) { tracks, now in
      let (slice, events) = tracks.begin(name, on: track, category, at: now, arguments)
      return (slice, events)
    }
  }

  /// It ended.
  func end(_ slice: TraceSlice, _ arguments: TraceEvent.Arguments = [:]) {
    recorder.record(number) { tracks, now in ((), tracks.end(slice, at: now, arguments)) }
  }

  /// Something happened that takes no time.
  func instant(_ name: String, on track: TraceTrack, _ category: String, _ arguments: TraceEvent.Arguments = [:]) {
    recorder.record(number) { tracks, now in ((), tracks.instant(name, on: track, category, at: now, arguments)) }
  }

  /// A number is another from now on.
  func count(_ name: String, _ value: Int) {
    recorder.record(number) { tracks, now in ((), tracks.count(name, at: now, value)) }
  }
}

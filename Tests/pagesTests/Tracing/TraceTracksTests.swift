import Foundation
import LoadingHTTP
import Paging
import PagingTesting
import Testing

@testable import pages

@Suite struct TraceTracksTests {
  private let track = TraceTrack("loads", rank: 1)

  @Test func whatOverlapsStandsOnTracksBesideEachOther() {
    var tracks = TraceTracks(process: 7)
    let first = tracks.begin("a", on: track, "c", at: .zero, [:])
    let second = tracks.begin("b", on: track, "c", at: .microseconds(1), [:])
    #expect(first.events.map(\.name) == ["thread_name", "thread_sort_index", "a"])
    #expect(second.events.first?.arguments == ["name": "loads 2"])
    #expect(first.events.last?.track != second.events.last?.track)
    let end = tracks.end(first.slice, at: .microseconds(2), ["rows": 3])
    #expect(end.map(\.name) == ["a"] && end.first?.track == first.events.last?.track && end.first?.time == 2)
    #expect(tracks.end(first.slice, at: .microseconds(3), [:]).isEmpty)
    let third = tracks.begin("c", on: track, "c", at: .microseconds(4), [:])
    #expect(third.events.map(\.name) == ["c"], "the first track is free again, and has its name")
    #expect(tracks.endAll(at: .microseconds(5)).map(\.name) == ["c", "b"])
    #expect(tracks.endAll(at: .microseconds(6)).isEmpty)
  }

  @Test func whatComesAfterTheEndIsLeftOut() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = TraceRecorder(to: try Descriptor(file: path, appending: false))
    let process = recorder.process("p") { .microseconds(3) }
    let slice = process.begin("quote \" and \n", on: track, "c")
    // As it goes: what was told is in the file, which a viewer takes without its end.
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(TraceSchema(Data((text + "]").utf8)).events.count == 5)
    recorder.close()
    process.end(slice)
    recorder.close()
    let trace = try TraceSchema(file: path)
    #expect(trace.faults == [])
    #expect(trace.arguments("E", "quote").count == 1)
    #expect(recorder.failure == nil && recorder.eventCount == trace.events.count)
  }

  @Test func eachCauseOfALoadHasItsName() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = TraceRecorder(to: try Descriptor(file: path, appending: false))
    let process = recorder.process("p") { .zero }
    struct Broken: Error {}
    let clock = ManualClock()
    let source = ScriptedPageSource<Int, SampleItem>(clock: clock) { params in
      let key = params.key ?? 0
      if key == 30 { return .failure(Broken()) }
      return .page(Page((key..<key + 10).map { SampleItem(id: $0) }, nextKey: key + 10))
    }
    let pager = Pager(
      config: PagingConfig(pageSize: 10, prefetchDistance: 5, initialLoadSize: 10), observer: process.observer,
      source: source)
    await pager.settled()
    pager.viewportChanged(to: 0..<6, of: pager.snapshot)
    await pager.settled()
    pager.viewportChanged(to: 15..<20, of: pager.snapshot)
    await pager.settled()
    try? await pager.load(.append).finished()
    try? await pager.retry().finished()
    try await pager.refresh(from: .start).finished()
    pager.close()
    recorder.close()
    let trace = try TraceSchema(file: path)
    #expect(trace.faults == [])
    #expect(trace.names(on: "refresh") == ["first load", "refresh"])
    #expect(
      trace.names(on: "append") == [
        "prefetch at append edge", "row on screen missing at append edge", "load more at append edge",
        "retry at append edge",
      ])
    #expect(trace.arguments("E", "retry").first?["outcome"] as? String == "failed")
    #expect(trace.names(on: "list") == ["list starts over: refresh", "list closed"])
  }

  @Test func aStreamedRequestEndsWithItsBodyOrWhenItIsDropped() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = TraceRecorder(to: try Descriptor(file: path, appending: false))
    let server = try ListServer(ServedRows(count: 10) { "{\"id\": \($0)}" })
    let transport = TracedTransport(URLSessionTransport(), in: recorder.process("p") { .zero })
    let request = HTTPRequest(try #require(URL(string: server.url("/page?page=1"))))
    var size = 0
    for try await piece in try await transport.stream(request).body { size += piece.count }
    _ = try await transport.stream(request)
    await #expect(throws: HTTPError.self) {
      try await transport.send(HTTPRequest(try #require(URL(string: "http://127.0.0.1:1/gone"))))
    }
    recorder.close()
    let trace = try TraceSchema(file: path)
    #expect(trace.faults == [])
    let ends = trace.arguments("E", "GET /page")
    #expect(ends.first?["bytes"] as? Int == size && ends.first?["status"] as? Int == 200)
    #expect(ends.last?["outcome"] as? String == "left unread")
    #expect(trace.arguments("E", "GET /gone").first?["outcome"] as? String == "connectionFailed")
  }
}

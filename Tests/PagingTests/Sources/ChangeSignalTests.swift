import PagingTesting
import Testing

@testable import Paging

/// Counts the streams that were the last ones when they ended.
private final class LastEnds: Sendable {
  let count = Box(0)
  func stream(of signal: ChangeSignal<Row>) -> AsyncStream<SourceChange<Row>> {
    signal.stream { [count] in count.change { $0 += 1 } }
  }
}

@Suite(.timeLimit(.minutes(10))) struct ChangeSignalTests {
  /// Every script of sends and of reads of two streams: a read gives what that stream had unread, folded.
  @Test func P11_everyOrderOfSendsAndReadsOfTwoStreams() async throws {
    enum Step: CaseIterable {
      case all, first, second, readOne, readTwo
    }
    var scripts: [[Step]] = [[]]
    for _ in 0..<5 { scripts = scripts.flatMap { script in Step.allCases.map { script + [$0] } } }
    for script in scripts {
      let signal = ChangeSignal<Row>()
      let streams = [signal.stream(), signal.stream()]
      var unread = [UnreadChanges<Row>(), UnreadChanges<Row>()]
      for step in script + [.readOne, .readTwo] {
        let change: SourceChange<Row>
        switch step {
        case .all: change = .everything
        case .first: change = .items([Row(id: 1, title: "a")])
        case .second: change = .items([Row(id: 1, title: "b"), Row(id: 2)])
        case .readOne, .readTwo:
          let number = step == .readOne ? 0 : 1
          // What has nothing unread would wait.
          guard let expected = told(unread[number].take()) else { continue }
          var iterator = streams[number].makeAsyncIterator()
          let read = told(await iterator.next())
          if read != expected { Issue.record("\(script): read \(read ?? "nothing") instead of \(expected)") }
          continue
        }
        signal.send(change)
        unread[0].fold(change)
        unread[1].fold(change)
      }
    }
    #expect(scripts.count == 3_125)
  }

  @Test func P11_aWaitingReaderIsToldAtOnceAndMoreThanTheLimit() async throws {
    let signal = ChangeSignal<Row>()
    let stream = signal.stream()
    let reader = Task { await stream.first { _ in true } }
    // Until it waits, what is sent is folded, and a probe is read like any other change.
    let many = SourceChange.items(rows(0..<2_000))
    try await until { signal.waitingReaders != 0 }
    signal.send(many)
    let read = await value(of: reader)
    #expect(told(read) == told(many))
  }

  @Test func P11_itemsOfNothingAreNotTold() async throws {
    let signal = ChangeSignal<Row>()
    let stream = signal.stream()
    signal.send(.items([]))
    signal.send(.items([Row(id: 1)]))
    var iterator = stream.makeAsyncIterator()
    #expect(told(await iterator.next()) == "1")
    let waiting = Task { await stream.first { _ in true } }
    try await until { signal.waitingReaders != 0 }
    signal.send(.items([]))
    signal.send(.everything)
    #expect(told(await value(of: waiting)) == "all")
  }

  @Test func whatWasSentBeforeAStreamIsNotForIt() async throws {
    let signal = ChangeSignal<Row>()
    signal.send(.everything)
    let stream = signal.stream()
    signal.send(.items([Row(id: 1)]))
    var iterator = stream.makeAsyncIterator()
    #expect(told(await iterator.next()) == "1")
  }

  @Test func aCancelledReaderEndsItsStreamAndNoOther() async throws {
    let (signal, ends) = (ChangeSignal<Row>(), LastEnds())
    let streams = [ends.stream(of: signal), ends.stream(of: signal)]
    let reader = Task { await streams[0].first { _ in true } }
    try await until { signal.waitingReaders != 0 }
    reader.cancel()
    #expect(told(await value(of: reader)) == nil)
    #expect(signal.isHeard && ends.count.value == 0)
    signal.send(.everything)
    var dead = streams[0].makeAsyncIterator()
    #expect(told(await dead.next()) == nil, "ended for good")
    var alive = streams[1].makeAsyncIterator()
    #expect(told(await alive.next()) == "all")
    let other = Task { await streams[1].first { _ in true } }
    other.cancel()
    #expect(told(await value(of: other)) == nil)
    #expect(!signal.isHeard && ends.count.value == 1)
  }

  @Test func aStreamThatIsLetGoIsForgotten() async throws {
    let (signal, ends) = (ChangeSignal<Row>(), LastEnds())
    do {
      let stream = ends.stream(of: signal)
      #expect(signal.isHeard)
      signal.send(.everything)
      for await _ in stream { break }
    }
    #expect(!signal.isHeard && ends.count.value == 1)
    do {
      let unread = ends.stream(of: signal)
      signal.send(.everything)
      withExtendedLifetime(unread) {}
    }
    #expect(!signal.isHeard && ends.count.value == 2)
  }

  @Test func aReleasedSignalEndsItsStreamsOnceTheyAreRead() async throws {
    var signal: ChangeSignal<Row>? = ChangeSignal()
    let read = signal?.stream()
    let unread = signal?.stream()
    let waiting = Task { await read?.first { _ in true } }
    try await until { signal?.waitingReaders != 0 }
    signal?.send(.everything)
    #expect(told(await value(of: waiting)) == "all")
    let end = Task { await read?.first { _ in true } }
    try await until { signal?.waitingReaders != 0 }
    signal = nil
    #expect(told(await value(of: end)) == nil)
    var iterator = unread?.makeAsyncIterator()
    #expect(told(await iterator?.next()) == "all")
    #expect(told(await iterator?.next()) == nil)
  }

  @Test func twoReadersOfOneStreamShareItsChanges() async throws {
    let signal = ChangeSignal<Row>()
    let stream = signal.stream()
    let first = Task { await stream.first { _ in true } }
    try await until { signal.waitingReaders >= 1 }
    let second = Task { await stream.first { _ in true } }
    try await until { signal.waitingReaders >= 2 }
    signal.send(.items([Row(id: 1)]))
    signal.send(.items([Row(id: 2)]))
    let (one, two) = (told(await value(of: first)), told(await value(of: second)))
    #expect(one == "1" && two == "2")
  }

  @Test func changesFromManyThreadsComeInOneOrderForAllStreams() async throws {
    let signal = ChangeSignal<Row>()
    let streams = (0..<3).map { _ in signal.stream() }
    await withTaskGroup { group in
      for sender in 0..<8 {
        group.addTask {
          for number in 0..<100 { signal.send(.items([Row(id: number % 10, title: "\(sender).\(number)")])) }
        }
      }
    }
    var read: [String?] = []
    for stream in streams {
      var iterator = stream.makeAsyncIterator()
      read.append(told(await iterator.next()))
    }
    #expect(read[0] != nil && read[0] == read[1] && read[1] == read[2])
  }

  // MARK: - Through a pager

  /// A source as its user writes it: a table that says when it was written to.
  private struct TableSource: PageSource {
    let server: ListServer
    let signal: ChangeSignal<Row>
    func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> {
      server.page(at: params.key, size: params.loadSize)
    }
    func changes() -> AsyncStream<SourceChange<Row>>? { signal.stream() }
  }

  @Test func P11_aPagerShowsWhatASourceSignals() async throws {
    let (server, signal) = (ListServer(count: 100), ChangeSignal<Row>())
    let pager = Pager(
      config: PagingConfig(pageSize: 10), clock: ManualClock(), source: TableSource(server: server, signal: signal))
    let other = Pager(
      config: PagingConfig(pageSize: 10), clock: ManualClock(), source: TableSource(server: server, signal: signal))
    await pager.settled()
    await other.settled()
    signal.send(.items([Row(id: 3, title: "fresher")]))
    for pager in [pager, other] {
      try await pager.first { $0[3].item?.title == "fresher" }
      #expect(pager.statistics.refresh.count == 1)
    }
    server.edit { $0.insert(Row(id: 500), at: 0) }
    for _ in 0..<100 { signal.send(.everything) }
    for pager in [pager, other] { try await pager.first { $0.ids.first == 500 } }
    pager.close()
    #expect(signal.isHeard, "the other still listens")
    other.close()
    try await until { !signal.isHeard }
    signal.send(.everything)
  }
}

import Paging
import PagingStore
import PagingStoreTesting
import PagingTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct RemoteVerifierTests {
  /// No source here blocks a thread or hangs. What a thread may be kept for, a tenth of this, is more than a busy machine
  /// makes one wait.
  private static let patience = Duration.seconds(300)

  struct Note: StoredItem, Equatable {
    let id: Int
    var text: String { "Note \(id)" }
    var sortKey: ListSortKey? { ListSortKey(Int64(id)) }
    enum CodingKeys: CodingKey { case id }
  }

  /// A place in the list that says more than it keeps, if it is told to forget.
  struct Place: Hashable, Codable, Sendable {
    var number: Int
    var isForgotten = false

    private enum Keys: CodingKey { case number }
    init(number: Int, isForgotten: Bool = false) { (self.number, self.isForgotten) = (number, isForgotten) }
    init(from decoder: any Decoder) throws {
      number = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .number)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(number, forKey: .number)
    }
  }

  /// Notes from the newest down, by the number of the one before.
  struct Feed: PageSource {
    var newest = 23
    var forgets = false
    var repeats: Int?

    @concurrent func load(_ params: LoadParams<Place>) async throws -> Page<Place, Note> {
      let first = (params.key?.number ?? newest + 1) - 1
      let last = max(1, first - params.loadSize + 1)
      guard first >= 1 else { return Page([]) }
      var notes = stride(from: first, through: last, by: -1).map { Note(id: $0) }
      if let repeats, params.key != nil { notes.append(Note(id: repeats)) }
      return Page(notes, nextKey: last > 1 ? Place(number: last, isForgotten: forgets) : nil)
    }

    var keyKind: KeyKind { .cursor }
  }

  @Test(arguments: [ListPolicy(), ListPolicy(order: .keyed)]) func aRemoteThatKeepsAllRulesIsAccepted(
    policy: ListPolicy
  ) async {
    let report = await RemoteVerifier(policy: policy, patience: Self.patience) { Feed() }.verify()
    #expect(report.isClean, "\(report)")
    for check in [VerifierCheck.loads, .remoteKeys, .itemCoding, .remoteList, .remoteReopened] {
      #expect(report.checked.contains(check), "\(check)")
    }
  }

  @Test(arguments: [0, 1, 2, 5, 6]) func shortListsAreAccepted(newest: Int) async {
    let report = await RemoteVerifier(patience: Self.patience) { Feed(newest: newest) }.verify()
    #expect(report.isClean, "\(report)")
  }

  @Test func aRankedListIsNotReadTwice() async {
    let report = await RemoteVerifier(policy: ListPolicy(order: .ranked(.session)), patience: Self.patience) { Feed() }
      .verify()
    #expect(report.isClean, "\(report)")
    #expect(report.skipped.contains(.remoteReopened))
  }

  // MARK: - Planted faults

  @Test func aKeyThatIsNotKeptWholeIsFound() async {
    let report = await RemoteVerifier(patience: Self.patience) { Feed(forgets: true) }.verify()
    #expect(report.failures.first?.check == .remoteKeys, "\(report)")
    #expect(report.failures.first?.message.contains("encode all of a key") == true, "\(report)")
    #expect(!report.checked.contains(.remoteList), "there is nothing to go on with")
  }

  @Test func aSourceThatIsBrokenIsFoundFirst() async {
    let report = await RemoteVerifier(patience: Self.patience) { Feed(repeats: 23) }.verify()
    #expect(report.failures.contains { $0.check == .uniqueIDs }, "\(report)")
    #expect(report.skipped.contains(.remoteKeys))
  }

  @Test func anItemThatIsNotKeptWholeIsFound() async {
    struct Half: StoredItem, Equatable {
      let id: Int
      var text = ""
      enum CodingKeys: CodingKey { case id }
    }
    let source = { @Sendable in
      ArrayPageSource((0..<12).map { Half(id: $0, text: "text \($0)") })
    }
    let report = await RemoteVerifier(patience: Self.patience, makeRemote: source).verify()
    #expect(report.failures.first?.check == .itemCoding, "\(report)")
  }

  @Test func keysThatSayOtherwiseThanThePagesAreFound() async {
    struct Upside: StoredItem, Equatable {
      let id: Int
      var sortKey: ListSortKey? { ListSortKey(Int64(id)) }
    }
    let source = { @Sendable in ArrayPageSource((0..<12).map { Upside(id: $0) }) }
    let report = await RemoteVerifier(policy: ListPolicy(order: .keyed), patience: Self.patience, makeRemote: source)
      .verify()
    #expect(report.failures.first?.check == .itemOrder, "\(report)")
  }

  @Test func aSourceThatSaysSomethingElseLaterIsFound() async {
    // All is well until the list is opened for the second time: by then the cursors mean other rows.
    let loads = StoredItemVerifierTests.Counter()
    struct Shifting: PageSource {
      let loads: StoredItemVerifierTests.Counter
      let limit: Int
      @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, Note> {
        let shift = loads.next() > limit && params.type == .append ? 1 : 0
        let first = (params.key ?? 24) - 1 - shift
        guard first >= 1 else { return Page([]) }
        let last = max(1, first - params.loadSize + 1)
        return Page(
          stride(from: first, through: last, by: -1).map { Note(id: $0) }, nextKey: last > 1 ? last : nil)
      }
      var keyKind: KeyKind { .cursor }
    }
    _ = await RemoteVerifier(patience: Self.patience) { Shifting(loads: loads, limit: .max) }.verify()
    let all = loads.next() - 1
    let again = StoredItemVerifierTests.Counter()
    let report = await RemoteVerifier(patience: Self.patience) { Shifting(loads: again, limit: all - 1) }.verify()
    #expect(report.failures.first?.check == .remoteReopened, "\(report)")
  }
}

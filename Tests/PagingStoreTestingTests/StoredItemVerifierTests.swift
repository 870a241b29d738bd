import Foundation
import PagingStore
import PagingStoreTesting
import PagingTesting
import Testing

@Suite struct StoredItemVerifierTests {
  /// A value that several threads share.
  final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    // Protected by the lock.
    private var number = 0

    func next() -> Int {
      lock.withLock {
        number += 1
        return number
      }
    }
  }

  /// An item that keeps all rules.
  struct Post: StoredItem, Equatable {
    let id: String
    var text: String
    var place: Int64
    var revision: Int64 = 1
    var tags: [String] = []
    var isLiked: Bool?

    var version: Int64? { revision }
    var sortKey: ListSortKey? { ListSortKey(place) }

    static let samples = [
      Post(id: "10", text: "", place: .max), Post(id: "9", text: "ä👍\0\"\\\n", place: 9, tags: ["a", "b"]),
      Post(id: "1", text: String(repeating: "long ", count: 1_000), place: 3, isLiked: false),
      Post(id: "01", text: "null", place: 2), Post(id: "", text: "nothing", place: .min, revision: .max - 1),
    ]
  }

  @Test func anItemThatKeepsAllRulesIsAccepted() async {
    let report = await StoredItemVerifier(
      Post.samples, order: .keyed, newer: { $0.revision += 1 }, edit: { $0.isLiked = !($0.isLiked ?? false) }
    ).verify()
    #expect(report.isClean, "\(report)")
    #expect(report.checked.count == 7)
    #expect(report.skipped.isEmpty)
  }

  @Test func whatDoesNotApplyIsLeftOut() async {
    let report = await StoredItemVerifier(Post.samples).verify()
    #expect(report.isClean, "\(report)")
    #expect(report.skipped == [.itemVersion, .itemOrder, .itemEdit])
  }

  @Test func aCoderOfOnesOwnIsUsed() async {
    var config = ListStoreConfig()
    config.coder = ItemCoder(
      encode: { try PropertyListEncoder().encode($0) }, decode: { try PropertyListDecoder().decode($0, from: $1) })
    let report = await StoredItemVerifier(
      Post.samples.filter { $0.text != "ä👍\0\"\\\n" }, config: config, edit: { $0.text += "!" }
    ).verify()
    #expect(report.isClean, "\(report)")
  }

  // MARK: - What can't be looked at

  @Test func tooFewItemsAreNoSamples() async {
    for few in [[], [Post.samples[0]], [Post.samples[0], Post.samples[0]]] {
      let report = await StoredItemVerifier(few).verify()
      #expect(report.failures.map(\.check) == [.itemSamples], "\(report)")
      #expect(report.checked == [.itemSamples])
    }
  }

  @Test func aConfigurationOutOfRangeIsToldOnce() async {
    var config = ListStoreConfig()
    config.maxItems = 0
    let report = await StoredItemVerifier(Post.samples, config: config).verify()
    #expect(report.failures.map(\.check) == [.itemSamples])
    #expect(report.failures.first?.message.contains("maxItems") == true)
  }

  // MARK: - Planted faults

  private func check<Item: StoredItem & Equatable>(
    _ items: [Item], finds check: VerifierCheck, saying word: String, order: ListPolicy.Order = .cursor,
    newer: (@Sendable (inout Item) -> Void)? = nil, edit: (@Sendable (inout Item) -> Void)? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async {
    let report = await StoredItemVerifier(items, order: order, newer: newer, edit: edit).verify()
    let found = report.failures.filter { $0.check == check }
    #expect(!found.isEmpty && found.count <= 3, "\(report)", sourceLocation: location)
    #expect(found.first?.message.contains(word) == true, "\(report)", sourceLocation: location)
  }

  @Test func aPropertyThatIsNotEncodedIsFound() async {
    struct Forgetful: StoredItem, Equatable {
      let id: Int
      var text = ""
      enum CodingKeys: CodingKey { case id }
    }
    await check([Forgetful(id: 1, text: "kept?"), Forgetful(id: 2)], finds: .itemCoding, saying: "kept?")
  }

  @Test func anItemThatCannotBeEncodedIsFoundWithItsCause() async {
    struct Refusing: StoredItem, Equatable {
      let id: Int
      init(id: Int) { self.id = id }
      init(from decoder: any Decoder) throws { id = 0 }
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(id, .init(codingPath: [], debugDescription: "not today"))
      }
    }
    await check([Refusing(id: 1), Refusing(id: 2)], finds: .itemCoding, saying: "not today")
  }

  @Test func idsThatAreEncodedAlikeAreFound() async {
    struct Key: Hashable, Codable, Sendable {
      var account: Int
      var number: Int
      enum CodingKeys: CodingKey { case number }
      init(account: Int, number: Int) { (self.account, self.number) = (account, number) }
      init(from decoder: any Decoder) throws {
        account = 1
        number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
      }
    }
    struct Mail: StoredItem, Equatable { let id: Key }
    await check(
      [Mail(id: Key(account: 1, number: 7)), Mail(id: Key(account: 2, number: 7))], finds: .itemIdentity,
      saying: "encoded alike")
  }

  @Test func bytesThatDifferEachTimeAreFound() async {
    struct Moody: StoredItem, Equatable {
      let id: Int
      static let counter = Counter()
      init(id: Int) { self.id = id }
      private enum Keys: CodingKey { case id, moment }
      init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .id)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(id, forKey: .id)
        try container.encode(Self.counter.next(), forKey: .moment)
      }
    }
    await check([Moody(id: 1), Moody(id: 2)], finds: .itemBytes, saying: "counts as changed")
  }

  @Test func aVersionThatDoesNotRiseIsFound() async {
    await check(Post.samples, finds: .itemVersion, saying: "must rise", newer: { $0.text += "!" })
    await check(
      Post.samples, finds: .itemVersion, saying: "must rise",
      newer: {
        $0.text += "!"
        $0.revision -= 1
      })
  }

  @Test func aVersionThatIsNotThereIsFound() async {
    struct Plain: StoredItem, Equatable {
      let id: Int
      var text = ""
    }
    await check([Plain(id: 1), Plain(id: 2)], finds: .itemVersion, saying: "nil", newer: { $0.text += "!" })
  }

  @Test func sortKeysThatRiseDownwardAreFound() async {
    struct Upside: StoredItem, Equatable {
      let id: Int
      var sortKey: ListSortKey? { ListSortKey(Int64(-id)) }
    }
    await check([Upside(id: 3), Upside(id: 2), Upside(id: 1)], finds: .itemOrder, saying: "row 0", order: .keyed)
  }

  @Test func aSortKeyThatIsMissingIsFound() async {
    struct Keyless: StoredItem, Equatable { let id: Int }
    await check([Keyless(id: 2), Keyless(id: 1)], finds: .itemOrder, saying: "sortKey", order: .keyed)
  }

  @Test func anEditThatIsLostIsFound() async {
    struct Forgetful: StoredItem, Equatable {
      let id: Int
      var isLiked = false
      enum CodingKeys: CodingKey { case id }
    }
    await check(
      [Forgetful(id: 1), Forgetful(id: 2)], finds: .itemEdit, saying: "After the edit", edit: { $0.isLiked = true })
    await check(Post.samples, finds: .itemEdit, saying: "changes nothing", edit: { _ in })
  }
}

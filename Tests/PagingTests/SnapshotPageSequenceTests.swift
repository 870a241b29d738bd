import Loading
import Testing

@testable import Paging

@Suite struct SnapshotPageSequenceTests {
  private func check(_ sequence: PageSequence<Note>, _ model: [[Note]], _ random: inout SeededGenerator) {
    #expect(sequence.pageCount == model.count)
    let rows = model.joined().map(\.id)
    #expect(sequence.rowCount == rows.count)
    #expect(sequence.isEmpty == model.isEmpty)
    #expect(sequence.first?.items == model.first)
    #expect(sequence.last?.items == model.last)
    #expect(sequence.map(\.items) == model)
    guard !model.isEmpty else { return }
    for _ in 0..<4 {
      let page = Int.random(in: model.indices, using: &random)
      #expect(sequence.page(at: page).items == model[page])
      #expect(sequence.rowsBefore(pageAt: page) == model[..<page].joined().count)
      var rest = sequence.makeIterator(from: page)
      #expect(rest.next()?.items == model[page])
      let row = Int.random(in: rows.indices, using: &random)
      let place = sequence.place(ofRow: row)
      #expect(place.box.items[place.offset].id == rows[row])
      #expect(model[place.pageIndex] == place.box.items)
    }
    #expect(sequence.rowsBefore(pageAt: model.count) == rows.count)
    #expect(sequence.place(ofRow: rows.count - 1).pageIndex == model.count - 1)
  }

  /// A long script of changes at both ends, against an array; copies that were kept stay as they were.
  @Test(arguments: [1, 2, 0x5eed] as [UInt64])
  func randomScriptsAgreeWithAnArrayAndCopiesStay(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var sequence = PageSequence<Note>()
    var model: [[Note]] = []
    var kept: [(PageSequence<Note>, [[Note]])] = []
    var nextID = 0
    func page() -> [Note] {
      defer { nextID += 5 }
      return (nextID..<nextID + Int.random(in: 1...5, using: &random)).map { Note(id: $0) }
    }
    // Phases of growth and decline at either end, long enough for three levels.
    for phase in 0..<14 {
      let weights = (0..<4).map { _ in Int.random(in: 1...8, using: &random) }
      for step in 0..<Int.random(in: 50...900, using: &random) {
        var choice = Int.random(in: 0..<weights.reduce(0, +), using: &random)
        let kind = weights.firstIndex { weight in
          choice -= weight
          return choice < 0
        }
        switch kind {
        case 0:
          let items = page()
          sequence.append(PageBox(items))
          model.append(items)
        case 1:
          let items = page()
          sequence.prepend(PageBox(items))
          model.insert(items, at: 0)
        case 2:
          let removed = sequence.removeFirst()
          #expect(removed?.items == (model.isEmpty ? nil : model.removeFirst()))
        default:
          #expect(sequence.removeLast()?.items == model.popLast())
        }
        if !model.isEmpty, step % 7 == 0 {
          let index = Int.random(in: model.indices, using: &random)
          let items = model[index].map { Note(id: $0.id, text: "\(phase).\(step)") }
          sequence.replacePage(at: index, with: PageBox(items))
          model[index] = items
        }
        if step % 197 == 0 {
          check(sequence, model, &random)
          kept.append((sequence, model))
        }
      }
      if phase % 5 == 4 {
        while sequence.removeFirst() != nil { model.removeFirst() }
        check(sequence, model, &random)
      }
    }
    for (copy, model) in kept { check(copy, model, &random) }
  }

  @Test func manyPagesKeepLevelsLow() {
    var sequence = PageSequence<Note>()
    let box = PageBox([Note(id: 1), Note(id: 2)])
    for _ in 0..<33_000 { sequence.append(box) }
    #expect(sequence.tree.height <= 4)
    #expect(sequence.place(ofRow: 65_999).pageIndex == 32_999)
    for _ in 0..<32_990 { sequence.removeFirst() }
    #expect(sequence.tree.height == 1)
    #expect(sequence.pageCount == 10)
  }

  @Test func boxesFindRowsByHashAndIdentity() {
    struct Clash: Identifiable, Hashable {
      struct ID: Hashable {
        var number: Int
        func hash(into hasher: inout Hasher) {}
      }
      var id: ID
    }
    let box = PageBox((0..<5).map { Clash(id: Clash.ID(number: $0)) })
    for number in 0..<5 {
      #expect(box.offset(of: Clash.ID(number: number), hash: Clash.ID(number: 0).hashValue) == number)
    }
    #expect(box.offset(of: Clash.ID(number: 9), hash: Clash.ID(number: 9).hashValue) == nil)
    #expect(box.offset(of: Clash.ID(number: 1), hash: 12) == nil)
  }
}

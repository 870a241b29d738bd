/// What a stream of changes has not read yet, folded into one change.
///
/// Everything absorbs all; copies of items merge by identity, where the later copy wins and the place of the first is
/// kept. Memory: at most ``limit`` items; beyond that they become everything, which costs a load where they would have
/// cost none.
struct UnreadChanges<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// How many items are kept.
  static var limit: Int { 1_000 }

  private var isEverything = false
  private var items: [Item] = []
  private var places: [Item.ID: Int] = [:]

  /// One more change that was not read.
  mutating func fold(_ change: SourceChange<Item>) {
    guard !isEverything else { return }
    switch change.kind {
    case .everything: becomeEverything()
    case .items(let fresher):
      for item in fresher {
        if let place = places[item.id] {
          items[place] = item
        } else if items.count == Self.limit {
          return becomeEverything()
        } else {
          places[item.id] = items.count
          items.append(item)
        }
      }
    }
  }

  /// Hands over all that was folded; nil where there is nothing.
  mutating func take() -> SourceChange<Item>? {
    defer { self = UnreadChanges() }
    if isEverything { return .everything }
    return items.isEmpty ? nil : .items(items)
  }

  private mutating func becomeEverything() {
    self = UnreadChanges()
    isEverything = true
  }
}

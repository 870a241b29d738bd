/// Puts separators between rows, before the first and after the last.
///
/// Within a page they are asked for once, when it comes. Each end of a page has one of its own where that end's
/// neighbour is known; it is asked for again only when another neighbour stands there.
struct SeparatorInsertion<Item: Identifiable & Sendable, Separator: Hashable & Sendable>: PageTransform
where Item.ID: Sendable {
  typealias Row = SeparatedRow<Item, Separator>

  static var leavesRowsOut: Bool { false }
  static var looksAround: Bool { true }

  let separator: @Sendable (_ before: Item?, _ after: Item?) -> Separator?
  private var numbers = SeparatorNumbers<Separator>()

  init(_ separator: @escaping @Sendable (_ before: Item?, _ after: Item?) -> Separator?) {
    self.separator = separator
  }

  // MARK: - Pages

  mutating func page(
    of source: PageBox<Item>, between neighbours: PageNeighbours<Item>, replacing old: PageBox<Row>?,
    among pages: PageSequence<Row>
  ) -> PageBox<Row> {
    let former = old?.separated(Item.self, Separator.self)
    let front = PageBorder(neighbours.before)
    // An empty list is asked about once, at its front.
    let back = source.count == 0 ? PageBorder.unknown : PageBorder(neighbours.after)
    if let old, let former, former.front.border == front, former.back.border == back { return old }
    // From the first to the last, so that the first of several equals is the one with the plain identity.
    let first = end(front, was: former?.front, between: neighbours.before.last, and: source.items.first)
    let inner = former?.inner ?? innerSeparators(of: source)
    let last = end(back, was: former?.back, between: source.items.last, and: neighbours.after.first)
    return SeparatedPage(inner: inner, front: first, back: last).box(of: source)
  }

  private mutating func innerSeparators(of source: PageBox<Item>) -> [SeparatedPage<Separator>.Inner] {
    var inner: [SeparatedPage<Separator>.Inner] = []
    var before: Item?
    for (offset, item) in source.items.enumerated() {
      if let before, let separator = separator(before, item) {
        inner.append(.init(offset: offset, separator: numbers.number(separator)))
      }
      before = item
    }
    return inner
  }

  /// One end of a page: as it was where the neighbour is the same one, else asked for.
  private mutating func end(
    _ border: PageBorder, was former: SeparatedPage<Separator>.End?, between before: Item?, and after: Item?
  ) -> SeparatedPage<Separator>.End {
    if let former, former.border == border { return former }
    if let gone = former?.separator { numbers.free(gone) }
    guard border != .unknown else { return .init(border: border, separator: nil) }
    return .init(border: border, separator: separator(before, after).map { numbers.number($0) })
  }

  mutating func pageOfEmptyList(replacing old: PageBox<Row>?) -> PageBox<Row>? {
    if let old { return old }
    return page(
      of: PageBox([]), between: PageNeighbours(before: .end, after: .end), replacing: nil, among: PageSequence())
  }

  mutating func forget(_ page: PageBox<Row>) {
    guard let gone = page.separated(Item.self, Separator.self) else { return }
    for separator in gone.all { numbers.free(separator) }
  }
}

// MARK: - What a page keeps

/// What stands at one end of a page, as far as its separator depends on it.
private enum PageBorder: Equatable {
  case unknown
  case end
  case page(PageNode)

  init<Item>(_ neighbour: PageNeighbour<Item>) {
    switch neighbour {
    case .unknown: self = .unknown
    case .end: self = .end
    case .page(let page): self = .page(page)
    }
  }

  static func == (a: PageBorder, b: PageBorder) -> Bool {
    switch (a, b) {
    case (.unknown, .unknown), (.end, .end): true
    case (.page(let a), .page(let b)): a === b
    default: false
    }
  }
}

/// The separators of one page, and what they depend on.
private final class SeparatedPage<Separator: Hashable & Sendable>: Sendable {
  struct Inner: Sendable {
    /// The offset of the row behind it.
    let offset: Int
    let separator: NumberedSeparator<Separator>
  }

  struct End: Sendable {
    let border: PageBorder
    let separator: NumberedSeparator<Separator>?
  }

  let inner: [Inner]
  let front: End
  let back: End

  init(inner: [Inner], front: End, back: End) {
    self.inner = inner
    self.front = front
    self.back = back
  }

  var all: [NumberedSeparator<Separator>] {
    inner.map(\.separator) + [front.separator, back.separator].compactMap(\.self)
  }

  /// The page with its rows.
  func box<Item>(of source: PageBox<Item>) -> PageBox<SeparatedRow<Item, Separator>> {
    typealias Row = SeparatedRow<Item, Separator>
    var rows: [Row] = []
    var offsets: [Int] = []
    var extras: [Int] = []
    // Rows that go by another identity than their content's: equal separators, and items that an edit inserted.
    var aliases: [Int: Row.ID] = [:]
    rows.reserveCapacity(source.count + inner.count + 2)
    offsets.reserveCapacity(source.count + inner.count + 2)
    func put(_ separator: NumberedSeparator<Separator>?) {
      guard let separator else { return }
      extras.append(rows.count)
      offsets.append(PageOrigin.none)
      if separator.number > 0 {
        aliases[rows.count] = .separator(separator.separator, number: separator.number)
      }
      rows.append(.separator(separator.separator))
    }
    let known = source.origin?.extras ?? []
    var (nextInner, nextExtra) = (0, 0)
    put(front.separator)
    for (offset, item) in source.items.enumerated() {
      if nextInner < inner.count, inner[nextInner].offset == offset {
        put(inner[nextInner].separator)
        nextInner += 1
      }
      if nextExtra < known.count, known[nextExtra] == offset {
        extras.append(rows.count)
        nextExtra += 1
      }
      offsets.append(offset)
      if let alias = source.aliases?[offset] { aliases[rows.count] = .item(alias) }
      rows.append(.item(item))
    }
    put(back.separator)
    return PageBox(
      rows, hashes: rows.map(\.id.hashValue), aliases: aliases.isEmpty ? nil : aliases,
      origin: PageOrigin(of: source, offsets: offsets, extras: extras, detail: self))
  }
}

extension PageBox {
  fileprivate func separated<Source, Separator>(
    _ source: Source.Type, _ separator: Separator.Type
  ) -> SeparatedPage<Separator>? where Item == SeparatedRow<Source, Separator> {
    origin?.detail as? SeparatedPage<Separator>
  }
}

extension PageNeighbour {
  /// The row before a page.
  fileprivate var last: Item? {
    if case .page(let page) = self { page.items.last } else { nil }
  }

  /// The row after a page.
  fileprivate var first: Item? {
    if case .page(let page) = self { page.items.first } else { nil }
  }
}

// MARK: - Equal separators

/// A separator, and which of its equals it is.
struct NumberedSeparator<Separator: Hashable & Sendable>: Sendable {
  let separator: Separator
  let number: Int
}

/// Tells equal separators apart: by numbers, of which none is given twice as long as any of them stands.
private struct SeparatorNumbers<Separator: Hashable & Sendable>: Sendable {
  private struct Use {
    var standing = 0
    var next = 0
  }

  private var uses: [Separator: Use] = [:]

  mutating func number(_ separator: Separator) -> NumberedSeparator<Separator> {
    let use = uses[separator] ?? Use()
    defer { uses[separator] = Use(standing: use.standing + 1, next: use.next + 1) }
    return NumberedSeparator(separator: separator, number: use.next)
  }

  mutating func free(_ separator: NumberedSeparator<Separator>) {
    guard let use = uses[separator.separator] else { return }
    uses[separator.separator] = use.standing > 1 ? Use(standing: use.standing - 1, next: use.next) : nil
  }
}

import Paging
import PagingStore

/// A list on a screen: where the reader is, how the screen is shared out, and what of it was told to whom. No effects.
struct BrowseView<Item: BrowseItem> {
  private let list: BrowsedList<Item>
  private(set) var layout: BrowseLayout
  private var state: BrowseState<Item.ID>
  private var place: PicturePlace
  /// Whether rows are laid out with pictures; nil until there are rows that tell.
  private var hasPictures: Bool?
  private var seen: (version: UInt64, startLine: Bool)?
  private var reported: (version: UInt64, rows: Range<Int>)?
  private var shown: BrowsePicture?
  private var goesBack = false
  private var isOpening = true

  init(_ list: BrowsedList<Item>, lines: Int, columns: Int) {
    self.list = list
    place = list.pictures
    if case .at = place { hasPictures = true }
    if place == .nowhere { hasPictures = false }
    layout = BrowseLayout(columns: columns, lines: lines, hasPictures: hasPictures ?? false)
    state = BrowseState(height: layout.height)
  }

  /// Whether the first row is on screen.
  var isAtStart: Bool { state.model.isAtStart }

  // MARK: - What comes

  /// The screen has another size.
  mutating func resized(lines: Int, columns: Int) {
    lay(BrowseLayout(columns: columns, lines: lines, hasPictures: hasPictures ?? false))
    shown = nil
  }

  /// The list, and what is said of it, look like this now.
  mutating func listChanged(to snapshot: PagingSnapshot<Item>, _ news: BrowseNews) {
    let hasStartLine = BrowseWords(snapshot, news, list.explain).start != nil
    if let seen, seen == (snapshot.version, hasStartLine) { return }
    seen = (snapshot.version, hasStartLine)
    // The rows that come first settle the height of all.
    if hasPictures == nil, !snapshot.items.isEmpty {
      hasPictures = snapshot.items.prefix(50).contains { picture(of: $0) != nil }
      lay(BrowseLayout(columns: layout.columns, lines: layout.lines, hasPictures: hasPictures ?? false))
    }
    if isOpening, let opening = list.opening, !snapshot.items.isEmpty {
      isOpening = false
      state.model.go(to: opening, in: snapshot)
    }
    state.model.listChanged(to: snapshot, hasStartLine: hasStartLine)
  }

  /// A key was pressed.
  mutating func press(
    _ key: BrowseKey, in snapshot: PagingSnapshot<Item>, _ news: BrowseNews, at now: Duration
  ) -> BrowseState<Item.ID>.Wish? {
    let states = snapshot.states
    var facts = BrowseState<Item.ID>.Facts()
    facts.hasFailed = [LoadType.refresh, .prepend, .append].contains { states[$0].failure != nil }
    facts.isRefreshing = states.refresh.isLoading
    facts.beginsAtStart = states.prepend.isAtEnd
    facts.hasNewRows = news.newRows > 0
    if case .gap(let gap)? = snapshot[state.model.selected].item?.content { facts.gap = gap.fillableSides }
    let top = state.model.top
    let wish = state.press(key, in: snapshot, facts, at: now)
    if state.model.top != top { goesBack = state.model.top < top }
    return wish
  }

  /// The list begins anew, and its start is to be seen.
  mutating func goToStart() { state.model.willStartAgain() }

  /// A row that was found goes to the top, and not the one that the list was to open at, if that is still to come.
  mutating func go(to found: BrowsedList<Item>.Found, in snapshot: PagingSnapshot<Item>) {
    isOpening = false
    switch found {
    case .item(let id): state.model.go(to: id, in: snapshot)
    case .index(let index): state.model.go(toIndex: index, in: snapshot)
    }
  }

  /// Goes to a row among those that are held, if it is one of them.
  mutating func go(to target: BrowsePrompt.Target, in snapshot: PagingSnapshot<Item>) -> Bool {
    switch target {
    case .row(let number):
      // Only where the list's first row is known do indices tell how far it is.
      let isKnown =
        snapshot.total?.isExact == true || snapshot.placeholdersBefore > 0 || snapshot.states.prepend.isAtEnd
      guard isKnown, number > 0, number <= snapshot.count else { return false }
      state.model.go(toIndex: number - 1, in: snapshot)
      return true
    case .text(let text):
      guard let index = search(text, in: snapshot) else { return false }
      state.model.go(toIndex: index, in: snapshot)
      return true
    }
  }

  /// The next loaded row with that ID or text after the one under the cursor, from the start again after the end.
  private func search(_ text: String, in snapshot: PagingSnapshot<Item>) -> Int? {
    let first = snapshot.placeholdersBefore
    let count = snapshot.items.count
    guard count > 0 else { return nil }
    let start = max(0, min(state.model.selected - first + 1, count))
    let order = Array(start..<count) + Array(0..<start)
    let needle = text.lowercased()
    return order.first { offset in
      guard case .row(let json)? = snapshot[first + offset].item?.content else { return false }
      return RowFace(json).text.lowercased().contains(needle)
    }.map { first + $0 }
  }

  // MARK: - What follows

  /// The rows on screen, if they are others than were told last.
  mutating func takeViewport(of snapshot: PagingSnapshot<Item>) -> Range<Int>? {
    let rows = state.model.viewport
    if let reported, reported == (snapshot.version, rows) { return nil }
    reported = (snapshot.version, rows)
    return rows
  }

  /// The row that the reader would want to come back to; nil: it isn't known.
  func placeToKeep(in snapshot: PagingSnapshot<Item>) -> Item? {
    state.model.viewport.lazy.compactMap { snapshot[$0].item }.first {
      if case .row = $0.content { true } else { false }
    }
  }

  /// The pictures of rows on screen, and of those ahead, the way that the reader went last.
  func pictures(in snapshot: PagingSnapshot<Item>) -> (visible: [String], ahead: [String]) {
    let rows = state.model.viewport
    // The last one may be on screen in part.
    let visible = rows.lowerBound..<min(snapshot.count, rows.upperBound + 1)
    let reach = 2 * state.model.height
    let ahead =
      goesBack
      ? Array((max(0, visible.lowerBound - reach)..<visible.lowerBound).reversed())
      : Array(visible.upperBound..<min(snapshot.count, visible.upperBound + reach))
    func pictures(_ rows: some Sequence<Int>) -> [String] {
      rows.compactMap { snapshot[$0].item.flatMap { picture(of: $0) } }
    }
    return (pictures(visible), pictures(ahead))
  }

  /// What the terminal is to show.
  func picture(
    of snapshot: PagingSnapshot<Item>, _ news: BrowseNews,
    images: @escaping (String, PictureCells.Size) -> BrowsePicture.Image
  ) -> BrowsePicture {
    BrowsePicture(
      of: snapshot, state, layout, title: list.title, news: news, pictures: place,
      images: { [layout] url in layout.picture.map { images(url, $0) } ?? .failed }, explain: list.explain)
  }

  /// Whether `picture` isn't shown yet; then it is taken as shown.
  mutating func isNew(_ picture: BrowsePicture) -> Bool {
    if picture == shown { return false }
    shown = picture
    return true
  }

  private mutating func lay(_ layout: BrowseLayout) {
    self.layout = layout
    state.model.resized(to: layout.height)
  }

  private func picture(of item: Item) -> String? {
    guard case .row(let json) = item.content, let row = try? JSONSlice(checking: json) else { return nil }
    return place.picture(in: row)
  }
}

import Paging
import PagingStore

/// What the terminal shows of a list, line by line. Pure: a list and a place in it make a picture.
struct BrowsePicture: Equatable {
  /// How text looks.
  enum Look: Hashable { case plain, faint, strong, inverse }

  /// A part of a line that looks the same from end to end.
  struct Part: Hashable {
    var scalars: [UInt32]
    var look: Look
    /// -1: the terminal's own.
    var foreground: Int16 = -1
    /// -1: the terminal's own.
    var background: Int16 = -1
  }

  /// One line of the screen.
  struct Line: Hashable {
    var parts: [Part] = []

    /// The text in it, without what isolates text that is written from right to left.
    var text: String {
      var text = ""
      for number in parts.flatMap(\.scalars) where !(0x2066...0x2069).contains(number) {
        if let scalar = Unicode.Scalar(number) { text.unicodeScalars.append(scalar) }
      }
      return text
    }

    /// A line of one look; where `fills`, to the end of the line.
    static func text(_ text: String, _ look: Look, columns: Int, fills: Bool = false) -> Line {
      var line = Line()
      guard columns > 0 else { return line }
      let cells = TextCells(text, limit: columns - 1)
      line.parts.append(Part(scalars: [0x20] + cells.scalars, look: look))
      if fills { line.pad(columns - 1 - cells.columns, look) }
      return line
    }

    mutating func add(_ cells: TextCells, _ look: Look) {
      if !cells.scalars.isEmpty { parts.append(Part(scalars: cells.scalars, look: look)) }
    }

    mutating func pad(_ columns: Int, _ look: Look) { add(.blank(columns), look) }
  }

  /// How a row's picture stands.
  enum Image: Hashable, Sendable {
    case loading, failed
    case cells(PictureCells)
  }

  /// All lines of the screen, from the top.
  private(set) var lines: [Line]

  /// The picture of `snapshot` as a reader at `state` sees it.
  ///
  /// - Parameters:
  ///   - layout: The screen.
  ///   - title: What the list is, for the last line.
  ///   - news: What else there is to say.
  ///   - place: Where rows have pictures.
  ///   - images: How the picture of a URL stands.
  ///   - explain: Puts a failure into words.
  init<Item: BrowseItem>(
    of snapshot: PagingSnapshot<Item>, _ state: BrowseState<Item.ID>, _ layout: BrowseLayout, title: String,
    news: BrowseNews = BrowseNews(), pictures place: PicturePlace = .nowhere,
    images: (String) -> Image = { _ in .loading },
    explain: @escaping (any Error) -> String
  ) {
    let words = BrowseWords(snapshot, news, explain)
    let model = state.model
    lines = []
    let list = layout.listLines
    if model.top < 0, let (text, isFailure) = words.start {
      lines.append(.text(text, isFailure ? .strong : .faint, columns: layout.columns))
    }
    var index = max(0, model.top)
    while lines.count < list, index < snapshot.count {
      let isSelected = index == model.selected
      switch snapshot[index].item?.content {
      case .row(let json):
        let face = RowFace(json, pictures: layout.picture == nil ? .nowhere : place)
        lines += Self.row(face, isSelected, layout, images)
      case .gap(let gap): lines += Self.plain(words.gap(gap), isSelected, layout)
      case .unknown, nil: lines += Self.plain("·  ·  ·", isSelected, layout)
      }
      index += 1
    }
    if lines.count < list, index >= snapshot.count, let (text, isFailure) = words.end {
      lines.append(.text(text, isFailure ? .strong : .faint, columns: layout.columns))
    }
    lines = Array(lines.prefix(list))
    lines += Array(repeating: Line(), count: max(0, list - lines.count))
    if layout.lines > 0 {
      let text = state.prompt?.line ?? news.message ?? words.status(model, title)
      lines.append(.text(text, .inverse, columns: layout.columns, fills: true))
    }
  }

  /// A row that has no values to show, as high as the others.
  private static func plain(_ text: String, _ isSelected: Bool, _ layout: BrowseLayout) -> [Line] {
    let first = Line.text(text, isSelected ? .inverse : .faint, columns: layout.columns, fills: isSelected)
    return [first] + Array(repeating: Line(), count: layout.rowLines - 1)
  }

  private static func row(
    _ face: RowFace, _ isSelected: Bool, _ layout: BrowseLayout, _ images: (String) -> Image
  ) -> [Line] {
    guard let size = layout.picture else {
      return [.text(face.text, isSelected ? .inverse : .plain, columns: layout.columns, fills: isSelected)]
    }
    let image = face.picture.map(images)
    // A column before the picture, and two around the text.
    let room = max(0, layout.columns - size.columns - 3)
    var texts = face.title.map { [TextCells($0, limit: room)] } ?? []
    texts += TextCells.wrapped(face.detail, limit: room, lines: layout.rowLines - texts.count)
    return (0..<layout.rowLines).map { number in
      var line = Line()
      line.pad(1, .plain)
      line.add(image, number, size)
      line.pad(1, .plain)
      let isTitle = number == 0 && face.title != nil
      line.pad(1, isSelected ? .inverse : .plain)
      let cells = number < texts.count ? texts[number] : TextCells("", limit: 0)
      line.add(cells, isSelected ? .inverse : isTitle ? .strong : .plain)
      if isSelected { line.pad(room - cells.columns, .inverse) }
      return line
    }
  }
}

extension BrowsePicture.Line {
  /// A line of a picture's cells, or of what stands for it.
  fileprivate mutating func add(_ image: BrowsePicture.Image?, _ number: Int, _ size: PictureCells.Size) {
    switch image {
    case nil: pad(size.columns, .plain)
    case .loading?: parts.append(.init(scalars: Array(repeating: 0x2591, count: size.columns), look: .faint))
    case .failed?:
      let isMiddle = number == size.lines / 2
      add(TextCells(isMiddle ? "no image".prefix(size.columns) : "", limit: size.columns), .faint)
      pad(size.columns - (isMiddle ? min(8, size.columns) : 0), .faint)
    case .cells(let cells):
      guard cells.size == size else { return pad(size.columns, .plain) }
      for cell in cells.line(number) {
        if let last = parts.last, last.foreground == cell.foreground, last.background == cell.background,
          last.look == .plain
        {
          parts[parts.count - 1].scalars.append(cell.scalar)
        } else {
          parts.append(
            .init(scalars: [cell.scalar], look: .plain, foreground: cell.foreground, background: cell.background))
        }
      }
    }
  }
}

/// What the styles have in common: sizes, cursors, cutting a page out of the list, and writing it.
extension ListService {
  /// A page: some rows that follow each other, and what lies around them.
  struct Cut {
    /// The numbers of its rows.
    var rows: [Int]
    /// How many rows precede it.
    var start: Int
    /// How many rows the whole list has.
    var count: Int

    /// Whether rows follow.
    var hasNext: Bool { start + rows.count < count }
    /// Whether rows precede.
    var hasPrevious: Bool { start > 0 }
    /// What leads on.
    var next: ServedCursor? { hasNext ? ServedCursor(.after, rows.last) : nil }
    /// What leads back. Where the page is empty, its own place is that in front of the next, or the end.
    var previous: ServedCursor? { hasPrevious ? ServedCursor(.before, rows.first) : nil }
  }

  /// How many rows are asked for, by the first of `names` that is there.
  func size(_ request: ServedRequest, _ names: String...) throws(Refusal) -> Int {
    try size(names.lazy.compactMap { request.query[$0] }.first)
  }

  /// How many rows a text asks for; nil: it is not said.
  func size(_ text: String?) throws(Refusal) -> Int {
    guard let text else { return min(options.defaultSize, options.cap) }
    guard let size = Int(text), size > 0 else {
      throw Refusal(400, "a page has at least one row", code: "invalid_size")
    }
    if size > options.cap, options.refusesAboveCap {
      throw Refusal(400, "a page has at most \(options.cap) rows", code: "invalid_size")
    }
    return min(size, options.cap)
  }

  /// A number that a parameter holds, at least 0: the first of `names` that is there; nil where none is.
  func count(_ request: ServedRequest, _ names: String...) throws(Refusal) -> Int? {
    guard let name = names.first(where: { request.query[$0] != nil }), let text = request.query[name] else {
      return nil
    }
    guard let number = Int(text), number >= 0 else {
      throw Refusal(400, "\(name) must be a whole number, 0 or more", code: "invalid_number")
    }
    return number
  }

  /// The order that is asked for; nil: that of the list.
  func sort(_ request: ServedRequest) -> SortOrder? {
    request.query["sort"].flatMap { $0.isEmpty ? nil : SortOrder($0) }
  }

  /// A cursor out of a request; nil where it has none.
  func cursor(_ text: String?, at now: Duration = .zero) throws(Refusal) -> ServedCursor? {
    guard let text, !text.isEmpty else { return nil }
    guard let cursor = ServedCursor(text), cursor.row ?? 0 < max(1, list.everCount) else {
      throw Refusal(400, "that is no cursor of this list", code: "invalid_cursor")
    }
    if let expiry = cursor.expiry, expiry < milliseconds(now) {
      throw Refusal(410, "the cursor has expired", code: "cursor_expired")
    }
    return cursor
  }

  /// The number of the row with that ID, be it deleted.
  mutating func number(of id: String) throws(Refusal) -> Int {
    guard let number = list.number(of: id) else {
      throw Refusal(400, "there never was a row \(id)", code: "resource_missing")
    }
    return number
  }

  /// The rows from a place on, at most `size`.
  mutating func cut(from start: Int, size: Int, sort: SortOrder?) -> Cut {
    let view = list.view(sort)
    let lower = min(max(0, start), view.count)
    return Cut(
      rows: view[lower..<min(view.count, lower + size)].map { Int($0) }, start: lower, count: view.count)
  }

  /// The rows on one side of a cursor, at most `size`; nil: from the start of the list.
  mutating func cut(_ cursor: ServedCursor?, size: Int, sort: SortOrder?) -> Cut {
    guard let cursor else { return cut(from: 0, size: size, sort: sort) }
    guard let row = cursor.row else {
      let end = cursor.side == .before ? list.count : 0
      return cut(from: cursor.side == .before ? max(0, end - size) : 0, size: size, sort: sort)
    }
    let (index, isThere) = list.place(of: row, in: sort)
    switch cursor.side {
    case .after: return cut(from: index + (isThere ? 1 : 0), size: size, sort: sort)
    case .before:
      let start = max(0, index - size)
      return cut(from: start, size: index - start, sort: sort)
    }
  }

  /// The page that a request with a cursor asks for; or, by `since_id`, the newest of the rows above one, and by
  /// `min_id` those right above it.
  mutating func cut(_ request: ServedRequest, cursor name: String) throws(Refusal) -> Cut {
    let size = try size(request, "limit", "per_page")
    let sort = sort(request)
    if let id = request.query["since_id"] ?? request.query["min_id"] {
      let index = list.place(of: try number(of: id), in: sort).index
      let nearest = request.query["since_id"] == nil ? max(0, index - size) : 0
      return cut(from: nearest, size: min(size, index - nearest), sort: sort)
    }
    return cut(try cursor(request.query[name]), size: size, sort: sort)
  }

  // MARK: - Writing

  /// One row, as clients get it.
  func row(_ number: Int, _ request: ServedRequest) -> JSONText {
    let bytes = list.bytes(of: number)
    return JSONText(json: options.addsImages ? ServedPicture.added(to: bytes, list.identity, base(request)) : bytes)
  }

  /// Rows as a JSON array.
  func rows(
    _ numbers: [Int], _ request: ServedRequest, _ wrap: (Int, JSONText) -> JSONText = { $1 }
  ) throws(Refusal) -> JSONText {
    var texts: [JSONText] = []
    var bytes = 0
    for number in numbers {
      let text = wrap(number, row(number, request))
      bytes += text.bytes.count
      guard bytes <= Self.maxPageBytes else {
        throw Refusal(
          400, "so many rows are more than \(Self.maxPageBytes >> 20) MB: ask for smaller pages", code: "page_too_large"
        )
      }
      texts.append(text)
    }
    return .array(texts)
  }

  /// The server's own address, as the client wrote it.
  func base(_ request: ServedRequest) -> String { "http://" + (request.headers["host"] ?? "127.0.0.1") }

  /// A time in whole milliseconds.
  func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }

  /// A reply that is JSON.
  func reply(_ text: JSONText, _ headers: [(name: String, value: String)] = []) -> ServedReply {
    ServedReply(headers: [("Content-Type", "application/json")] + headers, body: .bytes(text.bytes))
  }
}

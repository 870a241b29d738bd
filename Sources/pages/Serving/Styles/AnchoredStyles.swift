/// Styles that know a row to begin with: windows around it, what is newer, lists of IDs first.
extension ServedStyle {
  static let anchored: [ServedStyle] = [
    ServedStyle(
      path: "/window",
      words: "Rows around one: around, before, after (or anchor, num_before, num_after, include_anchor=false);\n"
        + "a cursor each way: next, previous, limit. A row that is gone is a 404.",
      example: "/window?around=ID&before=5&after=5"
    ) { service, request, _ throws(Refusal) in
      let sort = service.sort(request)
      if let anchor = request.query["around"] ?? request.query["anchor"] {
        return try window(&service, request, around: anchor, sort)
      }
      let size = try service.size(request, "limit")
      let cursor = try service.cursor(request.query["previous"] ?? request.query["next"])
      return try window(service, request, service.cut(cursor, size: size, sort: sort), anchor: nil)
    },
    ServedStyle(
      path: "/newer",
      words: "What is above a row, the topmost first: since_id (the topmost) or min_id (the nearest), limit.",
      example: "/newer?since_id=ID"
    ) { service, request, _ throws(Refusal) in
      guard request.query["since_id"] != nil || request.query["min_id"] != nil else {
        throw Refusal(400, "since_id or min_id is missing", code: "missing_parameter")
      }
      let cut = try service.cut(request, cursor: "cursor")
      return service.reply(.object(["items": try service.rows(cut.rows, request)]))
    },
    ServedStyle(
      path: "/newer/count", words: "How many rows are above one, counted up to cap (99): since_id, cap.",
      example: "/newer/count?since_id=ID"
    ) { service, request, _ throws(Refusal) in
      guard let id = request.query["since_id"] else {
        throw Refusal(400, "since_id is missing", code: "missing_parameter")
      }
      let cap = try service.count(request, "cap") ?? 99
      let count = service.list.place(of: try service.number(of: id), in: service.sort(request)).index
      return service.reply(.object(["count": JSONText(min(count, cap)), "capped": JSONText(count > cap)]))
    },
    ServedStyle(
      path: "/ids", words: "The IDs alone, at most 1,000 in a page: cursor, limit. Then /items?ids=…",
      example: "/ids?limit=1000"
    ) { service, request, _ throws(Refusal) in
      let size = min(1000, max(1, try service.count(request, "limit") ?? 1000))
      let cut = service.cut(try service.cursor(request.query["cursor"]), size: size, sort: service.sort(request))
      let ids = cut.rows.map { number in idText(service.list, number) }
      return service.reply(.object(["ids": .array(ids), "next": JSONText(cut.next?.text)]))
    },
    ServedStyle(
      path: "/items", words: "Rows by their IDs, in list order; those that are gone are left out: ids=ID,ID.",
      example: "/items?ids=ID"
    ) { service, request, _ throws(Refusal) in
      let ids = (request.query["ids"] ?? "").split(separator: ",")
      guard ids.count <= service.options.cap else {
        throw Refusal(400, "at most \(service.options.cap) rows at once", code: "too_many_ids")
      }
      var places: [(index: Int, number: Int)] = []
      for id in Set(ids) {
        guard let number = service.list.number(of: String(id)) else { continue }
        let (index, isThere) = service.list.place(of: number, in: nil)
        if isThere { places.append((index, number)) }
      }
      let numbers = places.sorted { $0.index < $1.index }.map(\.number)
      return service.reply(.object(["items": try service.rows(numbers, request)]))
    },
  ]

  private static func window(
    _ service: inout ListService, _ request: ServedRequest, around anchor: String, _ sort: SortOrder?
  ) throws(Refusal) -> ServedReply {
    let half = min(service.options.defaultSize, service.options.cap) / 2
    let before = min(try service.count(request, "before", "num_before") ?? half, service.options.cap)
    let after = min(try service.count(request, "after", "num_after") ?? half, service.options.cap)
    let index: Int
    switch anchor {
    case "newest" where service.list.number(of: anchor) == nil: index = 0
    case "oldest" where service.list.number(of: anchor) == nil: index = max(0, service.list.count - 1)
    default:
      guard let number = service.list.number(of: anchor), case let place = service.list.place(of: number, in: sort),
        place.isThere || request.query["include_anchor"] == "false"
      else { throw Refusal(404, "there is no row \(anchor)", code: "anchor_not_found") }
      // Without the anchor the rows on either side of where it is, or was.
      if request.query["include_anchor"] == "false" {
        let end = place.index + (place.isThere ? 1 : 0)
        let start = before > 0 ? max(0, place.index - before) : end
        let size = (before > 0 ? place.index - start : 0) + after
        var cut = service.cut(from: start, size: size + (before > 0 && after > 0 && place.isThere ? 1 : 0), sort: sort)
        let whole = cut.rows.count
        cut.rows.removeAll { $0 == number }
        cut.count -= whole - cut.rows.count
        return try window(service, request, cut, anchor: nil)
      }
      index = place.index
    }
    let start = max(0, index - before)
    let cut = service.cut(from: start, size: index - start + 1 + after, sort: sort)
    return try window(service, request, cut, anchor: cut.count == 0 ? nil : index - start)
  }

  private static func window(
    _ service: ListService, _ request: ServedRequest, _ cut: ListService.Cut, anchor: Int?
  ) throws(Refusal) -> ServedReply {
    service.reply(
      .object([
        "items": try service.rows(cut.rows, request), "anchor_index": JSONText(anchor),
        "previous": JSONText(cut.previous?.text), "next": JSONText(cut.next?.text),
        "found_newest": JSONText(!cut.hasPrevious), "found_oldest": JSONText(!cut.hasNext),
      ]))
  }

  /// A row's ID as its JSON has it.
  static func idText(_ list: ServedList, _ number: Int) -> JSONText {
    list.slice(of: number).flatMap { list.identity.value(in: $0) }.map { JSONText(json: $0.compact) }
      ?? JSONText(number + 1)
  }
}

/// Styles whose pages are not cut out of one lasting order: ranked sessions, what was not shown yet, filters behind the
/// page, cursors that expire.
extension ServedStyle {
  static let ranked: [ServedStyle] = [
    ServedStyle(
      path: "/ranked",
      words: "A session with an order of its own, ranked anew by each request without one: session, offset, limit.\n"
        + "Rows that were deleted since make a page short; a session that is over is a 410.",
      example: "/ranked?limit=20"
    ) { service, request, now throws(Refusal) in
      let size = try service.size(request, "limit")
      let life = service.options.sessionLife
      let found: RankedSessions.Found =
        if let id = request.query["session"] {
          service.sessions.session(id, at: now, life: life)
        } else {
          service.sessions.begin(service.list.order, at: now)
        }
      switch found {
      case .unknown: throw Refusal(404, "there is no such session", code: "unknown_session")
      case .expired: throw Refusal(410, "the session has expired", code: "session_expired")
      case .found(let session):
        let offset = min(try service.count(request, "offset") ?? 0, session.order.count)
        let end = min(session.order.count, offset + size)
        let rows = session.order[offset..<end].map { Int($0) }.filter { !service.list.isDeleted($0) }
        let next = end < session.order.count ? end : nil
        let target = next.map { request.target(setting: ["session": session.id, "offset": String($0)]) }
        var reply = service.reply(
          .object([
            "session": JSONText(session.id), "offset": JSONText(offset), "total": JSONText(session.order.count),
            "expires_in": JSONText(max(0, service.milliseconds(session.began + life - now) / 1000)),
            "items": try service.rows(rows, request), "next_offset": JSONText(next), "next_url": JSONText(target),
          ]))
        reply.headers.append(("Cache-Control", "no-store"))
        return reply
      }
    },
    ServedStyle(
      path: "/unseen",
      words: "The first rows that a reader was not given yet, and each time others: reader=NAME, limit;\n"
        + "exclude=ID,ID leaves out what the client has shown.", example: "/unseen?reader=me&limit=20"
    ) { service, request, _ throws(Refusal) in
      let size = try service.size(request, "limit")
      var excluded: Set<Int32> = []
      for id in (request.query["exclude"] ?? "").split(separator: ",") {
        if let number = service.list.number(of: String(id)) { excluded.insert(Int32(truncatingIfNeeded: number)) }
      }
      let reader = request.query["reader"].map { String($0.prefix(100)) }
      let seen = reader.map { service.readers.seen(by: $0) } ?? []
      let unseen = service.list.view(service.sort(request)).lazy.filter { !seen.contains($0) && !excluded.contains($0) }
      let rows = Array(unseen.prefix(size + 1))
      let given = Array(rows.prefix(size))
      let text = try service.rows(given.map { Int($0) }, request)
      if let reader { service.readers.gave(given, to: reader) }
      var reply = service.reply(.object(["items": text, "has_more": JSONText(rows.count > size)]))
      reply.headers.append(("Cache-Control", "no-store"))
      return reply
    },
    ServedStyle(
      path: "/filtered",
      words: "Looks at limit rows and gives those with a text in them, so pages are short or empty and the list goes\n"
        + "on: match=TEXT (without: every third row), cursor, limit.", example: "/filtered?limit=20"
    ) { service, request, _ throws(Refusal) in
      let cut = try service.cut(request, cursor: "cursor")
      let text = request.query["match"].map { Array($0.utf8) }
      let list = service.list
      let rows = cut.rows.filter { number in
        text.map { contains($0, in: list.bytes(of: number)) } ?? (number % 3 == 0)
      }
      return service.reply(
        .object([
          "items": try service.rows(rows, request), "scanned": JSONText(cut.rows.count),
          "next_cursor": JSONText(cut.next?.text),
        ]))
    },
    ServedStyle(
      path: "/expiring", words: "A cursor that is good for a while only, then a 410: cursor, limit.",
      example: "/expiring?limit=20"
    ) { service, request, now throws(Refusal) in
      let size = try service.size(request, "limit")
      let cursor = try service.cursor(request.query["cursor"], at: now)
      let cut = service.cut(cursor, size: size, sort: service.sort(request))
      var next = cut.next
      next?.expiry = service.milliseconds(now + service.options.cursorLife)
      return service.reply(
        .object([
          "items": try service.rows(cut.rows, request), "next_cursor": JSONText(next?.text),
          "expires_in": JSONText(service.milliseconds(service.options.cursorLife) / 1000),
        ]))
    },
  ]

  static let rows: [ServedStyle] = [
    ServedStyle(path: "/rows/", words: "One row; a 410 where it was deleted.", example: "/rows/ID") {
      service, request, _ throws(Refusal) in
      guard let number = service.list.number(of: request.segments[1]) else {
        throw Refusal(404, "there is no such row", code: "not_found")
      }
      if service.list.isDeleted(number) { throw Refusal(410, "the row was deleted", code: "gone") }
      return service.reply(service.row(number, request))
    },
    ServedStyle(
      path: "/images/", words: "A small picture for a row.", example: "/images/ID.png", curl: "-o picture.png ",
      isList: false
    ) { _, request, _ throws(Refusal) in
      guard request.segments[1].hasSuffix(".png"), request.segments[1].count > 4 else {
        throw Refusal(404, "pictures are called ID.png", code: "not_found")
      }
      let picture = ServedPicture(of: String(request.segments[1].dropLast(4)))
      return ServedReply(
        headers: [("Content-Type", "image/png"), ("Cache-Control", "max-age=3600")], body: .bytes(picture.png))
    },
  ]

  private static func contains(_ text: [UInt8], in bytes: [UInt8]) -> Bool {
    guard let first = text.first else { return true }
    guard text.count <= bytes.count else { return false }
    return (0...(bytes.count - text.count)).contains { at in
      bytes[at] == first && bytes[at..<(at + text.count)].elementsEqual(text)
    }
  }
}

/// Styles that go on from a row: what is inserted or deleted elsewhere neither repeats rows nor skips any.
extension ServedStyle {
  static let cursors: [ServedStyle] = [
    ServedStyle(
      path: "/cursor", words: "An opaque cursor each way: cursor, limit. Also since_id and min_id, for what is newer.",
      example: "/cursor?limit=20"
    ) { service, request, _ throws(Refusal) in
      let cut = try service.cut(request, cursor: "cursor")
      return service.reply(
        .object([
          "items": try service.rows(cut.rows, request), "next_cursor": JSONText(cut.next?.text),
          "previous_cursor": JSONText(cut.previous?.text),
        ]))
    },
    ServedStyle(
      path: "/keyset",
      words:
        "On from a row by its ID: after or before (or starting_after, ending_before), sort, limit;\nhas_more tells "
        + "whether there is more that way.", example: "/keyset?after=ID&limit=20"
    ) { service, request, _ throws(Refusal) in
      let size = try service.size(request, "limit", "per_page")
      var cursor: ServedCursor?
      if let id = request.query["after"] ?? request.query["starting_after"] {
        cursor = ServedCursor(.after, try service.number(of: id))
      } else if let id = request.query["before"] ?? request.query["ending_before"] {
        cursor = ServedCursor(.before, try service.number(of: id))
      }
      let cut = service.cut(cursor, size: size, sort: service.sort(request))
      return service.reply(
        .object([
          "items": try service.rows(cut.rows, request),
          "has_more": JSONText(cursor?.side == .before ? cut.hasPrevious : cut.hasNext),
        ]))
    },
    ServedStyle(
      path: "/next-url", words: "The next and the previous page's URL in the body: limit.",
      example: "/next-url?limit=20"
    ) { service, request, _ throws(Refusal) in
      let cut = try service.cut(request, cursor: "cursor")
      return service.reply(
        .object([
          "items": try service.rows(cut.rows, request), "next_url": JSONText(cut.next.map { target($0, request) }),
          "previous_url": JSONText(cut.previous.map { target($0, request) }),
        ]))
    },
    ServedStyle(
      path: "/link", words: "A bare array; Link headers (RFC 8288) name the pages around it: limit.",
      example: "/link?limit=20", curl: "-i "
    ) { service, request, _ throws(Refusal) in
      let cut = try service.cut(request, cursor: "cursor")
      var links: [String] = []
      if let next = cut.next { links.append("<\(target(next, request))>; rel=\"next\"") }
      if let previous = cut.previous { links.append("<\(target(previous, request))>; rel=\"prev\"") }
      links.append("<\(request.target(setting: ["cursor": nil]))>; rel=\"first\"")
      return service.reply(
        try service.rows(cut.rows, request), [("Link", links.joined(separator: ", "))])
    },
    ServedStyle(
      path: "/next-page", words: "The next page's URL in the header Next-Page, the total in Total-Objects: limit.",
      example: "/next-page?limit=20", curl: "-i "
    ) { service, request, _ throws(Refusal) in
      let cut = try service.cut(request, cursor: "cursor")
      var headers: [(name: String, value: String)] = [("Total-Objects", String(cut.count))]
      if let next = cut.next { headers.append(("Next-Page", service.base(request) + target(next, request))) }
      return service.reply(.object(["data": try service.rows(cut.rows, request)]), headers)
    },
    ServedStyle(
      path: "/odata", words: "OData, with @odata.nextLink: $top, $skip, $count=true.",
      example: "/odata?$top=20&$count=true"
    ) { service, request, _ throws(Refusal) in
      let size = try service.size(request, "$top", "limit")
      let sort = service.sort(request)
      let cut =
        if let skip = try service.count(request, "$skip") {
          service.cut(from: skip, size: size, sort: sort)
        } else {
          service.cut(try service.cursor(request.query["$skiptoken"]), size: size, sort: sort)
        }
      let base = service.base(request)
      var members: [(name: String, value: JSONText)] = [("@odata.context", JSONText(base + "/odata/$metadata"))]
      if request.query["$count"] == "true" { members.append(("@odata.count", JSONText(cut.count))) }
      members.append(("value", try service.rows(cut.rows, request)))
      if let next = cut.next {
        let target = request.target(setting: ["$skip": nil, "$skiptoken": next.text])
        members.append(("@odata.nextLink", JSONText(base + target)))
      }
      return service.reply(.object(members))
    },
  ]

  /// The target of a request with that cursor.
  private static func target(_ cursor: ServedCursor, _ request: ServedRequest) -> String {
    request.target(setting: ["cursor": cursor.text, "since_id": nil, "min_id": nil])
  }
}

/// Styles that count rows from the start of the list: after an insert above they repeat rows, after a delete they skip some.
extension ServedStyle {
  static let counted: [ServedStyle] = [
    ServedStyle(
      path: "/offset", words: "Rows from a count on, and the total: offset, limit.",
      example: "/offset?offset=40&limit=20"
    ) { service, request, _ throws(Refusal) in
      let size = try service.size(request, "limit", "per_page")
      let cut = try service.cut(from: counted(request, "offset") ?? 0, size: size, sort: service.sort(request))
      return service.reply(
        .object([
          "offset": JSONText(cut.start), "limit": JSONText(size), "total": JSONText(cut.count),
          "items": try service.rows(cut.rows, request),
        ]))
    },
    ServedStyle(
      path: "/page", words: "Pages by their number from 1, and how many there are: page, per_page.",
      example: "/page?page=3&per_page=20"
    ) { service, request, _ throws(Refusal) in
      let size = try service.size(request, "per_page", "limit")
      let number = try counted(request, "page") ?? 1
      let cut = service.cut(
        from: try start(ofPage: number, size), size: size, sort: service.sort(request))
      return service.reply(
        .object([
          "page": JSONText(number), "per_page": JSONText(size), "pages": JSONText((cut.count + size - 1) / size),
          "total": JSONText(cut.count), "items": try service.rows(cut.rows, request),
        ]))
    },
    ServedStyle(
      path: "/jsonapi", words: "JSON:API, with links and the total: page[number], page[size].",
      example: "/jsonapi?page%5Bnumber%5D=3&page%5Bsize%5D=20"
    ) { service, request, _ throws(Refusal) in
      let size = try service.size(request, "page[size]", "limit")
      let number = try counted(request, "page[number]") ?? 1
      let cut = service.cut(
        from: try start(ofPage: number, size), size: size, sort: service.sort(request))
      let base = service.base(request)
      func link(_ number: Int, if exists: Bool = true) -> JSONText {
        let target = request.target(setting: ["page[number]": "\(number)", "page[size]": "\(size)"])
        return JSONText(exists ? base + target : nil)
      }
      let list = service.list
      let resources = try service.rows(cut.rows, request) { number, row in
        .object(["type": "row", "id": JSONText(list.id(of: number)), "attributes": row])
      }
      var reply = service.reply(
        .object([
          "jsonapi": .object(["version": "1.1"]), "data": resources,
          "links": .object([
            "first": link(1), "prev": link(number - 1, if: number > 1), "next": link(number + 1, if: cut.hasNext),
            "last": link(max(1, (cut.count + size - 1) / size)),
          ]),
          "meta": .object(["total": JSONText(cut.count)]),
        ]))
      reply.headers[0].value = "application/vnd.api+json"
      return reply
    },
  ]

  /// A number in the query that is counted from 0 or 1; nil where it is not there.
  private static func counted(_ request: ServedRequest, _ name: String) throws(Refusal) -> Int? {
    guard let text = request.query[name] else { return nil }
    guard let number = Int(text), number >= 0 else { throw noPage }
    return number
  }

  private static func start(ofPage number: Int, _ size: Int) throws(Refusal) -> Int {
    let (start, overflows) = (number - 1).multipliedReportingOverflow(by: size)
    guard number >= 1, !overflows else { throw noPage }
    return start
  }

  private static var noPage: Refusal { Refusal(400, "there is no such page", code: "invalid_page") }
}

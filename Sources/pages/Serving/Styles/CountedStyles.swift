/// Styles that count rows from the start of the list: after an insert above they repeat rows, after a delete they skip
/// some.
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
      let page = try NumberedPage(&service, request, number: "page", size: "per_page")
      return service.reply(
        .object([
          "page": JSONText(page.number), "per_page": JSONText(page.size), "pages": JSONText(page.count),
          "total": JSONText(page.cut.count), "items": try service.rows(page.cut.rows, request),
        ]))
    },
    ServedStyle(
      path: "/jsonapi", words: "JSON:API, with links and the total: page[number], page[size].",
      example: "/jsonapi?page%5Bnumber%5D=3&page%5Bsize%5D=20"
    ) { service, request, _ throws(Refusal) in
      let page = try NumberedPage(&service, request, number: "page[number]", size: "page[size]")
      let (cut, base) = (page.cut, service.base(request))
      func link(_ number: Int?) -> JSONText {
        let target = number.map { request.target(setting: ["page[number]": "\($0)", "page[size]": "\(page.size)"]) }
        return JSONText(target.map { base + $0 })
      }
      let list = service.list
      let resources = try service.rows(cut.rows, request) { number, row in
        .object(["type": "row", "id": JSONText(list.id(of: number)), "attributes": row])
      }
      var reply = service.reply(
        .object([
          "jsonapi": .object(["version": "1.1"]), "data": resources,
          "links": .object([
            "first": link(1), "prev": link(page.number > 1 ? page.number - 1 : nil),
            "next": link(cut.hasNext ? page.number + 1 : nil), "last": link(max(1, page.count)),
          ]),
          "meta": .object(["total": JSONText(cut.count)]),
        ]))
      reply.headers[0].value = "application/vnd.api+json"
      return reply
    },
  ]

  /// A number in the query that is counted from 0 or 1; nil where it is not there.
  fileprivate static func counted(_ request: ServedRequest, _ name: String) throws(Refusal) -> Int? {
    guard let text = request.query[name] else { return nil }
    guard let number = Int(text), number >= 0 else { throw noPage }
    return number
  }

  fileprivate static var noPage: Refusal { Refusal(400, "there is no such page", code: "invalid_page") }
}

/// A page that is asked for by its number, counted from 1.
private struct NumberedPage {
  let number: Int
  let size: Int
  let cut: ListService.Cut
  /// How many pages of that size there are.
  var count: Int { (cut.count + size - 1) / size }

  /// The page that `request` asks for by those parameters.
  init(
    _ service: inout ListService, _ request: ServedRequest, number: String, size: String
  ) throws(Refusal) {
    self.size = try service.size(request, size, "limit")
    self.number = try ServedStyle.counted(request, number) ?? 1
    let (start, overflows) = (self.number - 1).multipliedReportingOverflow(by: self.size)
    guard self.number >= 1, !overflows else { throw ServedStyle.noPage }
    cut = service.cut(from: start, size: self.size, sort: service.sort(request))
  }
}

import Foundation
public import LoadingHTTP
import Paging

extension PageConvention where Response == JSONValue {
  /// Tells from a list's first reply how its server pages, and where the rows are.
  ///
  /// ```swift
  /// let found = try PageConvention.detect(reply)
  /// print(found)  // cursor, rows at data.posts: "next_cursor" holds a cursor; it usually goes back as "cursor".
  /// ```
  ///
  /// Headers count before members of the body, but for Datasette, which has both; members that name a URL before
  /// cursors, cursors before numbers. A member that is there and null tells its convention too: then this page is the
  /// last one.
  ///
  /// - Parameter reply: The reply to a GET of the list's URL, or to a POST where the server is asked so.
  /// - Returns: What was found; ``DetectedConvention/Kind/single`` where nothing leads on.
  /// - Throws: ``HTTPPageError`` for a status that is not 2xx, and for a body that is not JSON.
  public static func detect(_ reply: HTTPReply) throws(HTTPPageError) -> DetectedConvention {
    guard (200..<300).contains(reply.status) else {
      throw ReplyDiagnosis.refusal(reply, of: PageRequest(), KeyRefusals()) as? HTTPPageError
        ?? HTTPPageError(.status, message: "The list was refused.", status: reply.status)
    }
    guard ReplyDiagnosis.hasBody(reply) else { throw ReplyDiagnosis.empty(reply) }
    do {
      return ConventionDetection(reply, try JSONDecoder().decode(JSONValue.self, from: reply.body)).finding
    } catch {
      throw ReplyDiagnosis.undecodable(reply, error) as? HTTPPageError
        ?? HTTPPageError(.notJSON, message: "The body can't be read.", status: reply.status, cause: error)
    }
  }
}

/// Looks through a reply for what leads on from it.
struct ConventionDetection {
  private typealias Kind = DetectedConvention.Kind

  private let reply: HTTPReply
  private let body: JSONValue
  private let rows: RowFinder?

  init(_ reply: HTTPReply, _ body: JSONValue) {
    self.reply = reply
    self.body = body
    rows = RowFinder(body)
  }

  /// The first that is seen, the surest signs first.
  var finding: DetectedConvention {
    datasette ?? header ?? family ?? nextURL ?? cursor ?? numbers ?? flag ?? ended ?? nothing
  }

  /// The same where something is known: where what leads on is, or what it goes back under.
  func finding(next: [String]?, parameter: String?) -> DetectedConvention {
    guard let next else {
      let finding = finding
      guard let parameter else { return finding }
      guard finding.kind == .single else { return finding.named(parameter) }
      return found(.cursor, parameter: parameter, because: "A cursor's parameter is named, \"\(parameter)\".")
    }
    let name = next.joined(separator: ".")
    if parameter == nil, let value = body.value(at: next)?.text, NextMember.looksLikeURL(value, from: reply.url),
      reply.url.following(value) != nil
    {
      return found(.nextURL, at: next, because: "\"\(name)\" is named, and holds a URL.")
    }
    let known = KnownCursor.all.first { $0.path == next } ?? KnownCursor.all.first { $0.path.last == next.last }
    let usual = known.map { self.parameter(of: $0) } ?? asked ?? "cursor"
    return found(.cursor, at: next, parameter: parameter ?? usual, because: "\"\(name)\" is named as the cursor.")
  }

  // MARK: - Headers

  private var header: DetectedConvention? {
    if reply.link("next") != nil {
      return found(.linkHeader, because: "The Link header has a link with rel=\"next\".")
    }
    for name in ["Next-Page", "X-Next-Page-Url"] where reply.headers[name].flatMap({ reply.url.following($0) }) != nil {
      return found(.nextPageHeader, parameter: name, because: "The header \(name) holds a URL.")
    }
    return nil
  }

  // MARK: - Families

  private var family: DetectedConvention? {
    odata ?? search ?? graphQL ?? aws ?? jsonAPI ?? window ?? sides
  }

  private var odata: DetectedConvention? {
    guard body["value"]?.elements != nil else { return nil }
    for name in ["@odata.nextLink", "@odata.deltaLink", "@odata.context", "@odata.count"] where body[name] != nil {
      return found(.oData, at: ["@odata.nextLink"], because: "There is \"\(name)\", as OData has it.")
    }
    return nil
  }

  private var datasette: DetectedConvention? {
    guard body["rows"] != nil, body["filtered_table_rows_count"] != nil || body["next_url"] != nil,
      body["truncated"] != nil
    else { return nil }
    return found(
      .datasette, at: ["next"], parameter: "_next", size: "_size",
      because: "There are \"rows\" and \"truncated\", as Datasette gives them.")
  }

  private var search: DetectedConvention? {
    guard let hits = body.value(at: ["hits", "hits"])?.elements else { return nil }
    let isSorted = hits.isEmpty || hits.last?["sort"] != nil
    let sorted = isSorted ? "the last of them has its \"sort\"" : "a search needs a \"sort\" to go on"
    var search = found(.searchAfter, because: "There are \"hits\", as Elasticsearch gives them; \(sorted).")
    if !isSorted { search.lack = "a sort: add sort=FIELD:asc to the URL, with a field that no two rows share" }
    return search
  }

  private var graphQL: DetectedConvention? {
    guard body["data"]?.members != nil, let path = Self.path(to: "pageInfo", in: body, depth: 5) else { return nil }
    let info = body.value(at: path)
    guard info?["hasNextPage"] != nil || info?["endCursor"] != nil else { return nil }
    let offsets = GraphQLCursors.offsets().offset(in: info?["endCursor"]?.text) != nil
    let query = reply.url.queryValue("query") ?? ""
    let variable = ["after", "cursor"].first { query.contains("$" + $0) }
    var connection = found(
      .graphQL, at: path + ["endCursor"], parameter: variable ?? "after", size: "first",
      because: "There is a \"pageInfo\" at \(path.joined(separator: "."))"
        + (offsets ? "; its cursors are offsets in Base64." : "."))
    if variable == nil { connection.lack = "a query that takes a cursor, as query($after: String) { … }" }
    return connection
  }

  private var aws: DetectedConvention? {
    for (member, parameter) in KnownCursor.aws where body[member] != nil {
      return found(
        .awsToken, at: [member], parameter: parameter,
        because: "There is \"\(member)\", as AWS has it; it goes back as \"\(parameter)\".")
    }
    return nil
  }

  private var jsonAPI: DetectedConvention? {
    let type = reply.headers["Content-Type"]?.lowercased() ?? ""
    guard body["jsonapi"] != nil || type.hasPrefix("application/vnd.api+json"), body["data"]?.elements != nil else {
      return nil
    }
    let isObject = body.value(at: ["links", "next", "href"]) != nil
    return found(
      .jsonAPI, at: ["links", "next"] + (isObject ? ["href"] : []), size: "page[size]",
      because: "The document is one of JSON:API; the next page is at \"links.next\".")
  }

  private var window: DetectedConvention? {
    guard body["found_newest"] != nil, body["found_oldest"] != nil else { return nil }
    return found(
      .window, parameter: "anchor",
      because: "There are \"found_oldest\" and \"found_newest\", so the list is read around a row.")
  }

  /// Cursors to each side of a stretch of rows, which go back under their own names.
  private var sides: DetectedConvention? {
    guard body["newer"] != nil, let older = body["older"], older == .null || older.text != nil,
      !NextMember.looksLikeURL(older.text ?? "", from: reply.url)
    else { return nil }
    return found(
      .cursor, at: ["older"], parameter: "older",
      because: "There are \"newer\" and \"older\": a cursor to each side, which goes back under its name.")
  }

  // MARK: - Members

  private var nextURL: DetectedConvention? {
    for member in NextMember.known {
      guard let value = body.value(at: member.path)?.text, !value.isEmpty,
        member.isAlwaysURL || NextMember.looksLikeURL(value, from: reply.url), reply.url.following(value) != nil
      else { continue }
      return found(.nextURL, at: member.path, because: "\"\(member.path.joined(separator: "."))\" holds a URL.")
    }
    return nil
  }

  private var cursor: DetectedConvention? {
    for known in KnownCursor.all {
      guard let value = body.value(at: known.path)?.text, !value.isEmpty else { continue }
      let name = known.path.joined(separator: ".")
      if let page = body.value(at: known.path)?.integer, ["next", "next_page"].contains(known.path.last), page > 0 {
        return found(
          .pageNumber, at: known.path, parameter: "page",
          because: "\"\(name)\" holds a number: the next page's, as it seems.")
      }
      return found(
        .cursor, at: known.path, parameter: parameter(of: known),
        because: "\"\(name)\" holds a cursor; it usually goes back as \"\(parameter(of: known))\".")
    }
    return nil
  }

  /// The parameter of the URL that was asked, where it has one of a known name; else the usual one.
  private func parameter(of known: KnownCursor) -> String { asked ?? known.parameter }

  private var asked: String? { KnownCursor.all.map(\.parameter).first { reply.url.queryValue($0) != nil } }

  private var numbers: DetectedConvention? {
    for path in [[], ["meta"], ["pagination"], ["paging"], ["page_info"], ["info"]] {
      guard let place = body.value(at: path) else { continue }
      if place["offset"]?.integer != nil {
        return found(
          .offset, parameter: "offset", size: place["limit"]?.integer == nil ? nil : "limit",
          because: "There is an \"offset\".")
      }
      let names = ["page", "current_page", "currentPage", "page_number"]
      if let name = names.first(where: { place[$0]?.integer != nil }), let page = place[name]?.integer {
        let sizes = ["per_page", "page_size", "pageSize", "size", "limit"]
        var numbered = found(
          .pageNumber, parameter: "page", size: sizes.first { place[$0]?.integer != nil }, first: min(1, max(0, page)),
          because: "There is a \"\(name)\" of \(page).")
        let counts = ["pages", "total_pages", "totalPages", "last_page", "lastPage", "page_count", "pageCount"]
        numbered.pages = counts.first { place[$0]?.integer != nil }.map { path + [$0] }
        return numbered
      }
    }
    let query = ["offset", "page"].first { reply.url.queryNumber($0) != nil }
    guard let query else { return nil }
    return found(
      query == "offset" ? .offset : .pageNumber, parameter: query, size: nil,
      because: "The URL itself has the parameter \"\(query)\".")
  }

  private var flag: DetectedConvention? {
    let paths = [
      ["has_more"], ["hasMore"], ["has_next"], ["hasNext"], ["meta", "has_more"], ["pagination", "has_more"],
    ]
    guard let path = paths.first(where: { body.value(at: $0) == .bool(true) }) else { return nil }
    let name = path.joined(separator: ".")
    guard let rows, body.value(at: rows.path)?.elements?.last?["id"] != nil else { return nil }
    return found(
      .keyset, at: path,
      parameter: reply.url.queryValue("starting_after") == nil && reply.url.queryValue("after") != nil
        ? "after" : "starting_after", size: "limit",
      because:
        "\"\(name)\" says that there is more and nothing says how; the rows have IDs, which may be what leads on.")
  }

  /// What would lead on is there, and null.
  private var ended: DetectedConvention? {
    for member in NextMember.known where body.value(at: member.path) == .null {
      return found(
        .nextURL, at: member.path, because: "\"\(member.path.joined(separator: "."))\" is null: this is the last page.")
    }
    for known in KnownCursor.all {
      guard let value = body.value(at: known.path), value == .null || value == .string("") else { continue }
      return found(
        .cursor, at: known.path, parameter: known.parameter,
        because: "\"\(known.path.joined(separator: "."))\" is empty: this is the last page.")
    }
    return nil
  }

  private var nothing: DetectedConvention {
    let isLinked = reply.headers["Link"] != nil
    return found(
      isLinked ? .linkHeader : .single,
      because: isLinked
        ? "There is a Link header without rel=\"next\": this is the last page." : "Nothing in the reply leads on.")
  }

  // MARK: - Putting together

  private func found(
    _ kind: DetectedConvention.Kind, at next: [String]? = nil, parameter: String? = nil, size: String? = nil,
    first: Int? = nil, because reason: String
  ) -> DetectedConvention {
    DetectedConvention(
      kind: kind, items: rows?.path, otherItems: rows?.others ?? [], next: next, parameter: parameter,
      sizeParameter: size, firstPage: kind == .pageNumber ? first ?? 1 : nil,
      // Names of members are the server's own words.
      reason: PlainText.escaped(reason.utf8, limit: 400))
  }

  /// The names that lead to a member called `name`, the shallowest first.
  static func path(to name: String, in value: JSONValue, depth: Int) -> [String]? {
    guard depth > 0, let members = value.members else { return nil }
    if members[name] != nil { return [name] }
    for (key, member) in members.sorted(by: { $0.key < $1.key }) {
      if let rest = path(to: name, in: member, depth: depth - 1) { return [key] + rest }
    }
    return nil
  }
}

/// What changes the list while it is served: paths that begin with an underscore. They are neither slow nor do they
/// fail.
extension ListService {
  /// The most rows that one request may insert.
  static let maxInsertedAtOnce = 1000

  /// The reply to a request that changes the list, or asks how it is.
  mutating func control(_ request: ServedRequest) throws(Refusal) -> ServedReply {
    switch (request.method, request.segments.first ?? "", request.segments.count) {
    case ("POST", "_insert", 1): return try insert(request)
    case ("DELETE", "_rows", 1...2): return try delete(request)
    case ("POST", "_faults", 1):
      let text = String(decoding: request.body, as: UTF8.self)
      var faults: [ServedFault] = []
      for line in text.split(whereSeparator: \.isNewline) {
        guard let fault = ServedFault(String(line)) else {
          throw Refusal(400, "'\(printable(line, limit: 60))' is no fault: \(Self.faultWords)", code: "invalid_fault")
        }
        faults.append(fault)
      }
      plan(faults)
      return reply(.object(["faults": JSONText(faults.count)]))
    case ("POST", "_reset", 1):
      reset()
      return state
    case ("GET", "_state", 1), ("HEAD", "_state", 1): return state
    default:
      throw Refusal(
        404, "there are POST /_insert, DELETE /_rows/ID, POST /_faults, POST /_reset and GET /_state",
        code: "not_found")
    }
  }

  /// How a fault is written.
  static let faultWords = "it is WHEN:WHAT, as 3:500, every 5:cut, 2-4:429:1 or all:slow:500ms"

  private var state: ServedReply {
    reply(
      .object([
        "rows": JSONText(list.count), "inserted": JSONText(list.changes.inserted),
        "deleted": JSONText(list.changes.deleted), "list_requests": JSONText(listRequests),
        "faults": JSONText(options.faults.count),
      ]))
  }

  // MARK: - Inserts

  private mutating func insert(_ request: ServedRequest) throws(Refusal) -> ServedReply {
    let place = try place(request.query["at"] ?? "top")
    let rows =
      request.body.allSatisfy(isJSONWhitespace)
      ? try madeUp(try count(request, "count") ?? 1) : try rowsOfBody(request.body)
    guard let numbers = list.insert(rows, at: place) else {
      throw Refusal(507, "no more rows can be inserted; POST /_reset begins anew", code: "full")
    }
    let ids = numbers.map { ServedStyle.idText(list, $0) }
    var reply = reply(.object(["inserted": .array(ids), "rows": JSONText(list.count)]))
    reply.status = 201
    return reply
  }

  private mutating func place(_ text: String) throws(Refusal) -> ServedList.Place {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("top", 1): return .top
    case ("bottom", 1): return .bottom
    case ("before", 2): return .before(try number(of: parts[1]))
    case ("after", 2): return .after(try number(of: parts[1]))
    default: throw Refusal(400, "at is top, bottom, before:ID or after:ID", code: "invalid_place")
    }
  }

  private mutating func rowsOfBody(_ body: [UInt8]) throws(Refusal) -> [[UInt8]] {
    let value: JSONSlice
    do throws(JSONFault) {
      value = try JSONSlice(checking: body)
    } catch {
      throw Refusal(400, "the body is not JSON: \(error)", code: "invalid_body")
    }
    let rows = value.kind == .array ? Array(value.elements) : [value]
    guard rows.count <= Self.maxInsertedAtOnce else { throw tooMany }
    let identity = printable(list.identity.description, limit: 60)
    var ids: Set<String> = []
    for row in rows {
      guard row.kind == .object, let id = list.identity.value(in: row)?.scalarText, !id.isEmpty else {
        throw Refusal(400, "a row is an object with its ID at \(identity)", code: "invalid_row")
      }
      guard ids.insert(id).inserted, list.number(of: id) == nil else {
        throw Refusal(409, "there is, or was, a row \(printable(id, limit: 60)) already", code: "duplicate")
      }
    }
    return rows.map(\.compact)
  }

  /// Rows like the first one, with IDs of their own.
  private mutating func madeUp(_ count: Int) throws(Refusal) -> [[UInt8]] {
    guard (1...Self.maxInsertedAtOnce).contains(count) else { throw tooMany }
    let pattern = list.everCount > 0 ? list.slice(of: Int(list.order.first ?? 0)) : nil
    let isNumber = pattern.flatMap { list.identity.value(in: $0) }?.kind != .string
    var rows: [[UInt8]] = []
    var next = list.everCount
    while rows.count < count {
      next += 1
      let id = isNumber ? String(next) : "new-\(next)"
      guard list.number(of: id) == nil else { continue }
      let idText = isNumber ? JSONText(next) : JSONText(id)
      guard let pattern else {
        rows.append(JSONText.object([(list.identity.names.last ?? "id", idText)]).bytes)
        continue
      }
      let row = pattern.replacing(list.identity.names[...], with: idText)
      let titled = (try? JSONSlice(checking: row.bytes))?.replacing(["title"], with: JSONText("New row \(next)"))
      rows.append((titled ?? row).bytes)
    }
    return rows
  }

  private var tooMany: Refusal {
    Refusal(400, "from 1 to \(Self.maxInsertedAtOnce) rows can be inserted at once", code: "invalid_count")
  }

  // MARK: - Deletes

  private mutating func delete(_ request: ServedRequest) throws(Refusal) -> ServedReply {
    var numbers: [Int] = []
    if request.segments.count == 2 {
      let id = request.segments[1]
      guard let number = list.number(of: id) else { throw Refusal(404, "there is no such row", code: "not_found") }
      if list.isDeleted(number) { throw Refusal(410, "the row was deleted already", code: "gone") }
      numbers = [number]
    } else if let first = try count(request, "first") {
      numbers = list.order.prefix(first).map { Int($0) }
    } else if let last = try count(request, "last") {
      numbers = list.order.suffix(last).map { Int($0) }
    } else {
      throw Refusal(400, "which rows? DELETE /_rows/ID, /_rows?first=2 or /_rows?last=2", code: "missing_parameter")
    }
    guard numbers.count <= Self.maxInsertedAtOnce else {
      throw Refusal(400, "at most \(Self.maxInsertedAtOnce) rows can be deleted at once", code: "invalid_count")
    }
    for number in numbers { _ = list.delete(number) }
    let ids = numbers.map { ServedStyle.idText(list, $0) }
    return reply(.object(["deleted": .array(ids), "rows": JSONText(list.count)]))
  }
}

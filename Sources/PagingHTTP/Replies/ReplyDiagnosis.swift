import Foundation
import LoadingHTTP
import Paging

/// Says what is wrong with a reply that no page could be made of. Runs only when something is.
enum ReplyDiagnosis {
  /// Whether the body holds anything but white space.
  static func hasBody(_ reply: HTTPReply) -> Bool {
    firstByte(of: reply.body) != nil
  }

  /// The error for a reply without a body.
  static func empty(_ reply: HTTPReply) -> HTTPPageError {
    HTTPPageError(
      .emptyBody,
      message: "\(reply.place) came with status \(reply.status) and no body, where a page of JSON was expected. "
        + "Check that the URL is that of a list.",
      status: reply.status)
  }

  /// The error for a status that is not one of success.
  static func refusal(_ reply: HTTPReply, of request: PageRequest, _ keyRefusals: KeyRefusals) -> any Error {
    let said = ServerWords.find(in: reply.body) ?? excerpt(of: reply.body)
    let error = HTTPPageError(
      .status,
      message: "\(reply.place) was answered with status \(reply.status)"
        + (said.isEmpty ? "." : ": \(said)\(said.hasSuffix(".") ? "" : ".")")
        + (remedy(for: reply.status, hasKey: request.key != nil).map { " \($0)" } ?? ""),
      status: reply.status)
    guard let key = request.key else { return error }
    if reply.status == 412, key.validator != nil, request.type != .refresh {
      return PagingError(
        .invalidated, message: "The list has changed since its last page came (status 412); a new generation is due.",
        cause: error)
    }
    return keyRefusals.verdict(status: reply.status, body: reply.body).map { refusedKey($0, cause: error) } ?? error
  }

  /// The error for a reply of success whose body says that the request failed.
  static func refusal(inBodyOf reply: HTTPReply, of request: PageRequest, _ keyRefusals: KeyRefusals) -> any Error {
    let error = HTTPPageError(
      .refused,
      message: "\(reply.place), status \(reply.status), says that the request failed: "
        + (ServerWords.find(in: reply.body) ?? excerpt(of: reply.body)),
      status: reply.status)
    guard request.key != nil else { return error }
    return keyRefusals.verdict(on: reply.body).map { refusedKey($0, cause: error) } ?? error
  }

  /// The error for a reply of success without rows that says that the request failed, by an `"ok": false`, as Slack
  /// does, or a `"success": false`; nil where it says no such thing.
  static func refusal(saidIn reply: HTTPReply, of request: PageRequest, _ keyRefusals: KeyRefusals) -> (any Error)? {
    // A refusal is short; a long body is a page of something else.
    guard reply.body.count <= 64 << 10, let body = JSONValue(json: reply.body),
      body["ok"] == .bool(false) || body["success"] == .bool(false)
    else { return nil }
    return refusal(inBodyOf: reply, of: request, keyRefusals)
  }

  /// The error for a reply of success that no page could be made of, as `error` tells: what the reply says of itself
  /// comes first, then what it says of the key, then what it looks like.
  static func unreadable(
    _ reply: HTTPReply, of request: PageRequest, _ keyRefusals: KeyRefusals, _ error: any Error
  ) -> any Error {
    let finding = undecodable(reply, error)
    // Errors that already say what is wrong stay as they are.
    guard finding is HTTPPageError, !(error is HTTPPageError) else { return finding }
    if let refusal = refusal(saidIn: reply, of: request, keyRefusals) { return refusal }
    guard request.key != nil, keyRefusals.verdict(on: reply.body) != nil else { return finding }
    return refusal(inBodyOf: reply, of: request, keyRefusals)
  }

  private static func refusedKey(_ code: PagingError.Code, cause: HTTPPageError) -> PagingError {
    let status = cause.status.map { " (status \($0))" } ?? ""
    return PagingError(
      code,
      message: code == .cursorExpired
        ? "The server no longer knows this page's key\(status); refresh to start again."
        : "The server does not know this page's key\(status); it may be of another list. Refresh to start again.",
      cause: cause)
  }

  /// The error for a body that `error` was thrown over; errors that already say what is wrong stay as they are.
  static func undecodable(_ reply: HTTPReply, _ error: any Error) -> any Error {
    if error is HTTPPageError || error is PagingError || error is CancellationError { return error }
    let (code, what) = finding(reply, error)
    return HTTPPageError(
      code, message: "\(reply.place), status \(reply.status): \(what) The body begins: \(excerpt(of: reply.body))",
      status: reply.status, cause: error)
  }

  private static func finding(_ reply: HTTPReply, _ error: any Error) -> (HTTPPageError.Code, String) {
    if let first = firstByte(of: reply.body), !JSONShape.mayBegin(first) {
      return first == UInt8(ascii: "<")
        ? (
          .notJSON, "a web page or other markup came where JSON was expected; look whether a login or a proxy answered."
        )
        : (.notJSON, "the body is not JSON\(reply.declaredType).")
    }
    if JSONShape.breaksOff(reply.body) {
      return (.truncated, "the JSON breaks off after \(reply.body.count) bytes; load the page again.")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return (.missing, "there is no \"\(key.stringValue)\"\(place(context.codingPath)).")
    case DecodingError.valueNotFound(let type, let context):
      return (.missing, "\(expected(type)) is missing or null\(place(context.codingPath)).")
    case DecodingError.typeMismatch(let type, let context):
      return (.undecodable, "there is something else than \(expected(type))\(place(context.codingPath)).")
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty && !JSONShape.isJSON(reply.body):
      return (.notJSON, "the body is not JSON from beginning to end\(reply.declaredType).")
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      return (
        .undecodable,
        "a value does not fit its type, such as 1.5 for an integer; the decoder does not say where."
      )
    case DecodingError.dataCorrupted(let context):
      // It may quote what stands there.
      let words = PlainText.escaped(context.debugDescription.utf8, limit: 200)
      return (.undecodable, "a value can't be read\(place(context.codingPath)): \(words)")
    default:
      return (.undecodable, "the body can't be read (\(type(of: error))).")
    }
  }

  private static func remedy(for status: Int, hasKey: Bool) -> String? {
    switch status {
    case 401, 403: "Check the credentials in the source's headers."
    case 404 where !hasKey, 410 where !hasKey: "Check the list's URL."
    case 400 where hasKey, 404 where hasKey, 422 where hasKey:
      "The key of this page may be of another list, or too old; refresh to start again."
    case 400, 422: "Check the URL's parameters and the load size."
    case 408, 429, 500...599: "Try again later."
    default: nil
    }
  }

  /// What a decoder wanted, in JSON's words.
  private static func expected(_ type: Any.Type) -> String {
    switch String(describing: type) {
    case let name where name.hasPrefix("Dictionary<"): "an object"
    case let name where name.hasPrefix("Array<"): "an array"
    case let name: "a value of type \(name)"
    }
  }

  /// Where in the body that is; a dictionary's keys are the server's own words.
  private static func place(_ path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return text.isEmpty ? "" : " at \(PlainText.escaped(text.utf8, limit: 200))"
  }

  /// The first bytes in quotes, made safe for a terminal, at most 200 characters; empty for an empty body.
  private static func excerpt(of body: Data) -> String {
    body.isEmpty ? "" : "\"" + PlainText.escaped(body.prefix(600), limit: 200) + "\""
  }

  /// The first byte that is neither white space nor a byte order mark.
  private static func firstByte(of body: Data) -> UInt8? {
    let isMarked = body.starts(with: [0xef, 0xbb, 0xbf])
    return body.dropFirst(isMarked ? 3 : 0).first { !JSONShape.isSpace($0) }
  }
}

extension HTTPReply {
  /// The URL's path, which is all of it that may be told.
  fileprivate var place: String {
    let path = url.path(percentEncoded: true)
    return path.isEmpty ? "/" : PlainText.escaped(path.utf8, limit: 200)
  }

  fileprivate var declaredType: String {
    guard let type = headers["Content-Type"] else { return "" }
    return ", its declared type is " + PlainText.escaped(type.utf8, limit: 80)
  }
}

import Foundation
import LoadingHTTP
import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PageConvention {
  /// The services of AWS, and others built like them: a token in the body goes back in the next request.
  ///
  /// ```
  /// POST / HTTP/1.1
  /// X-Amz-Target: DynamoDB_20120810.Query
  /// Content-Type: application/x-amz-json-1.0
  ///
  /// { "TableName": "feed", "Limit": 20, "ExclusiveStartKey": { "id": { "N": "9996" } } }
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "Items": [ … rows … ], "LastEvaluatedKey": { "id": { "N": "9976" } } }
  /// ```
  ///
  /// | service | `parameter` | `size` | token in the reply | stops also |
  /// |---|---|---|---|---|
  /// | most | `NextToken` | `MaxResults` | `NextToken` | |
  /// | DynamoDB | `ExclusiveStartKey`, an object | `Limit` | `LastEvaluatedKey` | |
  /// | CloudWatch Logs, events | `nextToken` | `limit` | `nextForwardToken` | `repeatedTokenEnds` |
  /// | IAM, S3 by a gateway that gives JSON | `Marker` | `MaxItems` | `Marker` | `isTruncated` |
  ///
  /// The list ends where the token is missing, null or empty; where `isTruncated` gives false, whatever the token; and,
  /// with `repeatedTokenEnds`, at the token that was sent. Pages without rows come in mid-list, since these services
  /// filter after they read. The load size is sent with every request. Requests are not signed here: a transport does
  /// that, or a gateway.
  ///
  /// - Parameters:
  ///   - token: The reply's token: a text or an object.
  ///   - parameter: Where it goes back: a member of the body, or a query parameter where there is no operation.
  ///   - size: Where the load size goes; nil: not sent.
  ///   - operation: What `X-Amz-Target` says, as `DynamoDB_20120810.Query`; nil: the request is a GET with query
  ///     parameters.
  ///   - body: The other members of the body of a POST.
  ///   - isTruncated: Whether the reply says that there is more; nil: the body has no flag.
  ///   - repeatedTokenEnds: Whether the list ends where the token that was sent comes back; else that is a walk in
  ///     circles.
  public static func awsToken(
    _ token: @escaping @Sendable (Response) -> JSONValue?, parameter: String = "NextToken",
    size: String? = "MaxResults",
    operation: String? = nil, body: [String: JSONValue] = [:], isTruncated: (@Sendable (Response) -> Bool?)? = nil,
    repeatedTokenEnds: Bool = false
  ) -> PageConvention {
    PageConvention(keyKind: .cursor) { page, request in
      let sent = page.key.map { TokenText.value(of: $0.text) }
      guard let operation else {
        if let size { request.setQueryIfAbsent(size, to: String(page.loadSize)) }
        if let sent { request.setQuery(parameter, to: sent.text ?? String(decoding: sent.json, as: UTF8.self)) }
        return
      }
      var members = body
      if let size, members[size] == nil { members[size] = .integer(page.loadSize) }
      if let sent { members[parameter] = sent }
      request.post(.object(members), as: "application/x-amz-json-1.0")
      request.setValue(operation, forHTTPHeaderField: "X-Amz-Target")
    } keys: { reply in
      if isTruncated?(reply.response) == false { return PageKeys() }
      let key = token(reply.response).flatMap(TokenText.text(of:)).map { HTTPPageKey($0) }
      return PageKeys(next: repeatedTokenEnds && key?.text == reply.request.key?.text ? nil : key)
    }
  }
}

/// A token that may be an object, as a text that a key can hold.
private enum TokenText {
  /// The text itself, or JSON where the token is no text or could be taken for JSON; nil for null and for an empty
  /// text.
  static func text(of token: JSONValue) -> String? {
    switch token {
    case .null, .string(""): nil
    case .string(let text) where text.first != "{" && text.first != "\"": text
    case .integer, .number: token.text
    case .string, .bool, .array, .object: String(decoding: token.json, as: UTF8.self)
    }
  }

  static func value(of text: String) -> JSONValue {
    guard text.first == "{" || text.first == "\"" else { return .string(text) }
    return JSONValue(json: Data(text.utf8)) ?? .string(text)
  }
}

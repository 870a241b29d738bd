/// A request that reached a loopback server.
struct ServedRequest: Sendable {
  /// The method, in capital letters.
  let method: String
  /// The path, without the query, decoded.
  let path: String
  /// The path's parts between slashes, each decoded for itself, so that one may hold a slash.
  let segments: [String]
  /// The query's parameters in order, decoded.
  let parameters: [(name: String, value: String)]
  /// The query's parameters; of several with one name the first.
  let query: [String: String]
  /// The headers, their names in lower case.
  let headers: [String: String]
  /// The body.
  let body: [UInt8]

  /// Reads a request; nil where its target can't be read: an escape that is none, or bytes that are not UTF-8.
  ///
  /// - Parameters:
  ///   - target: What stood between method and version (RFC 9112, section 3.2): a path with a query, or a whole URL.
  ///   - headers: The headers, their names in lower case.
  init?(method: String = "GET", target: String, headers: [String: String] = [:], body: [UInt8] = []) {
    guard let target = ServedTarget(target) else { return nil }
    self.method = method.uppercased()
    segments = target.segments
    path = "/" + target.segments.joined(separator: "/")
    parameters = target.parameters
    query = Dictionary(target.parameters.map { ($0.name, $0.value) }) { first, _ in first }
    self.headers = headers
    self.body = body
  }

  /// A parameter as a number; nil where there is none, or it is no number.
  func number(_ name: String) -> Int? { query[name].flatMap { Int($0) } }

  /// A path on the same server with this request's parameters, some of them set anew or, where nil, left out.
  func target(_ path: String? = nil, setting values: KeyValuePairs<String, String?>) -> String {
    let names = Set(values.map(\.key))
    var all = parameters.filter { !names.contains($0.name) }
    for (name, value) in values {
      if let value { all.append((name, value)) }
    }
    let path = path ?? "/" + segments.map { ServedTarget.escaped($0) }.joined(separator: "/")
    let query = all.map { ServedTarget.escaped($0.name) + "=" + ServedTarget.escaped($0.value) }
    return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
  }
}

/// What a loopback server answers.
struct ServedReply: Sendable {
  /// How a body is made.
  enum Body: Sendable {
    case bytes([UInt8])
    /// `announced` bytes are promised; the connection breaks off after `sent` of them. All are the byte `filler`.
    case filler(UInt8, announced: Int, sent: Int)
    /// All bytes are promised; the connection breaks off after `sent` of them.
    case broken([UInt8], sent: Int)
    /// The connection is closed and nothing is answered.
    case nothing
  }

  var status = 200
  var headers: [(name: String, value: String)] = [("Content-Type", "application/json")]
  var body: Body
  /// How long to wait before it is sent.
  var delay: Duration = .zero

  /// A JSON reply.
  static func json(_ text: String, status: Int = 200) -> ServedReply {
    ServedReply(status: status, body: .bytes(Array(text.utf8)))
  }

  /// A refusal with a word why, and a code for programs.
  static func refusal(_ status: Int, _ why: String, code: String? = nil) -> ServedReply {
    let code = code.map { ", \"code\": \(jsonString($0))" } ?? ""
    return json("{\"error\": \(jsonString(why))\(code)}", status: status)
  }
}

/// `text` as a JSON string.
func jsonString(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case _ where scalar.value < 0x20: result += jsonEscape(scalar)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

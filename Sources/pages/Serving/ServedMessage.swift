/// A request that reached a loopback server.
struct ServedRequest: Sendable {
  /// The path, without the query.
  let path: String
  /// The query's parameters, decoded; of several with one name the first.
  let query: [String: String]
  /// The headers, their names in lower case.
  let headers: [String: String]

  /// A parameter as a number; nil where there is none, or it is no number.
  func number(_ name: String) -> Int? { query[name].flatMap { Int($0) } }
}

/// What a loopback server answers.
struct ServedReply: Sendable {
  /// How a body is made.
  enum Body: Sendable {
    case bytes([UInt8])
    /// `announced` bytes are promised; the connection breaks off after `sent` of them. All are the byte `filler`.
    case filler(UInt8, announced: Int, sent: Int)
  }

  var status = 200
  var headers: [(name: String, value: String)] = [("Content-Type", "application/json")]
  var body: Body

  /// A JSON reply.
  static func json(_ text: String, status: Int = 200) -> ServedReply {
    ServedReply(status: status, body: .bytes(Array(text.utf8)))
  }

  /// A refusal with a word why.
  static func refusal(_ status: Int, _ why: String) -> ServedReply {
    json("{\"error\": \(jsonString(why))}", status: status)
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

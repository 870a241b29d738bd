import Foundation

/// The URL of a list as the user wrote it, once it is known that it can be asked for.
struct ListURL: Sendable {
  let url: URL

  /// Reads `text`.
  ///
  /// - Throws: A ``UsageError`` whose line, where one can be guessed, has the URL mended.
  init(_ text: String, for table: CommandTable) throws(UsageError) {
    let call = "pages \(table.name)"
    func refused(_ why: String, _ mended: String?) -> UsageError {
      UsageError("'\(printable(text))' \(why)", line: mended.map { "\(call) \(shellQuoted($0))" } ?? table.example)
    }
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      // "127.0.0.1:8001/x" is none before it has a scheme, since none begins with a digit.
      let mended = [text, "http://" + text].lazy.compactMap { URL(string: $0) }
        .first { Self.problem(of: $0) == nil }?.absoluteString
      throw refused("is not a URL.", mended)
    }
    switch Self.problem(of: url) {
    case nil: self.url = url
    case .scheme?:
      let mended = URL(string: "http://" + text, encodingInvalidCharacters: false)
      let helps = !text.contains("://") && !text.hasPrefix("/") && mended.map { Self.problem(of: $0) == nil } == true
      throw refused("is not a URL of http or https.", helps ? mended?.absoluteString : nil)
    case .host?: throw refused("names no host.", nil)
    case .user?:
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
      parts?.user = nil
      parts?.password = nil
      throw UsageError(
        "the URL holds a user name; credentials go into a header.",
        line: "\(call) \(shellQuoted(parts?.string ?? "URL")) --header 'Authorization: …'")
    }
  }

  private enum Problem { case scheme, host, user }

  private static func problem(of url: URL) -> Problem? {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return .scheme }
    guard let host = url.host(), !host.isEmpty else { return .host }
    return url.user() == nil ? nil : .user
  }
}

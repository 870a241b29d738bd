import Foundation
import LoadingHTTP
import PagingHTTP

/// What `walk` and `browse` have in common: which list, and how its server pages.
struct ListOptions: Sendable {
  /// The options, for a command's table.
  static let table: [CommandTable.Option] = [
    .init("convention", "NAME", "auto, link, next-url, cursor, page or offset (auto)"),
    .init("items", "PATH", "where the rows are, as data.posts or /data/posts"),
    .init("id", "PATH", "what tells a row from others"),
    .init("next", "PATH", "where the next cursor or URL is"),
    .init("param", "NAME", "query parameter of cursor, page or offset"),
    .init("first", "N", "number of the first page (1)"),
    .init("page-size", "N", "rows to ask for in a page"),
    .init("size-param", "NAME", "query parameter of the page size"),
    .init("header", "'N: V'", "send a header; is never printed", repeats: true),
    .init("allow-origin", "URL", "follow links there too, with the headers", repeats: true),
  ]

  /// How a server pages.
  enum Convention: String, CaseIterable, Sendable {
    case auto, link, nextURL = "next-url", cursor, page, offset
  }

  let url: URL
  let convention: Convention
  let items: JSONPath?
  let id: JSONPath?
  let pageSize: Int
  let config: HTTPPageSourceConfig
  private let next: JSONPath?
  private let parameter: String?
  private let sizeParameter: String?
  private let first: Int

  /// Reads the options of a command whose operand is the list's URL.
  init(_ arguments: Arguments) throws(UsageError) {
    let table = arguments.table
    var url = try ListURL(arguments.operand ?? "", for: table).url
    let name = try arguments.choice("convention", of: Convention.allCases.map(\.rawValue)) ?? "auto"
    let convention = Convention(rawValue: name) ?? .auto
    let size = try arguments.number("page-size", in: 1...1_000_000)
    let takesSize = convention == .page || convention == .offset
    let sizeParameter = arguments.text("size-param")
    if let size, let sizeParameter, !takesSize { url = url.settingQuery(sizeParameter, to: String(size)) }
    if size != nil, sizeParameter == nil, !takesSize {
      throw UsageError(
        "--page-size needs --size-param, the query parameter that this server takes it in.",
        line: "\(table.call) --page-size 100 --size-param per_page")
    }
    if let size, takesSize, let parameter = sizeParameter ?? Self.sizeParameter(of: convention) {
      url = url.settingQuery(parameter, to: String(size))
    }
    self.url = url
    self.convention = convention
    self.sizeParameter = sizeParameter
    items = arguments.text("items").map { JSONPath($0) }
    id = arguments.text("id").map { JSONPath($0) }
    next = arguments.text("next").map { JSONPath($0) }
    parameter = arguments.text("param")
    first = try arguments.number("first", in: 0...Int.max) ?? 1
    pageSize = size ?? 100
    config = try Self.config(arguments)
  }

  private static func config(_ arguments: Arguments) throws(UsageError) -> HTTPPageSourceConfig {
    var headers: HTTPHeaders = [:]
    for text in arguments.texts("header") {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = parts.first, !name.isEmpty, name.utf8.allSatisfy(isTokenByte),
        !parts[1].unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F })
      else {
        // The value may be a secret and is not repeated.
        throw UsageError(
          "--header is a name, a colon and a value.", line: "\(arguments.table.call) --header 'Name: value'")
      }
      headers.append(parts[1].trimmingCharacters(in: .whitespaces), for: String(name))
    }
    var config = HTTPPageSourceConfig(headers: headers)
    for text in arguments.texts("allow-origin") {
      config.allowedOrigins.append(try ListURL(text, for: arguments.table).url)
    }
    return config
  }

  private static func sizeParameter(of convention: Convention) -> String? {
    switch convention {
    case .page: "per_page"
    case .offset: "limit"
    default: nil
    }
  }

  /// The convention, over replies whose rows are cut out.
  func pageConvention(_ member: NextMemberFinder) -> PageConvention<RowDocument> {
    switch convention {
    case .auto:
      .found({ document, path in JSONPath(names: path).value(in: document.body)?.scalarText }) { $0.body.abridged() }
    case .link: .linkHeader
    case .nextURL: .nextURL { document in member.text(in: document.body).flatMap { URL(string: $0) } }
    case .cursor:
      .cursor({ document in member.text(in: document.body) }, parameter: parameter ?? "cursor", size: nil)
    case .page: .pageNumber(parameter ?? "page", size: sizeParameter ?? "per_page", first: first)
    case .offset: .offset(parameter ?? "offset", limit: sizeParameter ?? "limit")
    }
  }

  /// What finds the way on in a body; nil for conventions that don't look there.
  var nextMember: NextMemberFinder {
    NextMemberFinder(
      named: next, usual: convention == .cursor ? NextMemberFinder.cursors : NextMemberFinder.urls)
  }
}

/// Whether `byte` may stand in a header's name (RFC 9110, section 5.6.2).
private func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

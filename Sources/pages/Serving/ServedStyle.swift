/// One thing that can be asked for: dispatch and the list at `/` both read this table, so neither knows what the other
/// doesn't.
struct ServedStyle: Sendable {
  typealias Answer = @Sendable (inout ListService, ServedRequest, Duration) throws(Refusal) -> ServedReply

  /// Its path; one that ends in a slash has a row's ID behind it.
  let path: String
  /// What it gives and takes, in a line or two.
  let words: String
  /// What to ask for, to see it: `ID` stands for a row's ID.
  let example: String
  /// More words for curl, in front of the URL.
  var curl = ""
  var methods = ["GET", "HEAD"]
  /// Whether it gives rows, so that it is slow and fails as planned.
  var isList = true
  let answer: Answer

  /// Whether a request is for this.
  func matches(_ request: ServedRequest) -> Bool {
    guard path.hasSuffix("/") else { return request.segments == path.split(separator: "/").map(String.init) }
    return request.segments.count == 2 && path.dropFirst().dropLast().elementsEqual(request.segments[0])
  }

  /// All there are, in the order of the list at `/`.
  static let all: [ServedStyle] = counted + cursors + tokens + anchored + ranked + rows
}

extension ListService {
  /// What there is, with a line for curl each.
  func index(_ request: ServedRequest) -> ServedReply {
    let base = base(request)
    let id = list.order.first.map { ServedTarget.escaped(list.id(of: Int($0))) } ?? "1"
    func entry(_ style: ServedStyle) -> String {
      let words = style.words.split(separator: "\n").map { "    \($0)\n" }.joined()
      let url = base + style.example.replacing("ID", with: id)
      return "  \(style.path)\n\(words)    curl -s \(style.curl)'\(url)'\n"
    }
    let text = """
      \(grouped(list.count)) rows, served by `pages serve` in every way that lists are paged.
      Sizes: limit or per_page, \(options.defaultSize) where none is asked for, at most \(options.cap). Order: sort=NAME, or sort=-NAME.

      \(ServedStyle.all.map(entry).joined(separator: "\n"))
      To change the list while it is read:
        curl -s -X POST '\(base)/_insert?count=2&at=top'       at: top, bottom, before:ID or after:ID; made-up rows,
                                                               or those of the body (--data '{"id": 7}')
        curl -s -X DELETE '\(base)/_rows/\(id)'                or /_rows?first=2, ?last=2
        curl -s -X POST '\(base)/_faults' --data 'every 5:503'  a fault a line, as --fault has them; none: all is well
        curl -s '\(base)/_state'                               what there is, and how many requests came
        curl -s -X POST '\(base)/_reset'                       the rows as they were

      """
    return ServedReply(headers: [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array(text.utf8)))
  }
}

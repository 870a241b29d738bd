import Foundation
import Synchronization
import TestSupport

@testable import pages

/// A server whose list can be read both ways from any row, as Mastodon's: the newest rows first, `Link` headers with
/// `max_id` and `min_id`. It fails when it is told to, and has a picture for each row.
final class BrowseFeed: Sendable {
  private struct State {
    var newest: Int
    var fails = false
  }

  private final class Shared: Sendable {
    let state: Mutex<State>
    let isWide: Bool

    init(newest: Int, isWide: Bool) {
      state = Mutex(State(newest: newest))
      self.isWide = isWide
    }
  }

  private let shared: Shared
  private let server: TestSupport.LoopbackServer

  /// Serves rows with the IDs from `newest` down to 1.
  init(newest: Int, hasPictures: Bool = false, isWide: Bool = false) throws {
    let shared = Shared(newest: newest, isWide: isWide)
    self.shared = shared
    server = try TestSupport.LoopbackServer { request, connection in
      let (newest, fails) = shared.state.withLock { ($0.newest, $0.fails) }
      if fails { return connection.reply(503, text: "{\"error\": \"out of order\"}") }
      let target = request.target
      if let number = target.wholeMatch(of: /\/pictures\/(\d+)\.png/)?.1, let number = UInt64(number) {
        return connection.reply(
          headers: [("Content-Type", "image/png")], body: Data(ServedPicture(of: String(number)).png))
      }
      func parameter(_ name: String) -> Int? {
        target.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix(name + "=") }
          .flatMap { Int($0.dropFirst(name.count + 1)) }
      }
      let size = parameter("limit") ?? 20
      var ids: [Int]
      if let least = parameter("min_id") {
        ids = Array(max(1, least + 1)..<max(max(1, least + 1), min(least + 1 + size, newest + 1))).reversed()
      } else {
        let end = min(newest, (parameter("max_id") ?? newest + 1) - 1)
        ids = end < 1 ? [] : Array(max(1, end - size + 1)...end).reversed()
      }
      let host = request.header("host") ?? ""
      let rows = ids.map { Self.row($0, hasPictures ? host : nil, isWide: shared.isWide) }
      var links: [String] = []
      if let last = ids.last, last > 1 {
        links.append("<http://\(host)/feed?limit=\(size)&max_id=\(last)>; rel=\"next\"")
      }
      if let first = ids.first { links.append("<http://\(host)/feed?limit=\(size)&min_id=\(first)>; rel=\"prev\"") }
      connection.reply(
        headers: [("Content-Type", "application/json"), ("Link", links.joined(separator: ", "))],
        text: "[" + rows.joined(separator: ",") + "]")
    }
  }

  /// The list's URL.
  func url(limit: Int = 20) -> String { server.url("/feed?limit=\(limit)").absoluteString }

  /// The newest row is that one from now on.
  func grow(to newest: Int) { shared.state.withLock { $0.newest = newest } }

  /// Whether every request fails.
  var fails: Bool {
    get { shared.state.withLock { $0.fails } }
    set { shared.state.withLock { $0.fails = newValue } }
  }

  /// How many pictures were asked for.
  var pictureRequests: Int { server.requests.count { $0.target.hasPrefix("/pictures/") } }

  /// Titles that are hard to show: of every ten rows, one each.
  static let titles = [
    "宽字符的标题占两列", "한국어 제목", "e\u{301}le\u{300}ve compose\u{301}", "שלום עולם, abc", "مرحبا بالعالم 123",
    "👩‍👩‍👧 family ❤️ heart 👍🏽", "esc \\u001b[2J\\u001b[31m here", "bidi \\u202e evil", "ｆｕｌｌ width", "plain",
  ]

  private static func row(_ id: Int, _ host: String?, isWide: Bool) -> String {
    let picture = host.map { ",\"image\":\"http://\($0)/pictures/\(id).png\"" } ?? ""
    let title = isWide ? "\(id) \(titles[id % 10])" : "Row \(id)"
    return "{\"id\":\(id),\"title\":\"\(title)\",\"text\":\"text of \(id)\"\(picture)}"
  }
}

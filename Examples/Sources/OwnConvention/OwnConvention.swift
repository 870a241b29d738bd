import Foundation
import LoadingHTTP
import Paging
import PagingHTTP

/// A convention of one's own: rows by `Range: items=0-24`, answered with `Content-Range: items 0-24/60`.
extension PageConvention {
  static var itemRange: PageConvention {
    PageConvention { page, request in
      let start = page.key?.number ?? 0
      request.setValue("items=\(start)-\(start + page.loadSize - 1)", forHTTPHeaderField: "Range")
    } keys: { reply in
      let range = reply.http.headers["Content-Range"]?.split { " -/".contains($0) } ?? []
      guard range.count == 4, let last = Int(range[2]), let total = Int(range[3]) else { return PageKeys() }
      return PageKeys(next: last + 1 < total ? HTTPPageKey(last + 1) : nil, total: .exact(total))
    }
  }
}

struct Song: Identifiable, Codable {
  var id: Int
  var title: String
}

@main struct OwnConvention {
  static func main() async throws {
    let url = URL(string: "https://songs.example/list")
    guard let url else { return }
    let source = HTTPPageSource(url, convention: .itemRange, transport: SongServer(), of: Song.self)
    for try await page in source.pages(pageSize: 25) {
      print("\(page.items.count) songs of \(page.total?.count ?? 0), from \(page.items.first?.title ?? "none")")
    }
  }
}

import Foundation
import LoadingHTTP
import PagingHTTP

/// Finding the next page's URL in a `Link` header, which is read to its end first.
enum LinkHeaders {
  static func run() async throws -> [Measurement] {
    guard let url = URL(string: "https://api.example.com/repositories/1300192/issues") else { return [] }
    let links = (0..<100).map { page in
      #"<https://api.example.com/repositories/1300192/issues?page=\#(page)&per_page=100>; rel="page-\#(page)""#
    }
    let header = (links + [#"</repositories/1300192/issues?page=2>; rel="next""#]).joined(separator: ", ")
    let reply = HTTPReply(
      status: 200, headers: ["Link": header], body: Data(), url: url, receivedAt: Date(timeIntervalSince1970: 0))
    precondition(reply.link("next") != nil)
    let one = Measure.median(samples: 41) { for _ in 0..<100 { consume(reply.link("next")) } } / 100
    // 200 MB a second are 5 µs for a thousand bytes.
    let thousands = Double(header.utf8.count) / 1_000
    return [Measurement(workload: "1,000 bytes of a Link header", ours: one / thousands, asked: 5_000)]
  }
}

import Loading

extension ImageEvents {
  /// The fetcher has done something.
  func heard(_ news: FetchNews) {
    switch news {
    case .diskBegan(let id, let key): remember(begin("disk", surface(of: key)), as: id)
    case .diskEnded(let id, _, let outcome):
      guard let span = take(id) else { return }
      count(span.surface) { if outcome == "miss" { $0.disk.misses += 1 } else { $0.disk.hits += 1 } }
      end("disk", span, outcome)
    case .fetchBegan(let id, let key): remember(begin("fetch", surface(of: key)) { $0.fetches += 1 }, as: id)
    case .fetchEnded(let id, _, let outcome, let byteCount):
      guard let span = take(id) else { return }
      count(span.surface) { figures in
        figures.bytesDownloaded += byteCount
        if outcome == "revalidated" { figures.revalidations += 1 }
      }
      end("fetch", span, outcome) { $0.byteCount = byteCount }
    case .diskFailed: tell("diskFailed", nil)
    case .replaced: break
    }
  }
}

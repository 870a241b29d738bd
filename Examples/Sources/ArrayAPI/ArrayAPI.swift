import Paging

struct Song: Identifiable {
  var id: Int
  var title: String
}

/// The app's own client: some songs of a list, from a place on.
struct SongAPI {
  func songs(from start: Int, count: Int) async throws -> [Song] {
    (start..<max(start, min(start + count, 250))).map { Song(id: $0, title: "Song \($0)") }
  }
}

struct SongSource: PageSource {
  let api = SongAPI()

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Song> {
    let start = params.key ?? 0
    let songs = try await api.songs(from: start, count: params.loadSize)
    return Page(songs, nextKey: songs.isEmpty ? nil : start + songs.count)
  }
}

@main struct ArrayAPI {
  static func main() async throws {
    let songs = try await SongSource().items(pageSize: 40).collect(atMost: 1000)
    print("\(songs.count) songs, the last is \(songs.last?.title ?? "none")")
  }
}

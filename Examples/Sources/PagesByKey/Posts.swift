import PagingCache

struct Post: Identifiable, Codable {
  var id: Int
  var title: String
}

/// The app's own client as a paginator's source: pages "1" to "9".
struct PostServer: PaginatorSource {
  @concurrent func page(for request: PaginatorRequest) async throws -> PaginatorPage<Post> {
    guard let number = Int(request.key), (1...9).contains(number) else {
      throw PaginatorError(.invalidKey, message: "There is no page \(request.key).")
    }
    let posts = (0..<request.pageSize).map { place in
      let id = (number - 1) * request.pageSize + place
      return Post(id: id, title: "Post \(id)")
    }
    return PaginatorPage(
      key: request.key, items: posts, previousKey: number > 1 ? "\(number - 1)" : nil,
      nextKey: number < 9 ? "\(number + 1)" : nil)
  }
}

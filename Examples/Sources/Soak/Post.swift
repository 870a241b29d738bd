import PagingStore

/// A row. What it says follows from its number and edition, so that a row that was mixed up is seen.
struct Post: StoredItem, Equatable {
  let id: Int
  var edition: Int
  var text: String
  var isLiked: Bool

  var version: Int64? { Int64(edition) }

  /// The picture beside it, one of 60.
  var picture: Int { id % 60 }

  init(id: Int, edition: Int, isLiked: Bool) {
    self.id = id
    self.edition = edition
    self.isLiked = isLiked
    text = Post.text(id: id, edition: edition)
  }

  static func text(id: Int, edition: Int) -> String { "Post \(id), edition \(edition)" }
}

/// A page as the server writes it.
struct Feed: Codable {
  var posts: [Post]
  var next: String?
}

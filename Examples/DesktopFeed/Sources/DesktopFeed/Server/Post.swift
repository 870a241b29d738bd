import PagingStore

struct Post: StoredItem, Equatable {
  let id: Int
  var text: String

  init(_ id: Int) {
    self.id = id
    let words = ["paging", "a list", "the sea", "a train", "coffee", "the night", "an old map", "rain"]
    text = "Post \(id) about \(words[id % words.count]) and \(words[id / words.count % words.count])"
  }

  /// The name of its picture, which is the server's.
  var picture: String { "picture-\(id)" }
}

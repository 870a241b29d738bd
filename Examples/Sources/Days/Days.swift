import Paging

struct Post: Identifiable {
  var id: Int
  var title: String
  var day: String
  var isHidden = false
}

@main
struct Days {
  static func main() async {
    let posts = (0..<6).map { Post(id: $0, title: "Post \($0)", day: $0 < 4 ? "Monday" : "Tuesday", isHidden: $0 == 1) }
    let pager = Pager(source: ArrayPageSource(posts))

    let rows = pager.filter { !$0.isHidden }.insertingSeparators { before, after in
      after?.day == before?.day ? nil : after?.day
    }

    await rows.settled()
    for row in rows.snapshot.items {
      switch row {
      case .separator(let day): print("— \(day)")
      case .item(let post): print(post.title)
      }
    }
  }
}

import Paging

struct Post: Identifiable {
  var id: Int
  var title: String
}

/// Stands in for a server: posts 99 down to 0.
struct API {
  func posts(before id: Int?, limit: Int) async throws -> [Post] {
    let last = id ?? 100
    return (max(0, last - limit)..<last).reversed().map { Post(id: $0, title: "Post \($0)") }
  }
}

@main
struct Program {
  static func main() async {
    let table = PostTable()
    let pager = Pager(mediator: FeedMediator(api: API(), table: table), source: table)
    await pager.settled()
    print("\(pager.snapshot.items.first?.title ?? "nothing") is on top")

    // A reader who scrolls to the end.
    while !pager.snapshot.states.append.isAtEnd {
      let snapshot = pager.snapshot
      pager.viewportChanged(to: max(0, snapshot.count - 10)..<snapshot.count, of: snapshot)
      await pager.settled()
    }
    print("\(pager.snapshot.items.last?.title ?? "nothing") is the last")
  }
}

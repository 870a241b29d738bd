import Paging

struct Post: Identifiable { let id: Int }
@main
struct FirstList {
  static func main() async throws {
    print(Page<Int, Post>([Post(id: 1)]).items.count)
  }
}

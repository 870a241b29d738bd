#if canImport(SwiftUI)
  import Foundation
  import ImageCodecs
  import ImageLoading
  import ImageLoadingUI
  import LoadingHTTP
  import Paging
  import PagingHTTP
  import PagingUI
  import SwiftUI

  nonisolated struct Post: Identifiable, Codable {
    var id: Int
    var title: String
    var picture: URL?

    /// Drawn, greyed out, where a post isn't loaded yet.
    static let sample = Post(id: 0, title: "A title as long as most", picture: nil)
  }

  /// A page as this API writes it: `{"posts": […], "next": "…"}`.
  nonisolated struct PostPage: Codable {
    var posts: [Post]
    var next: String?
  }

  @MainActor final class FeedModel {
    let posts: PagedList<Post>
    /// Fetches the pictures of the rows that come next. It ends when it is let go of.
    private let pictures: ImagePrefetcher

    init(feed: URL, loader: ImageLoader) {
      let source = HTTPPageSource<Post>(
        feed, convention: .cursor({ (page: PostPage) in page.next }, size: "limit"), transport: URLSessionTransport(),
        items: { $0.posts })
      let pager = Pager(config: PagingConfig(pageSize: 20, prefetchDistance: 20), source: source)
      posts = PagedList(pager)
      pictures = ImagePrefetcher(for: pager, with: loader, to: .disk) { post in post.picture.map { ImageRequest($0) } }
    }
  }

  struct FeedScreen: View {
    let model: FeedModel
    let loader: ImageLoader

    var body: some View {
      List {
        PagedRows(model.posts, skeletons: 8) { post in
          PostRow(post: post)
        } placeholder: {
          PostRow(post: .sample).redacted(reason: .placeholder)
        } edge: { edge, retry in
          if edge.state.isLoading { ProgressView() } else { Button("Try again", action: retry) }
        }
      }
      .overlay {
        if model.posts.phase == .empty { Text("Nothing here yet") }
      }
      .refreshable { await model.posts.refresh() }
      .environment(\.imageLoader, loader)
    }
  }

  struct PostRow: View {
    let post: Post

    var body: some View {
      HStack {
        RemoteImage(post.picture.map { ImageRequest($0) }) { image in
          image.resizable().scaledToFill()
        } placeholder: {
          Color.secondary
        } failure: { _, retry in
          Button("Again", action: retry)
        }
        .frame(width: 48, height: 48)
        Text(post.title)
      }
    }
  }
#endif

#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import ImageLoading
  import ImageLoadingUI
  import Paging
  import PagingUI
  import UIKit

  final class FeedController: UITableViewController {
    private let posts: PagedList<Post>
    private let loader: ImageLoader
    private var rows: PagedDataSource<Post>?
    private var observation: PagedListObservation?

    init(_ posts: PagedList<Post>, loader: ImageLoader) {
      self.posts = posts
      self.loader = loader
      super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(PostCell.self, forCellReuseIdentifier: "post")
      rows = PagedDataSource(posts, in: tableView) { [loader] table, path, row in
        let cell = table.dequeueReusableCell(withIdentifier: "post", for: path)
        // Nil while the row is a placeholder.
        (cell as? PostCell)?.show(row.item, from: loader)
        return cell
      }
      let again = UIButton(type: .system, primaryAction: UIAction(title: "Try again") { [posts] _ in posts.retry() })
      again.sizeToFit()
      again.isHidden = true
      tableView.tableFooterView = again
      observation = posts.observe { posts in
        let states = posts.loadStates
        again.isHidden = states.append.failure == nil && states.refresh.failure == nil
      }
      refreshControl = UIRefreshControl(
        frame: .zero,
        primaryAction: UIAction { [weak self, posts] _ in
          Task {
            await posts.refresh()
            self?.refreshControl?.endRefreshing()
          }
        })
    }
  }

  final class PostCell: UITableViewCell {
    private let picture = UIImageView(frame: .zero)
    private let title = UILabel(frame: .zero)

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
      super.init(style: style, reuseIdentifier: reuseIdentifier)
      let row = UIStackView(arrangedSubviews: [picture, title])
      row.frame = contentView.bounds
      row.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      contentView.addSubview(row)
    }

    required init?(coder: NSCoder) { nil }

    func show(_ post: Post?, from loader: ImageLoader) {
      title.text = post?.title
      // Ends what the cell waited for before, so it never shows another row's picture.
      picture.load(post?.picture.map { ImageRequest($0) }, from: loader)
    }
  }
#endif

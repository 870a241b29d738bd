import Foundation
import ImageCodecs
import ImageLoading
import ImageLoadingUI
import Paging

/// A cell that is used for one row after another, and never shows another row's picture.
@MainActor final class AvatarCell: ImageTarget {
  var imageBinding = ImageBinding()
  var onShow: (ImageContent) -> Void = { _ in }

  func show(_ content: ImageContent) { onShow(content) }

  func bind(_ avatar: URL?, loader: any ImageProviding) {
    let size = DecodeTarget.fill(PixelSize(width: 48, height: 48))
    loader.load(avatar.map { ImageRequest($0, target: size, transforms: [.circle], priority: .high) }, into: self)
  }
}

struct Author: Identifiable {
  var id: Int
  var avatar: URL? { URL(string: "https://pictures.example/author-\(id).png") }
}

@main struct RowPictures {
  @MainActor static func main() async throws {
    guard let url = URL(string: "https://pictures.example/ann.png") else { return }
    let server = PictureServer()
    var config = ImageLoaderConfig()
    let folder = FileManager.default.temporaryDirectory.appending(path: "row-pictures-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    config.diskFolder = folder
    let loader = ImageLoader(config: config, transport: server)

    let image = try await loader.image(from: url, target: .fit(PixelSize(width: 96, height: 96)))
    print("A picture to fit into 96 × 96 is \(image.size).")

    // Twenty rows by one author.
    let (shown, show) = AsyncStream<ImageContent>.makeStream()
    let cells = (0..<20).map { _ in AvatarCell() }
    for cell in cells {
      cell.onShow = { if $0.stage == .image { show.yield($0) } }
      cell.bind(url, loader: loader)
    }
    var pictures: [DecodedImage] = []
    for await content in shown {
      if let image = content.image { pictures.append(image) }
      if pictures.count == cells.count { break }
    }
    let isShared = pictures.allSatisfy { $0 === pictures[0] }
    print("\(pictures.count) rows show it, \(isShared ? "one copy in memory" : "each its own").")
    print("The server was asked \(server.requestCount == 1 ? "once" : "\(server.requestCount) times").")

    // A row that comes back on screen.
    let again = AvatarCell()
    var stages: [String] = []
    again.onShow = { stages.append("\($0.stage) from \($0.origin?.description ?? "nowhere")") }
    again.bind(url, loader: loader)
    print("Bound again, in the same turn: \(stages.joined(separator: ", ")).")
    try await aheadOfTheScreen(loader, server)
  }

  @MainActor static func aheadOfTheScreen(_ loader: ImageLoader, _ server: PictureServer) async throws {
    let pager = Pager(source: ArrayPageSource((0..<100).map { Author(id: $0) }))
    await pager.settled()
    let prefetcher = ImagePrefetcher(for: pager, with: loader, distance: 8) { (author: Author) in
      author.avatar.map { ImageRequest($0, target: .fill(PixelSize(width: 48, height: 48))) }
    }
    let before = server.requestCount
    pager.viewportChanged(to: 20..<30, of: pager.snapshot)
    while server.requestCount < before + 8 { try await Task.sleep(for: .milliseconds(2)) }
    print("Ten rows are on screen, and \(server.requestCount - before) pictures beyond them are on their way.")
    prefetcher.cancelAll()
  }
}

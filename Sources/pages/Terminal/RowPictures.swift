import Foundation
import ImageCodecs
import ImageLoading
import Loading
import Synchronization

/// The pictures of the rows on screen, and of those ahead.
///
/// Rows on screen have targets that are bound to their pictures; a target whose row has left the screen is cleared,
/// which ends its load. What is ahead is fetched at low priority. Pictures that were drawn are kept as cells.
final class RowPictures: Sendable {
  private struct State {
    var images: [Picture: BrowsePicture.Image] = [:]
    /// Drawn pictures, the one that was used last at the end.
    var order: [Picture] = []
    var visible: [Picture] = []
    var ahead: [Picture] = []
    var isOnItsWay = false
  }

  /// A picture at a size.
  fileprivate struct Picture: Hashable, Sendable {
    var url: String
    var size: PictureCells.Size
    var colors: Int

    var request: ImageRequest? {
      guard let url = URL(string: url, encodingInvalidCharacters: false) else { return nil }
      return ImageRequest(url, target: .fit(size.pixels), priority: .high)
    }
  }

  /// How many drawn pictures are kept: about a kilobyte each.
  private static let kept = 2000

  private let state = Mutex(State())
  private let loader: any ImageProviding
  private let prefetcher: ImagePrefetcher
  private let targets: RowTargets
  private let wake: @Sendable () -> Void

  /// - Parameters:
  ///   - loader: Who loads them.
  ///   - wake: Called when a picture has come, from any thread.
  @MainActor init(_ loader: any ImageProviding, wake: @escaping @Sendable () -> Void) {
    self.loader = loader
    self.wake = wake
    prefetcher = ImagePrefetcher(loader)
    targets = RowTargets()
  }

  /// How the picture of a URL stands.
  func image(_ url: String, _ size: PictureCells.Size, colors: Int) -> BrowsePicture.Image {
    state.withLock { $0.images[Picture(url: url, size: size, colors: colors)] } ?? .loading
  }

  /// These are on screen now, and those come next, the nearest first.
  func want(visible: [String], ahead: [String], _ size: PictureCells.Size, colors: Int) {
    func pictures(_ urls: [String]) -> [Picture] { urls.map { Picture(url: $0, size: size, colors: colors) } }
    let hops = state.withLock { state in
      let (visible, ahead) = (pictures(visible), pictures(ahead).filter { state.images[$0] == nil })
      if visible == state.visible, ahead == state.ahead { return false }
      (state.visible, state.ahead) = (visible, ahead)
      defer { state.isOnItsWay = true }
      return !state.isOnItsWay
    }
    if hops { Task { @MainActor in bind() } }
  }

  /// Ends all loads.
  func stop() {
    want(visible: [], ahead: [], PictureCells.Size(columns: 0, lines: 0), colors: 0)
  }

  @MainActor private func bind() {
    let left = targets.bound.keys
    let (visible, begun, ahead) = state.withLock { state in
      state.isOnItsWay = false
      let visible = Set(state.visible)
      // One that failed is tried again when its row comes back.
      for picture in left where !visible.contains(picture) && state.images[picture] == .failed {
        state.images[picture] = nil
        state.order.removeAll { $0 == picture }
      }
      return (visible, state.visible.filter { state.images[$0] == nil }, state.ahead)
    }
    for (picture, target) in targets.bound where !visible.contains(picture) {
      loader.load(nil, into: target)
      targets.bound[picture] = nil
    }
    for picture in begun where targets.bound[picture] == nil {
      let target = RowTarget(size: picture.size, colors: picture.colors) { [weak self] in self?.came($0, picture) }
      targets.bound[picture] = target
      if let request = picture.request { loader.load(request, into: target) } else { came(.failed, picture) }
    }
    prefetcher.update(ahead.compactMap(\.request))
  }

  private func came(_ image: BrowsePicture.Image, _ picture: Picture) {
    state.withLock { state in
      if state.images.updateValue(image, forKey: picture) == nil { state.order.append(picture) }
      while state.order.count > Self.kept, let oldest = state.order.first {
        state.order.removeFirst()
        state.images[oldest] = nil
      }
    }
    wake()
  }
}

/// The targets that are bound.
@MainActor private final class RowTargets {
  var bound: [RowPictures.Picture: RowTarget] = [:]
}

/// Where the picture of one row is shown.
@MainActor private final class RowTarget: ImageTarget {
  var imageBinding = ImageBinding()
  private let size: PictureCells.Size
  private let colors: Int
  private let came: @MainActor (BrowsePicture.Image) -> Void

  init(size: PictureCells.Size, colors: Int, came: @escaping @MainActor (BrowsePicture.Image) -> Void) {
    self.size = size
    self.colors = colors
    self.came = came
  }

  func show(_ content: ImageContent) {
    switch content.stage {
    case .image, .preview:
      if let image = content.image { came(.cells(PictureCells(image, size: size, colors: colors))) }
    case .failure: came(.failed)
    default: break
    }
  }
}

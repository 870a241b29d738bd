import ImageLoading

/// What an image view waits for: a subview of it, so that it lives as long as the view and hears when that is laid out
/// and when it comes on screen and leaves. Of whatever framework they are.
@MainActor protocol LaidOutImageTarget: ImageTarget {
  var laidOut: LaidOutImage { get set }
  /// Whether the view is in a window.
  var isOnScreen: Bool { get }
  /// The view's size in points; nil: there is no image view.
  var viewSize: (width: Double, height: Double)? { get }
  /// Pixels a point.
  var scale: Double { get }
  /// Whether the picture is to cover the view, or else to fit into it.
  var fillsView: Bool { get }

  func clearView()
}

/// What was asked for last.
struct LaidOutImage {
  typealias Failed = @MainActor (ImageError, @escaping @MainActor () -> Void) -> Void

  var request: ImageRequest?
  var loader: (any ImageProviding)?
  var sizing = RemoteImageSizing.asLaidOut
  var failed: Failed?
  /// What is bound, with its size.
  var bound: ImageRequest?
  var task: ImageTask?
}

extension LaidOutImageTarget {
  func bind(
    _ request: ImageRequest?, _ loader: any ImageProviding, _ sizing: RemoteImageSizing, _ failed: LaidOutImage.Failed?
  ) {
    if let bound = laidOut.bound, let request, request.isSamePicture(as: bound) {} else { clear() }
    laidOut.request = request
    laidOut.loader = loader
    laidOut.sizing = sizing
    laidOut.failed = failed
    viewChanged()
  }

  /// Binds what there is to bind, once it can be.
  func viewChanged() {
    guard let request = laidOut.request, isOnScreen, let size = viewSize else { return }
    laidOut.bound = request.sized(
      laidOut.sizing, width: size.width, height: size.height, scale: scale, fills: fillsView)
    begin()
  }

  /// What is shown stays when the view leaves; the same request begins its load anew when it comes back.
  func windowChanged() {
    if isOnScreen { viewChanged() } else { laidOut.task?.cancel() }
  }

  func tellFailure(_ error: ImageError?) {
    if let error { laidOut.failed?(error) { [weak self] in self?.begin() } }
  }

  private func clear() {
    laidOut.bound = nil
    laidOut.loader?.load(nil, into: self)
    clearView()
  }

  /// Binding what is bound already changes nothing, unless its load was ended.
  private func begin() {
    guard let bound = laidOut.bound, let loader = laidOut.loader else { return }
    laidOut.task = loader.load(bound, into: self)
  }
}

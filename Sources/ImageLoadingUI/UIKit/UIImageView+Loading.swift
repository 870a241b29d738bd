#if canImport(UIKit) && !os(watchOS)
  public import ImageLoading
  public import UIKit

  extension UIImageView {
    /// Shows the picture of a request, and ends what the view waited for before: for cells, call it whenever one is
    /// used anew.
    ///
    /// Loading begins when the view is in a window and laid out; leaving the window ends it, coming back begins it
    /// again. What is in memory is shown in this turn, what comes later is faded in. A view that was given another
    /// request never shows the picture of this one.
    ///
    /// - Parameters:
    ///   - request: What to show; nil clears the view. Its target is set here, unless `sizing` says otherwise; whether
    ///     it covers the view or fits in is up to the view's `contentMode`.
    ///   - loader: Who loads.
    ///   - sizing: How large it is asked for; default: as large as the view is.
    ///   - failed: Called when the picture won't come, with what to call to try again; default: nothing is done.
    public func load(
      _ request: ImageRequest?, from loader: any ImageProviding, sizing: RemoteImageSizing = .asLaidOut,
      failed: (@MainActor (_ error: ImageError, _ retry: @escaping @MainActor () -> Void) -> Void)? = nil
    ) {
      UIKitImageTarget.of(self).bind(request, loader, sizing, failed)
    }
  }
#endif

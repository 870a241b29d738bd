#if canImport(SwiftUI)
  public import ImageLoading
  public import SwiftUI

  extension EnvironmentValues {
    /// Who loads the pictures of ``RemoteImage`` and ``AnimatedRemoteImage``; default: one `ImageLoader()` for the
    /// whole app, made when it is first needed. Set your own near the root if you have one, since two loaders must not
    /// share a folder.
    public var imageLoader: any ImageProviding {
      get { self[ImageLoaderKey.self] }
      set { self[ImageLoaderKey.self] = newValue }
    }
  }

  private struct ImageLoaderKey: EnvironmentKey {
    static let defaultValue: any ImageProviding = ImageLoader()
  }
#endif

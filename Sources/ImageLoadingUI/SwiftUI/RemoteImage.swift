#if canImport(SwiftUI)
  import CoreGraphics
  public import ImageLoading
  public import SwiftUI

  /// A picture that is loaded when it comes on screen, at the size in which it is shown.
  ///
  /// ```swift
  /// RemoteImage(ImageRequest(post.imageURL), aspectRatio: post.aspectRatio) { image in
  ///   image.resizable().scaledToFill()
  /// } placeholder: {
  ///   Color.secondary
  /// } failure: { error, retry in
  ///   Button("Try again", action: retry)
  /// }
  /// ```
  ///
  /// It takes the room that it is offered, and never changes its size for a picture: give it a frame, or the picture's
  /// proportions. Leaving the screen cancels, coming back binds again. What is in memory is shown in the first frame,
  /// without the placeholder; what comes later is faded in. The loader is the environment's
  /// ``SwiftUI/EnvironmentValues/imageLoader``.
  public struct RemoteImage<Content: View, Placeholder: View, Failure: View>: View {
    @Environment(\.imageLoader) private var loader
    @Environment(\.displayScale) private var scale
    @State private var model = RemoteImageModel()

    private let request: ImageRequest?
    private let sizing: RemoteImageSizing
    private let contentMode: ContentMode
    private let aspectRatio: CGFloat?
    private let content: (Image, ImageRequest) -> Content
    private let placeholder: () -> Placeholder
    private let failure: (ImageError, @escaping @MainActor () -> Void) -> Failure

    /// A picture of a request.
    ///
    /// - Parameters:
    ///   - request: What to show; nil shows the placeholder. Its target is set here, unless `sizing` says otherwise.
    ///   - sizing: How large it is asked for; default: as large as the view is.
    ///   - contentMode: Whether the picture is to cover the view or to fit in; default: cover.
    ///   - aspectRatio: Width by height, which the view keeps; default nil: it takes all the room that it is offered.
    ///   - content: Shows the picture.
    ///   - placeholder: Shown until it comes.
    ///   - failure: Shown where it won't come; the closure that it gets tries again.
    public init(
      _ request: ImageRequest?, sizing: RemoteImageSizing = .asLaidOut, contentMode: ContentMode = .fill,
      aspectRatio: CGFloat? = nil, @ViewBuilder content: @escaping (_ image: Image) -> Content,
      @ViewBuilder placeholder: @escaping () -> Placeholder,
      @ViewBuilder failure: @escaping (_ error: ImageError, _ retry: @escaping @MainActor () -> Void) -> Failure
    ) {
      self.init(
        request, sizing, contentMode, aspectRatio, content: { image, _ in content(image) }, placeholder: placeholder,
        failure: failure)
    }

    /// - Parameter content: Gets the request as it was made, with its size.
    init(
      _ request: ImageRequest?, _ sizing: RemoteImageSizing, _ contentMode: ContentMode, _ aspectRatio: CGFloat?,
      content: @escaping (Image, ImageRequest) -> Content, placeholder: @escaping () -> Placeholder,
      failure: @escaping (ImageError, @escaping @MainActor () -> Void) -> Failure
    ) {
      self.request = request
      self.sizing = sizing
      self.contentMode = contentMode
      self.aspectRatio = aspectRatio
      self.content = content
      self.placeholder = placeholder
      self.failure = failure
    }

    /// The picture, or what is shown instead.
    public var body: some View {
      if let aspectRatio, aspectRatio > 0 {
        room.aspectRatio(aspectRatio, contentMode: .fit)
      } else {
        room
      }
    }

    private var room: some View {
      GeometryReader { proxy in
        let size = proxy.size
        let wanted = request?.sized(
          sizing, width: size.width, height: size.height, scale: scale, fills: contentMode == .fill)
        stage(wanted)
          .frame(width: size.width, height: size.height)
          .clipped()
          .animation(.easeInOut(duration: 0.2), value: model.fades)
          .onAppear { model.bind(wanted, loader) }
          .onChange(of: wanted) { _, wanted in model.bind(wanted, loader) }
          .onDisappear { model.leave() }
      }
    }

    @ViewBuilder private func stage(_ wanted: ImageRequest?) -> some View {
      if let wanted, let picture = picture(for: wanted) {
        content(Image(decorative: picture, scale: scale), wanted)
      } else if let error = model.failure(for: wanted) {
        failure(error) { model.retry() }
      } else {
        placeholder()
      }
    }

    private func picture(for wanted: ImageRequest) -> CGImage? {
      model.picture(for: wanted) ?? loader.cachedImage(for: wanted)?.cgImage
    }
  }
#endif

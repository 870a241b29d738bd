#if canImport(SwiftUI)
  import CoreGraphics
  import ImageCodecs
  public import ImageLoading
  public import SwiftUI

  /// A picture that moves if it is an animation: a ``RemoteImage`` whose frames follow one another.
  ///
  /// The first frame is shown as any picture is. Frames are composed one at a time and never all held; all animations
  /// share one ``AnimationBudget``. They stand still off screen, while the app isn't active, while the budget is
  /// paused, and where less motion is asked for. The frames come from the environment's loader if it is an
  /// ``ImageFrameProviding``.
  public struct AnimatedRemoteImage<Content: View, Placeholder: View, Failure: View>: View {
    private let request: ImageRequest?
    private let sizing: RemoteImageSizing
    private let contentMode: ContentMode
    private let aspectRatio: CGFloat?
    private let budget: AnimationBudget
    private let content: (Image) -> Content
    private let placeholder: () -> Placeholder
    private let failure: (ImageError, @escaping @MainActor () -> Void) -> Failure

    /// A picture of a request.
    ///
    /// - Parameters:
    ///   - request: What to show; nil shows the placeholder. Its target is set here, unless `sizing` says otherwise.
    ///   - sizing: How large it is asked for; default: as large as the view is.
    ///   - contentMode: Whether the picture is to cover the view or to fit in; default: cover.
    ///   - aspectRatio: Width by height, which the view keeps; default nil: it takes all the room that it is offered.
    ///   - budget: What animations may use; default: the one that all share.
    ///   - content: Shows a frame.
    ///   - placeholder: Shown until the first one comes.
    ///   - failure: Shown where it won't come; the closure that it gets tries again.
    public init(
      _ request: ImageRequest?, sizing: RemoteImageSizing = .asLaidOut, contentMode: ContentMode = .fill,
      aspectRatio: CGFloat? = nil, budget: AnimationBudget = .shared,
      @ViewBuilder content: @escaping (_ image: Image) -> Content,
      @ViewBuilder placeholder: @escaping () -> Placeholder,
      @ViewBuilder failure: @escaping (_ error: ImageError, _ retry: @escaping @MainActor () -> Void) -> Failure
    ) {
      self.request = request
      self.sizing = sizing
      self.contentMode = contentMode
      self.aspectRatio = aspectRatio
      self.budget = budget
      self.content = content
      self.placeholder = placeholder
      self.failure = failure
    }

    /// The frame of the moment, or what is shown instead.
    public var body: some View {
      RemoteImage(
        request, sizing, contentMode, aspectRatio,
        content: { still, request in AnimatedStage(still: still, request: request, budget: budget, content: content) },
        placeholder: placeholder, failure: failure)
    }
  }

  /// What moves, once there is a first picture.
  private struct AnimatedStage<Content: View>: View {
    /// What is played, and whether it is.
    private struct Play: Hashable {
      let request: ImageRequest
      let isOn: Bool
    }

    @Environment(\.imageLoader) private var loader
    @Environment(\.displayScale) private var scale
    @Environment(\.scenePhase) private var phase
    @Environment(\.accessibilityReduceMotion) private var reducesMotion
    @State private var player = AnimationPlayer()

    let still: Image
    let request: ImageRequest
    let budget: AnimationBudget
    let content: (Image) -> Content

    var body: some View {
      let play = Play(request: request, isOn: phase == .active && !reducesMotion)
      content(player.image?.cgImage.map { Image(decorative: $0, scale: scale) } ?? still)
        // Ends when the view leaves the screen.
        .task(id: play) { await run(play) }
        .onChange(of: request) { _, _ in player.clear() }
    }

    private func run(_ play: Play) async {
      guard play.isOn, let loader = loader as? any ImageFrameProviding else { return }
      // What fails here has been told by the still picture, or is none that moves.
      guard let frames = try? await loader.frames(for: play.request) else { return }
      await player.play(frames, budget: budget, on: ContinuousClock())
    }
  }
#endif

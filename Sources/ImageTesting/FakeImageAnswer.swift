public import ImageCodecs
public import ImageLoading
public import PagingTesting

/// What one load of a ``FakeImageLoader`` does.
public struct FakeImageAnswer: Sendable {
  enum Step: Sendable {
    case wait(Gate)
    case tell(ImageUpdate)
    case end(Result<ImageResponse, ImageError>)
  }

  let steps: [Step]

  private init(_ steps: [Step]) { self.steps = steps }

  /// Gives a picture.
  public static func image(_ image: DecodedImage, from origin: ImageResponse.Origin = .network) -> FakeImageAnswer {
    FakeImageAnswer([.end(.success(ImageResponse(image: image, origin: origin)))])
  }

  /// Fails.
  public static func failure(_ error: ImageError) -> FakeImageAnswer { FakeImageAnswer([.end(.failure(error))]) }

  /// Waits until a gate that the test holds is open, then does the rest; when the load is cancelled it waits no longer.
  public static func held(by gate: Gate, _ rest: FakeImageAnswer) -> FakeImageAnswer {
    FakeImageAnswer([.wait(gate)] + rest.steps)
  }

  /// Tells how far it has come, then does the rest.
  public static func progress(_ progress: ImageProgress, _ rest: FakeImageAnswer) -> FakeImageAnswer {
    FakeImageAnswer([.tell(.progress(progress))] + rest.steps)
  }

  /// Shows a preview, then does the rest.
  public static func preview(_ image: DecodedImage, _ rest: FakeImageAnswer) -> FakeImageAnswer {
    FakeImageAnswer([.tell(.preview(image))] + rest.steps)
  }
}

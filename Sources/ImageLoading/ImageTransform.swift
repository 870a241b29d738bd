public import ImageCodecs

/// Something that is done to a decoded picture, with a name that tells it from everything else that may be done.
public struct ImageTransform: Hashable, Sendable {
  /// What it does, parameters included: two transforms of one identifier count as the same and share results, also on
  /// disk.
  public let identifier: String
  let apply: @Sendable (DecodedImage) throws -> DecodedImage

  /// A transform of one's own.
  ///
  /// - Parameters:
  ///   - identifier: Names what is done, with all its parameters; must not be that of another transform.
  ///   - apply: Called off the main thread, on any; looks at `Task.isCancelled` if it takes long. What it throws fails
  ///     the load with ``ImageError/Code/transform``.
  public init(identifier: String, _ apply: @escaping @Sendable (DecodedImage) throws -> DecodedImage) {
    self.identifier = identifier
    self.apply = apply
  }

  /// Whether both do the same, by their identifiers.
  public static func == (a: ImageTransform, b: ImageTransform) -> Bool { a.identifier == b.identifier }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

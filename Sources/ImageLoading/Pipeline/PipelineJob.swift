import ImageCodecs

/// What a stage's work needs to know: a request and its keys.
struct PipelineJob: Sendable {
  /// What is wanted of a request.
  enum Purpose: Sendable {
    case picture
    /// The bytes and nothing else: onto the disk, or for the frames of an animation.
    case bytes
  }

  let request: ImageRequest
  let keys: ImageKeys
  /// Whether previews are wanted.
  let showsPreviews: Bool
  let purpose: Purpose
  /// Whether the picture may be put into memory.
  let writesMemory: Bool

  init(_ request: ImageRequest, purpose: Purpose = .picture, writesMemory: Bool = true) {
    self.request = request
    self.purpose = purpose
    keys = ImageKeys(request)
    showsPreviews = request.showsPreviews && purpose == .picture
    self.writesMemory = writesMemory && request.cachePolicy.writesMemory
  }

  /// The stages up to what is wanted, the bytes first.
  var chain: [PipelineState<PipelineJob>.Name] {
    let policy = request.cachePolicy
    let bytes = PipelineState<PipelineJob>.Name(keys.bytes, manner: Self.manner(ofBytes: policy))
    guard purpose == .picture else { return [bytes] }
    let manner = Self.manner(ofBytes: policy) << 1 | (policy.readsMemory ? 1 : 0)
    return [bytes] + keys.stages.map { PipelineState<PipelineJob>.Name($0, manner: manner) }
  }

  /// The bytes as the network has them, whatever the disk says.
  var freshBytes: PipelineState<PipelineJob>.Name {
    PipelineState<PipelineJob>.Name(keys.bytes, manner: Self.manner(ofBytes: reloading.cachePolicy))
  }

  /// Whether the picture may be left on the disk.
  var leavesProcessed: Bool { request.cachePolicy.writesDisk && request.isRemote }

  /// The request, past the disk.
  var reloading: ImageRequest {
    var request = request
    request.cachePolicy.readsDisk = false
    return request
  }

  /// Who may ask the network, or leaves something on disk, doesn't share with who mustn't; whatever else differs
  /// changes no bytes.
  private static func manner(ofBytes policy: ImageCachePolicy) -> Int {
    [
      policy.readsDisk, policy.writesDisk, policy.usesNetwork, policy.showsStaleWhileRevalidating,
      policy.showsStaleOnError,
    ].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }
}

/// What a stage gives.
enum StageResult: Sendable {
  case bytes(FetchedBytes)
  case picture(StagePicture)
}

/// A picture, and what may be done with it.
struct StagePicture: Sendable {
  let image: DecodedImage
  let origin: ImageResponse.Origin
  /// Whether memory has it already.
  var isKept = false
  /// The head of the answer that it was made of, where the disk may have it.
  var head: StoredHead?
}

/// What a stage tells those who wait for it, or for what is made of it.
enum StageNews: Sendable {
  case progress(ImageProgress)
  case preview(DecodedImage)
  case ended(Result<StageResult, any Error>)
}

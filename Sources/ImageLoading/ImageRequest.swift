public import ImageCodecs
public import Loading
public import LoadingHTTP

public import struct Foundation.URL

/// Which picture is wanted, how large, and what is done to it on the way.
///
/// Two requests are equal when they want the same thing in the same way; what caches and running work are shared by is
/// narrower, see ``identity``, ``signature`` and ``authorizationScope``.
public struct ImageRequest: Hashable, Sendable {
  /// Where the bytes come from.
  public var source: ImageSource
  /// How large the decoder makes it; default ``/ImageCodecs/DecodeTarget/original``. Ask for the size in which it is
  /// shown: it is what bounds memory.
  public var target: DecodeTarget
  /// What is done to the decoded picture, in order; default nothing.
  public var transforms: [ImageTransform]
  /// What stands for the source in keys; default nil: the source itself. For URLs with a token that changes.
  public var identity: String?
  /// Tells versions of one source apart, such as a date of change; default nil. Counts in memory and on disk.
  public var signature: String?
  /// Where it is shown, such as `feed`; default nil. For figures, and for ``ImageLoaderConfig/surfaceShares``.
  public var surface: String?
  /// The request's method; default `GET`. Counts in keys.
  public var method: String
  /// What is sent along with it; default nothing.
  public var headers: HTTPHeaders
  /// Whose eyes the answer is for, such as a user's ID; default nil: told by the values of `Authorization` and `Cookie`
  /// in ``headers``, so that two users never share an answer. Counts in keys, never stored in the clear.
  public var authorizationScope: String?
  /// What caches are asked and filled; default ``ImageCachePolicy/automatic``.
  public var cachePolicy: ImageCachePolicy
  /// How soon; default `medium`. A picture that others ask for too comes as soon as the most urgent one.
  public var priority: LoadPriority
  /// What is shown until the picture comes; default nil. Costs no request.
  public var placeholder: ImagePlaceholder?
  /// A smaller picture to show until this one comes, at the same target; default nil.
  public var thumbnail: ImageSource?
  /// Whether pictures that come in scans are shown as they come; default false. Shown at most once each
  /// ``ImageLoaderConfig/previewInterval``, and never kept.
  public var showsPreviews: Bool
  /// What is tried, in order, when ``source`` fails; default nothing.
  public var alternatives: [ImageSource]
  /// Whether a larger copy in memory will do; default false: at most one pixel of difference will.
  public var allowsLargerCached: Bool
  /// Whether a picture that is cut or damaged in the middle is shown as far as it goes; default false: it is a failure.
  public var allowsPartial: Bool

  /// A picture from a source.
  public init(
    source: ImageSource, target: DecodeTarget = .original, transforms: [ImageTransform] = [],
    priority: LoadPriority = .medium
  ) {
    self.source = source
    self.target = target
    self.transforms = transforms
    self.priority = priority
    identity = nil
    signature = nil
    surface = nil
    method = "GET"
    headers = [:]
    authorizationScope = nil
    cachePolicy = .automatic
    placeholder = nil
    thumbnail = nil
    showsPreviews = false
    alternatives = []
    allowsLargerCached = false
    allowsPartial = false
  }

  /// A picture from a URL: `http`, `https`, `file` or `data`.
  public init(
    _ url: URL, target: DecodeTarget = .original, transforms: [ImageTransform] = [], priority: LoadPriority = .medium
  ) {
    self.init(source: .url(url), target: target, transforms: transforms, priority: priority)
  }
}

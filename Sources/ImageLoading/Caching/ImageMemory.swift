import ImageCodecs
import Loading
import Synchronization

/// Decoded pictures in memory, within bounds that hold at every instant.
///
/// What leaves first is what was used least recently: of the surface that exceeds its share, else of all. A picture
/// that has left is found again as long as somebody holds it, a target most often. A look is O(1), and O(k) in the
/// other sizes of the picture that are there where it isn't. Every member may be used from any thread; nothing is let
/// go of under the lock.
final class ImageMemory: PictureKeeping {
  private let state: Mutex<ImageMemoryState>
  private let elapsed: @Sendable () -> Duration
  private let lifetime: Duration?

  /// An empty memory.
  ///
  /// - Parameters:
  ///   - config: Its bounds.
  ///   - clock: What times to live are measured on; not read where there are none.
  init(config: ImageLoaderConfig, clock: any Clock<Duration>) {
    state = Mutex(ImageMemoryState(bounds: ImageMemoryBounds(config)))
    lifetime = config.memoryLifetime
    elapsed = ElapsedTime(on: clock).now
  }

  private var now: Duration { lifetime == nil ? .zero : elapsed() }

  /// The picture of a request; counts as a hit or a miss of its surface, and as use.
  ///
  /// A picture of another size does where it is at most a pixel off in each direction, or larger and the request allows
  /// that; with transforms only the size that was asked for does. Nil, and nothing counted, where the request's policy
  /// doesn't read memory.
  func image(for request: ImageRequest, keys: ImageKeys) -> DecodedImage? {
    guard request.cachePolicy.readsMemory else { return nil }
    let now = now
    var departed: [DecodedImage] = []
    return state.withLock { $0.image(keys, request, now: now, &departed) }
  }

  /// The picture of exactly that key, whatever the policy of who asks; counts as use, and in no figure.
  func peek(_ key: ImageKey) -> DecodedImage? {
    let now = now
    var departed: [DecodedImage] = []
    return state.withLock { $0.peek(key, now: now, &departed) }
  }

  /// Keeps the picture of a request, in place of an earlier one, unless its policy doesn't write memory.
  ///
  /// One that is too large is not kept, and the others stay; it is found again as long as somebody holds it.
  func insert(_ image: DecodedImage, for request: ImageRequest, keys: ImageKeys) {
    guard request.cachePolicy.writesMemory else { return }
    let isPlain = request.transforms.isEmpty
    insert(
      image, keys.final, family: isPlain ? keys.family : nil,
      made: isPlain ? CachedSize(size: image.size, target: request.target) : nil, surface: request.surface)
  }

  /// Keeps a picture of some stage; no other size stands in for it.
  func insert(_ image: DecodedImage, key: ImageKey, surface: String?) {
    insert(image, key, family: nil, made: nil, surface: surface)
  }

  private func insert(
    _ image: DecodedImage, _ key: ImageKey, family: ImageKey?, made: CachedSize?, surface: String?
  ) {
    let now = now
    // Some thousands of years are as good as any longer time, and can be added up.
    let expires = lifetime.map { now + min($0, .seconds(1 << 37)) }
    let label = ImageMemoryState.Label(key: key, family: family, made: made, expires: expires)
    var departed: [DecodedImage] = []
    state.withLock { $0.insert(image, label, surface: surface, now: now, &departed) }
  }

  /// Gives memory back; what leaves is found again as long as somebody holds it.
  ///
  /// - Returns: How many bytes left.
  @discardableResult func trim(to pressure: MemoryPressure) -> Int {
    let now = now
    var departed: [DecodedImage] = []
    return state.withLock { state in
      let limit = ImageMemoryBounds.part(pressure.keptShare, of: state.bounds.bytes)
      return state.trim(toBytes: limit, now: now, &departed)
    }
  }

  /// The bound in bytes; what a smaller one has no room for leaves at once.
  var maxBytes: Int {
    get { state.withLock { $0.bounds.bytes } }
    set {
      let now = now
      var departed: [DecodedImage] = []
      state.withLock { $0.setBounds($0.bounds.resized(to: newValue), now: now, &departed) }
    }
  }

  /// Lets go of all pictures that were made of these bytes, of whatever size, held elsewhere or not. O(n).
  func remove(bytes: ImageKey) {
    var departed: [DecodedImage] = []
    state.withLock { $0.removeAll(beginningWith: bytes, &departed) }
  }

  /// Lets go of everything; what is held elsewhere isn't found again either.
  func removeAll() {
    var departed: [DecodedImage] = []
    state.withLock { $0.removeAll(&departed) }
  }

  /// Bytes of the pictures that are kept; those that only others hold don't count.
  var bytesHeld: Int { state.withLock { $0.bytesHeld } }

  /// The most that were kept at once.
  var peakBytesHeld: Int { state.withLock { $0.peakBytesHeld } }

  /// How many pictures are kept, expired ones that nobody has asked for included.
  var count: Int { state.withLock { $0.count } }

  /// What a surface, or with nil all of them together, has done so far.
  func statistics(surface: String?) -> CacheStatistics { figures(surface: surface).statistics }

  /// The same with the bytes that it holds now and held at most.
  func figures(surface: String?) -> (statistics: CacheStatistics, bytesHeld: Int, peakBytesHeld: Int) {
    state.withLock { state in
      guard let surface else { return (state.surfaces.total, state.bytesHeld, state.peakBytesHeld) }
      let book = state.surfaces.book(of: surface) ?? ImageSurfaces.Book()
      return (book.statistics, book.bytes, book.peakBytes)
    }
  }
}

extension ImageSurfaces {
  /// All surfaces' figures, summed.
  var total: CacheStatistics {
    var total = CacheStatistics()
    for number in numbers {
      let part = self[number].statistics
      total.hits += part.hits
      total.misses += part.misses
      total.insertions += part.insertions
      total.evictions += part.evictions
      total.refusals += part.refusals
    }
    return total
  }
}

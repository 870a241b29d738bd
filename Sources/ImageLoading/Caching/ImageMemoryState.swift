import ImageCodecs
import Loading

/// The pictures in memory and which of them leaves first: every decision, with no lock and no clock.
///
/// `MemoryCache` of `Loading` is not used: shares, the table of pictures that are held elsewhere and the look at other
/// sizes have to agree with the order of use in one step, and it knows one bound, one key for a look-up, and no more of
/// a value once that has left.
///
/// Each surface has a chain of its pictures in the order of their use, and each picture a stamp that grows with use:
/// what leaves first of all is the oldest head of the chains. What leaves is handed out, so that it is let go of
/// outside the lock.
struct ImageMemoryState {
  /// What is known of a picture beside its pixels.
  struct Label {
    let key: ImageKey
    /// What other sizes of it have in common; nil where no other size may stand in for it.
    let family: ImageKey?
    let made: CachedSize?
    let expires: Duration?
  }

  private struct Entry {
    let label: Label
    var image: DecodedImage
    let cost: Int
    let surface: Int
    var stamp: UInt64
  }

  private struct Link {
    var previous = -1
    var next = -1
  }

  private(set) var bounds: ImageMemoryBounds
  private(set) var surfaces = ImageSurfaces()
  private(set) var bytesHeld = 0
  private(set) var peakBytesHeld = 0
  private var places: [ImageKey: Int] = [:]
  private var families: [ImageKey: [Int]] = [:]
  private var entries: [Entry?] = []
  private var links: [Link] = []
  private var free: [Int] = []
  private var elsewhere = HeldImages()
  private var lastStamp: UInt64 = 0
  private var nextSweep: Duration = .zero

  init(bounds: ImageMemoryBounds) {
    self.bounds = bounds
    // Those that have a share never lack a number.
    for name in bounds.sharedSurfaces { _ = surfaces.number(of: name) }
  }

  var count: Int { places.count }

  // MARK: - Looking

  /// The picture of that key, or one that can stand in for it; counts as use.
  mutating func image(
    _ keys: ImageKeys, _ request: ImageRequest, now: Duration, _ departed: inout [DecodedImage]
  ) -> DecodedImage? {
    let surface = surfaces.number(of: request.surface)
    let key = keys.final
    if let place = places[key] {
      if let image = use(place, now: now, &departed) {
        surfaces[surface].statistics.hits += 1
        return image
      }
    } else if let (image, label) = elsewhere.take(key, now: now) {
      surfaces[surface].statistics.hits += 1
      _ = keep(image, label, surface: surface, now: now, &departed)
      return image
    }
    if request.transforms.isEmpty, let place = relative(keys, request, now: now, &departed),
      let image = use(place, now: now, &departed)
    {
      surfaces[surface].statistics.hits += 1
      return image
    }
    surfaces[surface].statistics.misses += 1
    return nil
  }

  /// The picture of exactly that key; counts as use, and in no figure.
  mutating func peek(_ key: ImageKey, now: Duration, _ departed: inout [DecodedImage]) -> DecodedImage? {
    if let place = places[key] { return use(place, now: now, &departed) }
    return elsewhere.peek(key, now: now)
  }

  private mutating func use(_ place: Int, now: Duration, _ departed: inout [DecodedImage]) -> DecodedImage? {
    guard let entry = entries[place] else { return nil }
    if let expires = entry.label.expires, expires <= now {
      surfaces[entry.surface].statistics.evictions += 1
      remove(place, &departed)
      return nil
    }
    lastStamp += 1
    entries[place]?.stamp = lastStamp
    if links[place].next >= 0 {
      unlink(place, entry.surface)
      link(place, entry.surface)
    }
    return entry.image
  }

  /// The best of the other sizes.
  private mutating func relative(
    _ keys: ImageKeys, _ request: ImageRequest, now: Duration, _ departed: inout [DecodedImage]
  ) -> Int? {
    guard !families.isEmpty, let relatives = families[keys.family] else { return nil }
    var best: (place: Int, match: CachedSize.Match)?
    for place in relatives {
      guard let label = entries[place]?.label, label.expires ?? .seconds(1 << 37) > now,
        let match = label.made?.match(for: request.target, allowsLarger: request.allowsLargerCached)
      else { continue }
      if let known = best, known.match <= match { continue }
      best = (place, match)
    }
    return best?.place
  }

  // MARK: - Changing

  /// Takes a picture in, in place of the key's earlier one, after what has to leave for it has left.
  mutating func insert(
    _ image: DecodedImage, _ label: Label, surface name: String?, now: Duration, _ departed: inout [DecodedImage]
  ) {
    let surface = surfaces.number(of: name)
    if let place = places[label.key] { remove(place, &departed) }
    elsewhere.forget(label.key)
    if keep(image, label, surface: surface, now: now, &departed) {
      surfaces[surface].statistics.insertions += 1
    } else {
      surfaces[surface].statistics.refusals += 1
    }
  }

  /// - Returns: Whether there is room for it; else only a note of it is kept, for as long as somebody else holds it.
  private mutating func keep(
    _ image: DecodedImage, _ label: Label, surface: Int, now: Duration, _ departed: inout [DecodedImage]
  ) -> Bool {
    let cost = image.byteCount
    let share = surfaces.name(of: surface).flatMap { bounds.share(of: $0) }
    guard cost <= bounds.entryBytes, cost <= share ?? .max, cost <= bounds.bytes else {
      elsewhere.note(image, label)
      return false
    }
    sweep(now: now, isNeeded: bytesHeld + cost > bounds.bytes, &departed)
    if let share {
      while surfaces[surface].bytes + cost > share, evict(surfaces[surface].first, &departed) {}
    }
    while bytesHeld + cost > bounds.bytes, evict(oldest, &departed) {}
    lastStamp += 1
    let entry = Entry(label: label, image: image, cost: cost, surface: surface, stamp: lastStamp)
    let place = free.popLast() ?? entries.count
    if place == entries.count {
      entries.append(entry)
      links.append(Link())
    } else {
      entries[place] = entry
    }
    places[label.key] = place
    if let family = label.family { families[family, default: []].append(place) }
    link(place, surface)
    count(cost, surface)
    return true
  }

  /// Lets pictures go, the least recently used first, until what is left takes no more than that.
  ///
  /// - Returns: How many bytes left.
  mutating func trim(toBytes limit: Int, now: Duration, _ departed: inout [DecodedImage]) -> Int {
    let before = bytesHeld
    sweep(now: now, isNeeded: true, &departed)
    while bytesHeld > max(0, limit), evict(oldest, &departed) {}
    return before - bytesHeld
  }

  /// Takes other bounds, and lets go of what they have no room for.
  mutating func setBounds(_ bounds: ImageMemoryBounds, now: Duration, _ departed: inout [DecodedImage]) {
    self.bounds = bounds
    for surface in surfaces.numbers {
      guard let share = surfaces.name(of: surface).flatMap({ bounds.share(of: $0) }) else { continue }
      while surfaces[surface].bytes > share, evict(surfaces[surface].first, &departed) {}
    }
    _ = trim(toBytes: bounds.bytes, now: now, &departed)
  }

  /// Lets go of all that begins with those fields, and of every note of it. O(n).
  mutating func removeAll(beginningWith prefix: ImageKey, _ departed: inout [DecodedImage]) {
    for (key, place) in places where key.begins(with: prefix) { remove(place, &departed) }
    elsewhere.forgetAll { $0.begins(with: prefix) }
  }

  /// Lets go of everything, and of every note.
  mutating func removeAll(_ departed: inout [DecodedImage]) {
    for place in places.values { remove(place, &departed) }
    elsewhere.forgetAll { _ in true }
  }

  // MARK: - Leaving

  private var oldest: Int {
    var oldest = -1
    var stamp = UInt64.max
    for surface in surfaces.numbers {
      guard surfaces[surface].first >= 0, let entry = entries[surfaces[surface].first], entry.stamp < stamp else {
        continue
      }
      (oldest, stamp) = (surfaces[surface].first, entry.stamp)
    }
    return oldest
  }

  /// Removes what is expired, where that is needed or it is long since it was done.
  private mutating func sweep(now: Duration, isNeeded: Bool, _ departed: inout [DecodedImage]) {
    guard let lifetime = bounds.lifetime, isNeeded || now >= nextSweep else { return }
    nextSweep = now + min(lifetime, .seconds(1 << 37)) / 4
    for place in places.values {
      guard let entry = entries[place], let expires = entry.label.expires, expires <= now else { continue }
      surfaces[entry.surface].statistics.evictions += 1
      remove(place, &departed)
    }
  }

  /// - Returns: Whether there was one to evict.
  private mutating func evict(_ place: Int, _ departed: inout [DecodedImage]) -> Bool {
    guard place >= 0, let (label, surface) = entries[place].map({ ($0.label, $0.surface) }) else { return false }
    surfaces[surface].statistics.evictions += 1
    remove(place, &departed)
    // Nobody else can come by it meanwhile: whoever might is waiting for the lock.
    if var image = departed.popLast() {
      let isHeld = !isKnownUniquelyReferenced(&image)
      if isHeld { elsewhere.note(image, label) }
      departed.append(image)
    }
    return true
  }

  private mutating func remove(_ place: Int, _ departed: inout [DecodedImage]) {
    guard let entry = entries[place] else { return }
    unlink(place, entry.surface)
    entries[place] = nil
    free.append(place)
    places[entry.label.key] = nil
    if let family = entry.label.family {
      families[family]?.removeAll { $0 == place }
      if families[family]?.isEmpty == true { families[family] = nil }
    }
    count(-entry.cost, entry.surface)
    departed.append(entry.image)
  }

  private mutating func count(_ bytes: Int, _ surface: Int) {
    bytesHeld += bytes
    peakBytesHeld = max(peakBytesHeld, bytesHeld)
    surfaces[surface].bytes += bytes
    surfaces[surface].peakBytes = max(surfaces[surface].peakBytes, surfaces[surface].bytes)
  }

  // MARK: - Chains

  private mutating func link(_ place: Int, _ surface: Int) {
    let last = surfaces[surface].last
    links[place] = Link(previous: last, next: -1)
    if last >= 0 { links[last].next = place } else { surfaces[surface].first = place }
    surfaces[surface].last = place
  }

  private mutating func unlink(_ place: Int, _ surface: Int) {
    let link = links[place]
    if link.previous >= 0 { links[link.previous].next = link.next } else { surfaces[surface].first = link.next }
    if link.next >= 0 { links[link.next].previous = link.previous } else { surfaces[surface].last = link.previous }
  }
}

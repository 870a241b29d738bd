import ImageCodecs
import Loading
import Synchronization

/// Bytes that no decoder takes, remembered for a while by their hash and by what they came for, so that they are
/// neither decoded nor fetched again. What a limit refused isn't here: another size may do. Every member may be used
/// from any thread.
final class UndecodableBook: Sendable {
  private struct Entry {
    let error: ImageError
    let until: Duration
  }

  private enum Name: Hashable {
    case hash(UInt64, count: Int, allowsPartial: Bool)
    case key(ImageKey, allowsPartial: Bool)
  }

  /// As many are remembered; the oldest make room.
  private static let capacity = 512

  private let lifetime: Duration
  private let now: @Sendable () -> Duration
  private let entries = Mutex<(of: [Name: Entry], order: [Name])>(([:], []))

  init(lifetime: Duration, now: @escaping @Sendable () -> Duration) {
    self.lifetime = lifetime
    self.now = now
  }

  /// Why the bytes of that key are known not to decode; nil where nothing is known.
  func error(for key: ImageKey, allowsPartial: Bool) -> ImageError? { find(.key(key, allowsPartial: allowsPartial)) }

  /// Why these bytes are known not to decode. Linear in the bytes where any are remembered.
  func error(for bytes: [UInt8], allowsPartial: Bool) -> ImageError? {
    guard entries.withLock({ !$0.of.isEmpty }) else { return nil }
    return find(Self.name(of: bytes, allowsPartial))
  }

  func remember(_ error: ImageError, bytes: [UInt8], key: ImageKey, allowsPartial: Bool) {
    guard lifetime > .zero else { return }
    let entry = Entry(error: error, until: now() + lifetime)
    let names = [Self.name(of: bytes, allowsPartial), .key(key, allowsPartial: allowsPartial)]
    entries.withLock { entries in
      for name in names where entries.of.updateValue(entry, forKey: name) == nil { entries.order.append(name) }
      while entries.order.count > Self.capacity { entries.of[entries.order.removeFirst()] = nil }
    }
  }

  /// The source is asked again; its bytes may be others by now.
  func forget(_ key: ImageKey) {
    entries.withLock { entries in
      for partial in [true, false] {
        let name = Name.key(key, allowsPartial: partial)
        if entries.of.removeValue(forKey: name) != nil { entries.order.removeAll { $0 == name } }
      }
    }
  }

  func removeAll() { entries.withLock { $0 = ([:], []) } }

  private func find(_ name: Name) -> ImageError? {
    let now = now()
    return entries.withLock { entries in
      guard let entry = entries.of[name] else { return nil }
      if entry.until > now { return entry.error }
      entries.of[name] = nil
      entries.order.removeAll { $0 == name }
      return nil
    }
  }

  private static func name(of bytes: [UInt8], _ allowsPartial: Bool) -> Name {
    .hash(bytes.withUnsafeBytes { XXHash64.hash($0) }, count: bytes.count, allowsPartial: allowsPartial)
  }
}

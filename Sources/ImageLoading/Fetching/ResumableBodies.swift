import Foundation
import LoadingHTTP

/// A body as far as it came, and the head that it came with.
struct PartialBody: Sendable {
  let bytes: [UInt8]
  /// Of the first answer; its body is empty.
  let head: HTTPReply
  let resumption: Resumption
  /// What tells, by the first answer's `Vary`, which requests it is for.
  let freshness: HTTPFreshness
}

/// Parts of bodies that broke off, to be continued: so many bytes and so many of them, those that came longest ago
/// leave first.
///
/// Pure. Each call is linear in the number of parts, which is small.
struct ResumableBodies {
  let maxBytes: Int
  let maxCount: Int
  private var parts: [ImageKey: PartialBody] = [:]
  /// The oldest first.
  private var order: [ImageKey] = []
  private(set) var byteCount = 0

  init(maxBytes: Int, maxCount: Int) {
    self.maxBytes = maxBytes
    self.maxCount = maxCount
  }

  var count: Int { parts.count }

  /// Takes the part of a key out: whoever continues it owns it.
  mutating func take(_ key: ImageKey) -> PartialBody? {
    guard let part = parts.removeValue(forKey: key) else { return nil }
    order.removeAll { $0 == key }
    byteCount -= part.bytes.count
    return part
  }

  /// Keeps a part, in place of an earlier one of its key, unless it is larger than all that may be kept.
  mutating func put(_ part: PartialBody, for key: ImageKey) {
    _ = take(key)
    guard part.bytes.count <= maxBytes, maxCount > 0 else { return }
    while byteCount > maxBytes - part.bytes.count || parts.count >= maxCount, let oldest = order.first {
      _ = take(oldest)
    }
    parts[key] = part
    order.append(key)
    byteCount += part.bytes.count
  }

  mutating func removeAll() {
    parts = [:]
    order = []
    byteCount = 0
  }
}

import Synchronization

/// The bytes of a picture, whole.
struct FetchedBytes: Sendable {
  let bytes: [UInt8]
  let origin: ImageResponse.Origin
  /// The head of the answer that they came with, where processed results of them may be kept on disk.
  var head: StoredHead?

  init(bytes: [UInt8], origin: ImageResponse.Origin, head: StoredHead? = nil) {
    self.bytes = bytes
    self.origin = origin
    self.head = head
  }
}

/// Bytes on their way: how many, and what they are.
struct ArrivedBytes: Sendable {
  let progress: ImageProgress
  private let body: BodyBuffer

  init(progress: ImageProgress, body: BodyBuffer) {
    self.progress = progress
    self.body = body
  }

  /// A copy of what has come until now, perhaps more than ``progress`` tells of; empty once the body is whole. Linear.
  func copy() -> [UInt8] { body.copy() }
}

/// What a fetcher did, for events and figures; never with URLs or texts of errors. Told outside locks, from any thread.
enum FetchNews: Sendable {
  /// The disk is looked at for a key; its end follows with the same ID.
  case diskBegan(UInt64, ImageKey)
  /// The disk was looked at: `hit`, `stale` or `miss`.
  case diskEnded(UInt64, ImageKey, outcome: String)
  /// A request goes out; its end follows with the same ID.
  case fetchBegan(UInt64, ImageKey)
  /// A request is over: `ok`, `revalidated`, `cancelled` or an error's code; bytes that came, also of what broke off.
  case fetchEnded(UInt64, ImageKey, outcome: String, byteCount: Int)
  /// Behind a load that was served what was stored, other bytes came for its key.
  case replaced(ImageKey)
  /// The disk cache failed; told once until it works again.
  case diskFailed
}

/// One growing body, for one writer; whoever looks on copies it only when he asks.
final class BodyBuffer: Sendable {
  private let bytes: Mutex<[UInt8]>

  /// - Parameters:
  ///   - bytes: What is there.
  ///   - capacity: What is to come in all, so that the body needn't be moved as it grows.
  init(_ bytes: consuming [UInt8] = [], capacity: Int) {
    bytes.reserveCapacity(capacity)
    self.bytes = Mutex(bytes)
  }

  var count: Int { bytes.withLock { $0.count } }

  /// - Returns: The bytes that are there then; nil, and nothing is added, where they would be more than `limit`.
  func append(_ piece: some Collection<UInt8>, limit: Int) -> Int? {
    bytes.withLock { bytes in
      guard piece.count <= limit - bytes.count else { return nil }
      bytes.append(contentsOf: piece)
      return bytes.count
    }
  }

  /// Not the array itself, of which the next piece would have to make a copy without its spare room.
  func copy() -> [UInt8] {
    bytes.withLock { bytes in bytes.withUnsafeBufferPointer { Array($0) } }
  }

  /// Hands the bytes out and keeps nothing.
  func take() -> [UInt8] {
    bytes.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
  }
}

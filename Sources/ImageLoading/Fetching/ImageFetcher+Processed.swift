import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import Synchronization

extension ImageFetcher {
  /// Whether pictures as they were asked for are kept on disk.
  var keepsProcessed: Bool { disk != nil && config.diskContent != .originals }

  /// A picture as it was asked for, from the disk, where it is fresh, or only caches are asked; nil else.
  ///
  /// - Parameters:
  ///   - request: What was asked for.
  ///   - keys: Its keys; the final one names the picture.
  ///   - ticket: How soon.
  /// - Throws: `CancellationError` when the task is cancelled before its turn.
  func storedPixels(for request: ImageRequest, keys: ImageKeys, ticket: LoadTicket) async throws -> DecodedImage? {
    guard keepsProcessed, request.cachePolicy.readsDisk, let disk, case .remote(let url) = request.source.kind else {
      return nil
    }
    let id = newID()
    tell(.diskBegan(id, keys.bytes))
    var outcome = "miss"
    defer { tell(.diskEnded(id, keys.bytes, outcome: outcome)) }
    let name = ImageDisk.name(keys.final, kind: Self.processed)
    guard let blob = try await disk.blob(name, ticket: ticket) else { return nil }
    guard let stored = StoredPixels(blob: blob),
      let standing = stored.head.standing(
        for: RemoteLoad.urlRequest(url, request), at: now(), url: url, salt: keys.bytes)
    else {
      disk.wasNoHit()
      disk.remove(name)
      return nil
    }
    // A stale one can't be asked about without the bytes it was made from: those are asked for.
    guard FetchPlan.opening(request.cachePolicy, stored: standing, remembered: nil) == .serve else {
      outcome = "stale"
      return nil
    }
    outcome = "hit"
    return stored.image
  }

  /// Keeps a picture as it was asked for, where that is to be, for as long as the answer holds that it was made from.
  func store(_ image: DecodedImage, for request: ImageRequest, keys: ImageKeys, from bytes: FetchedBytes) {
    guard keepsProcessed, request.cachePolicy.writesDisk, let disk, let head = bytes.head,
      image.byteCount < config.maxDiskBytes
    else { return }
    let blob = StoredPixels(head: head, image: image).blob
    disk.write(blob, for: ImageDisk.name(keys.final, kind: Self.processed))
  }

  /// Forgets what is kept of a request: its bytes as ``forget(_:)`` does, and the picture that was made of them.
  func forget(_ keys: ImageKeys) {
    forget(keys.bytes)
    if keepsProcessed { disk?.remove(ImageDisk.name(keys.final, kind: Self.processed)) }
  }

  private static var processed: String { "processed" }
}

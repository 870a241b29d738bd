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
    if try await isForgotten(stored, keys, disk, ticket) {
      disk.wasNoHit()
      disk.remove(name)
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

  /// Forgets what is kept of a request: its bytes as ``forget(_:)`` does, and every picture that was made of them.
  func forget(_ keys: ImageKeys) {
    forget(keys.bytes)
    if keepsProcessed { disk?.remove(ImageDisk.name(keys.final, kind: Self.processed)) }
    forgetProcessed(of: keys.bytes)
  }

  /// Has none of the pictures count that were made of these bytes until now.
  ///
  /// A picture's name on the disk doesn't tell of its bytes, so they can't be looked for: a mark says since when they
  /// are forgotten. They go when they are asked for, or with age; the mark is looked at with each of them, so it
  /// doesn't leave before them.
  func forgetProcessed(of key: ImageKey) {
    guard keepsProcessed, let disk else { return }
    var mark = ByteWriter()
    mark.write(now())
    disk.write(Data(mark.bytes), for: ImageDisk.name(key, kind: Self.forgotten))
  }

  /// Whether a picture was made of bytes that came before these were forgotten last.
  private func isForgotten(
    _ stored: StoredPixels, _ keys: ImageKeys, _ disk: ImageDisk, _ ticket: LoadTicket
  ) async throws -> Bool {
    guard let mark = try await disk.note(ImageDisk.name(keys.bytes, kind: Self.forgotten), ticket: ticket) else {
      return false
    }
    var reader = ByteReader(mark)
    return reader.date().map { stored.head.receivedAt <= $0 } ?? false
  }

  private static var processed: String { "processed" }
  private static var forgotten: String { "forgotten" }
}

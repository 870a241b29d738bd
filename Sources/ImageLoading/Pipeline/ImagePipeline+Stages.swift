import ImageCodecs
import Loading
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What each stage does.
extension ImagePipeline {
  /// Asks memory for a stage's result, and the disk where it keeps such results.
  func look(for stage: State.Stage, _ job: PipelineJob, _ level: Int) {
    let key = job.keys.stages[level - 1]
    let policy = job.request.cachePolicy
    if policy.readsMemory, let image = memory.peek(key) {
      return looked(stage, StagePicture(image: image, origin: .memory, isKept: true))
    }
    // The disk has pictures as they were asked for, and none on the way to them.
    guard keepsProcessed, policy.readsDisk, job.request.isRemote, level == job.keys.stages.count else {
      return lookedInVain(for: stage, job, level)
    }
    guarded.withLock { guarded in
      guard let ticket = guarded.works[stage]?.ticket else { return }
      guarded.works[stage]?.task = Task.detached { [self] in
        events.fetching(job.keys.bytes, for: job.request.surface, by: stage)
        let image = try? await fetcher.storedPixels(for: job.request, keys: job.keys, ticket: ticket)
        events.fetched(job.keys.bytes, by: stage)
        if let image {
          looked(stage, StagePicture(image: image, origin: .disk))
        } else {
          lookedInVain(for: stage, job, level)
        }
      }
    }
  }

  private var keepsProcessed: Bool { config.diskContent != .originals }

  private func looked(_ stage: State.Stage, _ picture: StagePicture) {
    perform { guarded in
      guarded.works[stage]?.result = .picture(picture)
      return guarded.state.looked(stage, found: true)
    }
  }

  private func lookedInVain(for stage: State.Stage, _ job: PipelineJob, _ level: Int) {
    let request = job.request
    // Bytes that are known not to decode aren't asked for, unless that is what is wanted.
    if level == 1, request.cachePolicy.readsDisk,
      let error = undecodable.error(for: job.keys.bytes, allowsPartial: request.allowsPartial)
    {
      return perform(failing: error) { $0.state.failed(stage) }
    }
    perform { $0.state.looked(stage, found: false) }
  }

  /// Does a stage's work, in a task of its own.
  func work(on stage: State.Stage, _ node: State.Node, _ below: StageResult?, _ ticket: LoadTicket) async {
    let job = node.job
    do {
      switch (node.chain.count - 1, below) {
      case (0, _):
        let isFirstTry = node.name == job.chain.first
        events.fetching(job.keys.bytes, for: job.request.surface, by: stage)
        let bytes: FetchedBytes
        do {
          // Before anybody hears of the bytes, who may ask for the same at once.
          defer { events.fetched(job.keys.bytes, by: stage) }
          bytes = try await fetcher.bytes(
            for: isFirstTry ? job.request : job.reloading, key: job.keys.bytes, ticket: ticket,
            arrived: { [weak self] in self?.arrived($0, for: stage) })
        }
        worked(stage, .bytes(bytes))
      case (1, .bytes(let bytes)?):
        let image = try await decode(bytes, job, ticket)
        came(stage, StagePicture(image: image, origin: bytes.origin, head: bytes.head))
      case (let level, .picture(let picture)?):
        let image = try await transform(picture.image, job.request.transforms[level - 2], job, ticket)
        let result = StagePicture(image: image, origin: picture.origin, head: picture.head)
        came(stage, result)
      // Nothing to work on: it ends rather than hang.
      default: throw CancellationError()
      }
    } catch let rejection as Rejection {
      fetcher.forget(job.keys.bytes)
      perform(failing: rejection.error) { $0.state.rejected(stage, insteadUse: job.freshBytes) }
    } catch let error as ImageError {
      perform(failing: error) { $0.state.failed(stage) }
    } catch let error as CancellationError {
      perform(failing: error) { $0.state.failed(stage) }
    } catch {
      let wrapped = ImageError(.source, message: "the source of the picture failed; see the cause", cause: error)
      perform(failing: wrapped) { $0.state.failed(stage) }
    }
  }

  private func worked(_ stage: State.Stage, _ result: StageResult) {
    perform { guarded in
      guarded.works[stage]?.result = result
      return guarded.state.worked(stage)
    }
  }

  /// A picture came: whoever waits gets it, and then the disk, where it keeps such.
  private func came(_ stage: State.Stage, _ picture: StagePicture) {
    let wanted = guarded.withLock { guarded in
      guarded.state.mayKeep(stage)
        ? guarded.state.waiters(on: stage).compactMap { guarded.waiters[$0]?.job }.first(where: \.leavesProcessed) : nil
    }
    worked(stage, .picture(picture))
    guard keepsProcessed, let wanted, let head = picture.head else { return }
    fetcher.store(
      picture.image, for: wanted.request, keys: wanted.keys,
      from: FetchedBytes(bytes: [], origin: picture.origin, head: head))
  }

  // MARK: - Decoding

  /// What the disk had is no picture; the server may have one.
  private struct Rejection: Error {
    let error: ImageError
  }

  private func decode(_ bytes: FetchedBytes, _ job: PipelineJob, _ ticket: LoadTicket) async throws -> DecodedImage {
    try await lane.run(ticket) { [self] in
      let request = job.request
      do {
        if let error = undecodable.error(for: bytes.bytes, allowsPartial: request.allowsPartial) { throw error }
        return try decode(bytes.bytes, request)
      } catch let error as ImageError where error.code == .decoding {
        if Task.isCancelled || Self.saysCancelled(error) { throw error }
        let isCached = bytes.origin == .disk && request.isRemote
        if isCached && request.cachePolicy.usesNetwork { throw Rejection(error: error) }
        undecodable.remember(error, bytes: bytes.bytes, key: job.keys.bytes, allowsPartial: request.allowsPartial)
        if request.isRemote { fetcher.forget(job.keys.bytes) }
        throw error
      }
    }
  }

  private func decode(_ bytes: [UInt8], _ request: ImageRequest) throws -> DecodedImage {
    let decoding = events.decodeBegan(request.surface)
    do throws(ImageCodecError) {
      let image = try decoders.decode(bytes, options(for: request))
      events.decodeEnded(decoding, nil)
      return image
    } catch {
      let end: any Error = Task.isCancelled ? CancellationError() : Self.imageError(error)
      events.decodeEnded(decoding, end)
      throw end
    }
  }

  func options(for request: ImageRequest) -> DecodeOptions {
    DecodeOptions(target: request.target, limits: config.limits, allowsPartial: request.allowsPartial)
  }

  static func imageError(_ error: ImageCodecError) -> ImageError {
    ImageError(error.code == .limit ? .limit : .decoding, message: error.message, cause: error)
  }

  /// A decoder that speaks of a cancellation that nobody asked for says nothing about the bytes.
  private static func saysCancelled(_ error: ImageError) -> Bool {
    (error.cause as? ImageCodecError)?.code == .cancelled
  }

  // MARK: - Transforming

  private func transform(
    _ image: DecodedImage, _ transform: ImageTransform, _ job: PipelineJob, _ ticket: LoadTicket
  ) async throws -> DecodedImage {
    try await lane.run(ticket) { [self] in
      let applying = events.transformBegan(job.request.surface)
      do {
        let result = try transform.apply(image)
        events.transformEnded(applying, nil)
        return result
      } catch {
        let isCancelled = Task.isCancelled || error is CancellationError
        let wrapped = ImageError(
          .transform, message: "the transform '\(transform.identifier)' failed; see the cause", cause: error)
        let end: any Error = isCancelled ? CancellationError() : wrapped
        events.transformEnded(applying, end)
        throw end
      }
    }
  }
}

extension ImageRequest {
  /// Whether the bytes are asked of a server, and so may be in the disk cache.
  var isRemote: Bool {
    if case .remote(let url) = source.kind { url.scheme?.lowercased() != "data" } else { false }
  }
}

import ImageCodecs
import Loading
import Synchronization

/// Where the bytes of a picture go that is shown as they come. Only the newest wait.
struct PreviewFeed: Sendable {
  let arrived: AsyncStream<ArrivedBytes>.Continuation
  let task: Task<Void, Never>

  func end() {
    arrived.finish()
    task.cancel()
  }
}

extension ImagePipeline {
  /// Bytes have come: those who wait hear of it, and pictures are made of them for those who want to see them.
  func arrived(_ bytes: ArrivedBytes, for stage: State.Stage) {
    let (tells, feeds) = guarded.withLock { guarded in
      let tells = guarded.state.audience(of: stage).compactMap { guarded.waiters[$0]?.tell }
      let feeds = guarded.state.stages(above: stage).compactMap { feed(of: $0, in: &guarded) }
      return (tells, feeds)
    }
    for tell in tells { tell(.progress(bytes.progress)) }
    for feed in feeds { feed.arrived.yield(bytes) }
  }

  /// The feed of a stage that is decoded, where somebody wants to see previews of it.
  private func feed(of stage: State.Stage, in guarded: inout Guarded) -> PreviewFeed? {
    guard let work = guarded.works[stage], guarded.state.nodes[stage]?.phase == .waiting else { return nil }
    if let feed = work.feed { return feed }
    let wants = guarded.state.audience(of: stage).contains { guarded.waiters[$0]?.job.showsPreviews == true }
    guard wants, let job = guarded.state.job(of: stage) else { return nil }
    let (stream, arrived) = AsyncStream<ArrivedBytes>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let ticket = work.ticket
    let task = Task.detached { [weak self, time, interval = config.previewInterval] in
      var progress = PreviewProgress()
      for await bytes in stream {
        guard await self?.preview(bytes, of: stage, job, ticket, &progress) == true else { continue }
        do { try await time.sleep(interval) } catch { return }
      }
    }
    let feed = PreviewFeed(arrived: arrived, task: task)
    guarded.works[stage]?.feed = feed
    return feed
  }

  /// - Returns: Whether a preview was handed on.
  private func preview(
    _ arrived: ArrivedBytes, of stage: State.Stage, _ job: PipelineJob, _ ticket: LoadTicket,
    _ progress: inout PreviewProgress
  ) async -> Bool {
    guard progress.isWorthALook(at: arrived.progress.receivedBytes) else { return false }
    let shown = progress.shown
    // What can't be shown yet is no failure: more bytes come, or the picture itself fails.
    let made = try? await lane.run(ticket) { [self] () -> (length: Int?, image: DecodedImage?) in
      let bytes = arrived.copy()
      guard let length = decoders.previewLength(of: bytes, after: shown), length > shown, length <= bytes.count else {
        return (nil, nil)
      }
      var options = options(for: job.request)
      options.allowsPartial = true
      let decoding = events.decodeBegan(job.request.surface)
      do throws(ImageCodecError) {
        let image = try decoders.decode(Array(bytes.prefix(length)), options)
        events.decodeEnded(decoding, nil)
        return (length, image)
      } catch {
        events.decodeEnded(decoding, Self.imageError(error))
        return (length, nil)
      }
    }
    guard let made, !Task.isCancelled else { return false }
    progress.looked(at: arrived.progress.receivedBytes, shown: made.length)
    guard let image = made.image else { return false }
    return await show(image, of: stage, ticket)
  }

  /// Hands a preview to those who want it, with their transforms.
  private func show(_ image: DecodedImage, of stage: State.Stage, _ ticket: LoadTicket) async -> Bool {
    let wanting = guarded.withLock { guarded in
      guarded.state.audience(of: stage).compactMap { guarded.waiters[$0] }.filter(\.job.showsPreviews)
    }
    var made: [[ImageTransform]: DecodedImage] = [[]: image]
    for waiter in wanting {
      let transforms = waiter.job.request.transforms
      if made[transforms] == nil {
        made[transforms] = try? await lane.run(ticket) {
          try transforms.reduce(image) { try $1.apply($0) }
        }
      }
      guard !Task.isCancelled else { return false }
      if let picture = made[transforms] { waiter.tell(.preview(picture)) }
    }
    return !wanting.isEmpty
  }
}

/// How far a picture has been shown, and when it is worth another look.
struct PreviewProgress {
  /// The bytes that the last preview was made of.
  private(set) var shown = 0
  private var nextLook = 0

  /// Each look goes through the bytes that are there, so looks are spaced by a share of these: all of them together
  /// stay linear.
  func isWorthALook(at count: Int) -> Bool { count >= nextLook }

  /// - Parameter length: What a preview was made of, well or badly; nil where there was none to make.
  mutating func looked(at count: Int, shown length: Int?) {
    if let length { shown = length } else { nextLook = count + count / 8 }
  }
}

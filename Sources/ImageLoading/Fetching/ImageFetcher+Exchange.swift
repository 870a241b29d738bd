import Foundation
import Loading
import LoadingHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ImageFetcher {
  /// Asks once; twice where the first answer is of no use. Runs in the network lane.
  @concurrent
  func exchange(_ load: RemoteLoad) async throws -> FetchedBytes {
    let id = newID()
    tell(.fetchBegan(id, load.key))
    var attempt = ExchangeLog()
    do {
      let fetched = try await exchange(load, &attempt)
      tell(
        .fetchEnded(id, load.key, outcome: attempt.isRevalidation ? "revalidated" : "ok", byteCount: attempt.byteCount))
      return fetched
    } catch {
      let outcome = (error as? FetchFailure)?.error.code.rawValue ?? "cancelled"
      tell(.fetchEnded(id, load.key, outcome: outcome, byteCount: attempt.byteCount))
      throw error
    }
  }

  private struct ExchangeLog {
    var byteCount = 0
    var isRevalidation = false
  }

  private func exchange(_ load: RemoteLoad, _ log: inout ExchangeLog) async throws -> FetchedBytes {
    var part = part(for: load)
    var question = FetchPlan.question(stored: load.standing, part: part?.resumption)
    var isLast = false
    while true {
      let requestedAt = now()
      let reply: HTTPStreamedReply
      do {
        reply = try await stream(load, question)
      } catch {
        // Nothing came: what there was of it is still good.
        if let part, case .rest = question { keep(part, load) }
        throw error
      }
      var head = reply.head
      head.receivedAt = now()
      let answer = FetchPlan.answer(
        to: question, head, stored: load.stored?.head.reply(from: load.url), isLast: isLast,
        failureLifetime: config.failureLifetime)
      switch answer {
      case .askForWhole:
        question = .whole
        isLast = true
      case .holds(let fresh):
        log.isRevalidation = true
        if let held = renew(load, fresh, requestedAt: requestedAt) { return held }
        question = .whole
        isLast = true
      case .failure(let failure):
        note(failure, load)
        if let part, case .rest = question, !failure.isGone { keep(part, load) }
        throw FetchFailure(failure, url: load.url)
      case .whole:
        let body = IncomingBody(
          head: head, requestedAt: requestedAt, length: Resumption.length(of: head),
          validator: load.isRepeatable ? Resumption.validator(of: head) : nil,
          buffer: BodyBuffer(
            capacity: min(Resumption.length(of: head) ?? 0, config.maxResponseBytes, Self.mostReserved)))
        return try await read(body, reply.body, load, &log)
      case .rest(let total):
        // The plan answers so only to a question for the rest of a part.
        guard let held = part else {
          question = .whole
          isLast = true
          continue
        }
        guard total <= config.maxResponseBytes else {
          throw FetchFailure.tooLarge(url: load.url, limit: config.maxResponseBytes)
        }
        let body = IncomingBody(
          head: held.head.completed(by: head), requestedAt: requestedAt, length: total,
          validator: held.resumption.validator, buffer: BodyBuffer(held.bytes, capacity: min(total, Self.mostReserved)))
        // The body has them now; they needn't be there twice while the rest comes.
        part = nil
        load.arrived(body.arrived)
        return try await read(body, reply.body, load, &log)
      }
    }
  }

  /// The most that is reserved because a server says that so much will come.
  private static var mostReserved: Int { 32 << 20 }

  private func stream(_ load: RemoteLoad, _ question: FetchPlan.Question) async throws -> HTTPStreamedReply {
    let request = HTTPRequest(
      load.asking(question), ticket: load.ticket, maxBodyBytes: config.maxResponseBytes,
      credentialHeaders: load.credentialHeaders)
    do {
      return try await transport.stream(request)
    } catch {
      try Task.checkCancellation()
      throw FetchFailure(error, url: load.url, limit: config.maxResponseBytes)
    }
  }

  // MARK: - The body

  /// A body that is about to come, or to go on.
  private struct IncomingBody {
    let head: HTTPReply
    let requestedAt: Date
    /// The length of the whole, where it is known.
    let length: Int?
    /// What lets it be continued when it breaks off.
    let validator: String?
    let buffer: BodyBuffer

    var arrived: ArrivedBytes {
      ArrivedBytes(progress: ImageProgress(receivedBytes: buffer.count, totalBytes: length), body: buffer)
    }
  }

  private func read(
    _ body: IncomingBody, _ pieces: AsyncThrowingStream<Data, any Error>, _ load: RemoteLoad, _ log: inout ExchangeLog
  ) async throws -> FetchedBytes {
    let limit = config.maxResponseBytes
    if let length = body.length, length > limit { throw FetchFailure.tooLarge(url: load.url, limit: limit) }
    do {
      for try await piece in pieces {
        log.byteCount += piece.count
        guard body.buffer.append(piece, limit: limit) != nil else {
          throw FetchFailure.tooLarge(url: load.url, limit: limit)
        }
        if Task.isCancelled { break }
        load.arrived(body.arrived)
      }
    } catch let failure as FetchFailure {
      throw failure
    } catch {
      let failure = FetchFailure(error, url: load.url, limit: limit)
      if failure.error.code != .limit { keepPart(body, load) }
      try Task.checkCancellation()
      throw failure
    }
    let count = body.buffer.count
    if let length = body.length, count != length {
      if count < length { keepPart(body, load) }
      try Task.checkCancellation()
      throw FetchFailure.cutShort(url: load.url, count: count, of: length)
    }
    // A stream ends too when its reader is cancelled; without a length nobody knows what it was.
    if Task.isCancelled, body.length == nil {
      keepPart(body, load)
      throw CancellationError()
    }
    return finish(body, load)
  }

  /// A body is whole: it is kept, wanted still or not.
  private func finish(_ body: IncomingBody, _ load: RemoteLoad) -> FetchedBytes {
    let bytes = body.buffer.take()
    state.withLock { $0.failures.forget(load.key) }
    let head = StoredHead(body.head, to: load.urlRequest, requestedAt: body.requestedAt, salt: load.key)
    let freshness = HTTPFreshness(reply: body.head, request: load.urlRequest)
    guard freshness.isStorable else {
      // What is stored is out of date, and nothing may take its place.
      if load.policy.writesDisk, load.flight.mayKeep { disk?.remove(ImageDisk.name(load.key, kind: Self.originals)) }
      return FetchedBytes(bytes: bytes, origin: .network)
    }
    store(StoredReply(head: head, body: bytes), load)
    return FetchedBytes(bytes: bytes, origin: .network, head: head)
  }

  /// What is stored still holds: its head is brought up to date.
  private func renew(_ load: RemoteLoad, _ fresh: HTTPReply, requestedAt: Date) -> FetchedBytes? {
    guard let stored = load.stored else { return nil }
    let head = StoredHead(fresh, to: load.urlRequest, requestedAt: requestedAt, salt: load.key)
    store(StoredReply(head: head, body: stored.body), load)
    return FetchedBytes(bytes: stored.body, origin: .disk, head: head)
  }

  private func store(_ reply: StoredReply, _ load: RemoteLoad) {
    guard let disk, load.policy.writesDisk, config.diskContent != .processed else { return }
    let blob = reply.blob
    // Under the lock, so that it comes before whatever forgets the key, or not at all.
    state.withLock { _ in
      if load.flight.mayKeep { disk.write(blob, for: ImageDisk.name(load.key, kind: Self.originals)) }
    }
  }

  private func note(_ failure: FetchPlan.Failure, _ load: RemoteLoad) {
    state.withLock { state in
      guard load.flight.mayKeep else { return }
      if let lifetime = failure.remembered {
        state.failures.remember(failure.status, for: load.key, until: elapsed() + lifetime)
      }
      guard failure.isGone, load.policy.writesDisk else { return }
      disk?.remove(ImageDisk.name(load.key, kind: Self.originals))
      forgetProcessed(of: load.key)
    }
  }

  // MARK: - Parts

  /// The part of the body that there is, taken out; nil where there is none that goes on for this request.
  private func part(for load: RemoteLoad) -> PartialBody? {
    guard load.isRepeatable, load.urlRequest.value(forHTTPHeaderField: "Range") == nil,
      let part = state.withLock({ $0.parts.take(load.key) }), part.freshness.matches(load.urlRequest)
    else { return nil }
    return part
  }

  private func keepPart(_ body: IncomingBody, _ load: RemoteLoad) {
    guard let validator = body.validator, load.urlRequest.value(forHTTPHeaderField: "Range") == nil else { return }
    let bytes = body.buffer.take()
    guard !bytes.isEmpty else { return }
    let part = PartialBody(
      bytes: bytes, head: body.head,
      resumption: Resumption(offset: bytes.count, validator: validator, total: body.length),
      freshness: HTTPFreshness(reply: body.head, request: load.urlRequest))
    keep(part, load)
  }

  private func keep(_ part: PartialBody, _ load: RemoteLoad) {
    state.withLock { if load.flight.mayKeep { $0.parts.put(part, for: load.key) } }
  }
}

extension HTTPReply {
  /// The head of the whole, of which this was the first part's: the later answer's word counts where it has one.
  fileprivate func completed(by rest: HTTPReply) -> HTTPReply {
    var whole = self
    for field in rest.headers { whole.headers.remove(field.name) }
    for field in rest.headers { whole.headers.append(field.value, for: field.name) }
    whole.headers.remove("Content-Range")
    whole.headers.remove("Content-Length")
    whole.status = 200
    whole.receivedAt = rest.receivedAt
    return whole
  }
}

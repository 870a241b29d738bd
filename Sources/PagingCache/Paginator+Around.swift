public import Loading

// A page and its neighbours.
extension Paginator {
  /// A page first, then its neighbours outward along their keys, each way on its own.
  ///
  /// Where a stale page is revalidated, it is delivered at once, marked, and then the fresh one under the same key. A
  /// failure is delivered and ends its own way only; that of the asked page ends all. The stream ends after the last
  /// page. Who stops reading, or is cancelled, leaves the rest undone; what was read ahead of the reader is buffered.
  ///
  /// - Parameters:
  ///   - request: The page and how many neighbours; its `keyPriority` is the ticket's word here.
  ///   - ticket: How urgently the asked page is wanted.
  public func fetchAround(_ request: AroundRequest, ticket: LoadTicket) -> AsyncStream<PaginatorDelivery<Item>> {
    let (stream, continuation) = AsyncStream.makeStream(of: PaginatorDelivery<Item>.self)
    let task = Task.detached {
      await self.deliver(request, ticket, to: continuation)
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private func deliver(
    _ request: AroundRequest, _ ticket: LoadTicket,
    to continuation: AsyncStream<PaginatorDelivery<Item>>.Continuation
  ) async {
    guard let asked = await deliver(request.key, request.pageSize, ticket, to: continuation) else { return }
    await withTaskGroup { group in
      for direction in [PageFetchDirection.forward, .backward] where request.direction.contains(direction) {
        group.addTask { await self.deliver(from: asked, direction, request, to: continuation) }
      }
    }
  }

  private func deliver(
    from asked: PaginatorPage<Item>, _ direction: PageFetchDirection, _ request: AroundRequest,
    to continuation: AsyncStream<PaginatorDelivery<Item>>.Continuation
  ) async {
    let ticket = LoadTicket(priority: request.aroundPriority)
    var seen: Set = [request.key]
    var page = asked
    // The asked page counts as seen; keys that go round end the way.
    while seen.count <= request.depth {
      guard let key = direction == .forward ? page.nextKey : page.previousKey, seen.insert(key).inserted,
        let next = await deliver(key, request.pageSize, ticket, to: continuation)
      else { return }
      page = next
    }
  }

  /// Delivers one page, twice where it was stale first.
  ///
  /// - Returns: The page to go on from; nil: there is none.
  private func deliver(
    _ key: String, _ pageSize: Int, _ ticket: LoadTicket,
    to continuation: AsyncStream<PaginatorDelivery<Item>>.Continuation
  ) async -> PaginatorPage<Item>? {
    var delivered: PaginatorPage<Item>?
    do {
      let first = try await obtain(key, pageSize, ticket)
      delivered = first.page
      continuation.yield(PaginatorDelivery(key: key, result: .success(first.page)))
      guard first.origin == .revalidating else { return delivered }
      let fresh = try await obtain(key, pageSize, ticket, .revalidate)
      // The stale one again, since the source failed, is no news.
      guard !fresh.page.isStale else { return delivered }
      delivered = fresh.page
      continuation.yield(PaginatorDelivery(key: key, result: .success(fresh.page)))
    } catch let error as PaginatorError {
      continuation.yield(PaginatorDelivery(key: key, result: .failure(error)))
    } catch {
      return nil
    }
    return delivered
  }
}

import Loading

extension ImageLoader {
  /// Loads what will be wanted soon, at low priority; a visible request for the same takes over the work that runs.
  ///
  /// Requests for the same picture count once, and what memory has already costs a look. While ``conditions`` aren't
  /// `normal` nothing is fetched ahead; what is left then begins when they are again. What fails isn't tried again.
  ///
  /// - Returns: What ends it; so does letting go of it. Loads that others have joined go on.
  public func prefetch(_ requests: [ImageRequest], to destination: PrefetchDestination) -> PrefetchHandle {
    prefetches.prefetch(requests.map { prepared($0) }, to: destination)
  }
}

extension PrefetchRuns {
  /// Those of a loader with these parts.
  convenience init(pipeline: ImagePipeline, memory: any PictureKeeping) {
    self.init(
      isInMemory: { $0.cachePolicy.readsMemory && memory.peek($1.final) != nil },
      start: { request, ticket, destination, finished in
        pipeline.start(request, ticket: ticket, destination: destination) { step in
          if case .finished = step { finished() }
        }
      })
  }
}

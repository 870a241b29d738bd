import ImageCodecs
public import Loading

extension ImageLoader {
  /// Gives memory back. Hosts call it when the system warns; a picture that somebody still holds is found again
  /// meanwhile.
  public func trimMemory(_ level: MemoryPressure) { events.trimmed(memory.trim(to: level)) }

  /// Forgets what is known of a request's source: its bytes, and in memory and on disk the pictures that were made of
  /// them, of whatever size. What comes next comes from the source.
  ///
  /// Who waits for it gets what is under way; who asks from now on doesn't. Linear in the number of pictures in memory.
  public func invalidate(_ request: ImageRequest) {
    let keys = ImageKeys(prepared(request))
    pipeline.invalidate(keys.bytes)
    pipeline.undecodable.forget(keys.bytes)
    memory.remove(bytes: keys.bytes)
    fetcher.forget(keys)
  }

  /// Empties memory, disk or both; what is on its way then is not kept in memory. Whatever targets show they keep
  /// showing.
  public func clear(_ tiers: CacheTiers = .all) {
    pipeline.invalidate(nil)
    if tiers.contains(.memory) { memory.removeAll() }
    if tiers.contains(.disk) {
      pipeline.undecodable.removeAll()
      fetcher.removeAll()
    }
  }

  /// The host's word on the network and on itself; default `normal`.
  ///
  /// `constrained`: nothing is fetched ahead; what was begun ends, and begins again when it is set back. `suspended`:
  /// nothing starts, loads that are asked for wait, and those that die meanwhile end as cancelled. Setting it back
  /// starts what waited, in its order.
  public var conditions: LoadConditions {
    get { pipeline.conditions }
    set {
      pipeline.conditions = newValue
      prefetches.isPaused = newValue != .normal
    }
  }

  /// What the loader has done so far.
  public var statistics: ImageStatistics { figures(of: nil) }

  /// What was done for the requests of a surface; work that surfaces shared counts for the one that asked first.
  ///
  /// Of the first 64 surfaces that requests named; what is done for others counts in ``statistics`` only.
  public func statistics(for surface: String) -> ImageStatistics { figures(of: surface) }

  /// Ends all loads with ``ImageError/Code/closed``, and every one that is asked for later. Files stay.
  public func close() {
    pipeline.close()
    fetcher.close()
  }

  private func figures(of surface: String?) -> ImageStatistics {
    var statistics = events.statistics(of: surface)
    let held = memory.figures(surface: surface)
    (statistics.memory, statistics.bytesHeld, statistics.peakBytesHeld) = held
    if surface == nil { statistics.disk = fetcher.diskStatistics }
    return statistics
  }
}

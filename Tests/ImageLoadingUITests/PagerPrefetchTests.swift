import ImageCodecs
import ImageLoading
import ImageLoadingUI
import ImageTesting
import Loading
import Paging
import PagingTesting
import Synchronization
import Testing

import struct Foundation.Data

@Suite(.timeLimit(.minutes(10))) struct PagerPrefetchTests {
  private let config = PagingConfig(pageSize: 10, prefetchDistance: 0, initialLoadSize: 30)

  private func pager(count: Int = 200) -> Pager<Int, SampleItem> {
    let source = ScriptedPageSource<Int, SampleItem>(clock: ManualClock()) { params in
      let start = params.key ?? 0
      let end = min(count, start + params.loadSize)
      return .page(Page((start..<end).map { SampleItem(id: $0) }, nextKey: end < count ? end : nil))
    }
    return Pager(config: config, source: source)
  }

  @Test func I16_rowsAheadAreFetchedAndThoseThatLeftAreCancelled() async {
    let pager = pager()
    await pager.settled()
    let loader = PrefetchLog()
    let prefetcher = ImagePrefetcher(for: pager, with: loader, distance: 3) { prefetchRequest($0) }
    pager.viewportChanged(to: 0..<5, of: pager.snapshot)
    await loader.wants([5, 6, 7])
    #expect(loader.asked == [5, 6, 7])
    // 5 is on screen by now, and who shows it may still need it; 6 and 7 as well.
    pager.viewportChanged(to: 5..<10, of: pager.snapshot)
    await loader.wants([5, 6, 7, 10, 11, 12])
    pager.viewportChanged(to: 8..<13, of: pager.snapshot)
    await loader.wants([10, 11, 12, 13, 14, 15])
    pager.viewportChanged(to: 7..<12, of: pager.snapshot)
    await loader.wants([4, 5, 6, 10, 11])
    #expect(loader.asked == [5, 6, 7, 10, 11, 12, 13, 14, 15, 6, 5, 4])
    withExtendedLifetime(prefetcher) {}
  }

  @Test func I16_rowsThatComeIntoTheWindowAreFetchedWhenTheyCome() async {
    let pager = pager()
    await pager.settled()
    let loader = PrefetchLog()
    let prefetcher = ImagePrefetcher(for: pager, with: loader, distance: 4) { prefetchRequest($0) }
    pager.viewportChanged(to: 22..<28, of: pager.snapshot)
    await loader.wants([28, 29])
    try? await pager.load(.append).finished()
    await loader.wants([28, 29, 30, 31])
    withExtendedLifetime(prefetcher) {}
  }

  @Test func I16_whatWasMadeOfAPagerIsFollowedByItsOwnRows() async {
    let content = pager().filter { $0.id.isMultiple(of: 2) }
    await content.settled()
    let loader = PrefetchLog()
    let prefetcher = ImagePrefetcher(for: content, with: loader, distance: 2) {
      $0.id == 8 ? nil : prefetchRequest($0)
    }
    content.viewportChanged(to: 0..<3, of: content.snapshot)
    await loader.wants([6])
    content.viewportChanged(to: 2..<5, of: content.snapshot)
    await loader.wants([10, 12, 6])
    withExtendedLifetime(prefetcher) {}
  }

  @Test func I16_lettingGoEndsEverything() async throws {
    let pager = pager()
    await pager.settled()
    let loader = PrefetchLog()
    var prefetcher: ImagePrefetcher? = ImagePrefetcher(for: pager, with: loader, distance: 3) { prefetchRequest($0) }
    pager.viewportChanged(to: 0..<5, of: pager.snapshot)
    await loader.wants([5, 6, 7])
    #expect(prefetcher != nil)
    prefetcher = nil
    await loader.wants([])
    pager.viewportChanged(to: 10..<15, of: pager.snapshot)
    #expect(loader.asked == [5, 6, 7])
  }

  @Test func I16_nothingOfAPrefetcherThatWasLetGoIsKept() async throws {
    let pager = pager()
    let gone = Gate()
    let loader = PrefetchLog()
    var prefetcher: ImagePrefetcher?
    do {
      let mortal = Mortal(gone)
      prefetcher = ImagePrefetcher(for: pager, with: loader) { item in
        withExtendedLifetime(mortal) { prefetchRequest(item) }
      }
    }
    #expect(prefetcher != nil && !gone.isOpen)
    prefetcher = nil
    // At once, unless the pager is telling it something on another thread.
    try await gone.pass()
  }

  @Test func I16_theEndOfThePagerCancelsWhatWasWanted() async {
    let pager = pager()
    await pager.settled()
    let loader = PrefetchLog()
    let prefetcher = ImagePrefetcher(for: pager, with: loader, distance: 3) { prefetchRequest($0) }
    pager.viewportChanged(to: 0..<5, of: pager.snapshot)
    await loader.wants([5, 6, 7])
    pager.close()
    await loader.wants([])
    withExtendedLifetime(prefetcher) {}
  }

  @Test func I16_nothingIsFetchedAheadWhileConditionsSayNo() async {
    let pager = pager()
    await pager.settled()
    let begun = Mutex<Set<String>>([])
    let three = Gate()
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    config.customLoader = { id in
      let count = begun.withLock { begun in
        begun.insert(id)
        return begun.count
      }
      if count >= 3 { three.open() }
      throw CancellationError()
    }
    let images = ImageLoader(config: config)
    images.conditions = .constrained
    let loader = PrefetchLog(images)
    let prefetcher = ImagePrefetcher(for: pager, with: loader, distance: 3) { prefetchRequest($0) }
    pager.viewportChanged(to: 0..<5, of: pager.snapshot)
    await loader.wants([5, 6, 7])
    pager.viewportChanged(to: 15..<20, of: pager.snapshot)
    await loader.wants([20, 21, 22])
    images.conditions = .normal
    try? await three.pass()
    #expect(begun.withLock { $0 } == ["20", "21", "22"])
    withExtendedLifetime(prefetcher) {}
  }
}

private func prefetchRequest(_ item: SampleItem) -> ImageRequest {
  ImageRequest(source: .custom("\(item.id)"))
}

/// Opens a gate when it is let go.
private final class Mortal: Sendable {
  private let gone: Gate
  init(_ gone: Gate) { self.gone = gone }
  deinit { gone.open() }
}

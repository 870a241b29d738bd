import ImageCodecs
import Loading
import Synchronization
import Testing

@testable import ImageLoading

/// Notes what is fetched ahead.
private final class RestPrefetchLog: ImageProviding {
  private let log = Mutex<[String]>([])

  /// What began (+) and was cancelled (-), in order, once each.
  var lines: [String] { log.withLock { $0 } }

  func takeLines() -> [String] {
    log.withLock { log in
      defer { log = [] }
      return log
    }
  }

  func prefetch(_ requests: [ImageRequest], to destination: PrefetchDestination) -> PrefetchHandle {
    let text = requests.map { String($0.source.id.suffix(1)) }.joined() + (destination == .disk ? " disk" : "")
    log.withLock { $0.append("+" + text) }
    let isCancelled = RestLoads.Counted()
    return PrefetchHandle {
      if isCancelled.value == 0 { self.log.withLock { $0.append("-" + text) } }
      isCancelled.add()
    }
  }

  func image(for request: ImageRequest) async throws -> ImageResponse { throw CancellationError() }
  func cachedImage(for request: ImageRequest) -> DecodedImage? { nil }
  @MainActor func load(_ request: ImageRequest?, into target: any ImageTarget) -> ImageTask { ImageTask() }
}

@Suite struct ImagePrefetcherTests {
  private func requests(_ names: String) -> [ImageRequest] { names.map { RestPictures.request(String($0)) } }

  @Test func B132_whatLeavesTheWindowIsCancelledAndNothingIsRepeated() {
    let log = RestPrefetchLog()
    let prefetcher = ImagePrefetcher(log)
    prefetcher.update(requests("abca"))
    #expect(log.takeLines() == ["+a", "+b", "+c"])
    prefetcher.update(requests("bcd"))
    #expect(log.takeLines() == ["-a", "+d"])
    prefetcher.update(requests("bcd"))
    #expect(log.takeLines() == [])
    prefetcher.update(requests("a"))
    #expect(Set(log.lines.dropLast()) == ["-b", "-c", "-d"])
    #expect(log.takeLines().last == "+a")
    prefetcher.cancelAll()
    #expect(log.takeLines() == ["-a"])
  }

  @Test func B129_oneIsCancelledAlone() {
    let log = RestPrefetchLog()
    let prefetcher = ImagePrefetcher(log, to: .disk)
    prefetcher.update(requests("ab"))
    prefetcher.cancel(RestPictures.request("a"))
    prefetcher.cancel(RestPictures.request("z"))
    #expect(log.takeLines() == ["+a disk", "+b disk", "-a disk"])
    // A window that has it again begins it again.
    prefetcher.update(requests("ab"))
    #expect(log.takeLines() == ["+a disk"])
  }

  @Test func B130_lettingGoCancelsAll() {
    let log = RestPrefetchLog()
    var prefetcher: ImagePrefetcher? = ImagePrefetcher(log)
    prefetcher?.update(requests("ab"))
    prefetcher = nil
    #expect(Set(log.lines.suffix(2)) == ["-a", "-b"])
    #expect(log.lines.count == 4)
  }

  @Test func B134_pausingCancelsAndGoingOnBeginsWhatIsInTheWindow() {
    let log = RestPrefetchLog()
    let prefetcher = ImagePrefetcher(log)
    prefetcher.update(requests("ab"))
    prefetcher.isPaused = true
    prefetcher.isPaused = true
    #expect(log.takeLines() == ["+a", "+b", "-a", "-b"])
    prefetcher.update(requests("cb"))
    #expect(log.takeLines() == [])
    prefetcher.isPaused = false
    #expect(prefetcher.isPaused == false)
    #expect(log.takeLines() == ["+c", "+b"])
  }

  @Test func B132_manyThreadsLeaveTheLastWindow() async {
    let log = RestPrefetchLog()
    let prefetcher = ImagePrefetcher(log)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for index in 0..<50 {
            prefetcher.update(requests(index % 2 == 0 ? "abc" : "cde"))
            if thread == 0 { prefetcher.isPaused.toggle() }
          }
        }
      }
    }
    // As often paused as not, it goes on.
    for window in ["de", ""] {
      prefetcher.update(requests(window))
      let lines = log.lines
      let running = "abcde".filter { name in
        lines.count(where: { $0 == "+\(name)" }) != lines.count(where: { $0 == "-\(name)" })
      }
      #expect(running == window)
    }
  }
}

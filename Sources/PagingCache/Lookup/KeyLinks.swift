import Loading

/// Which page led to which key, so that there is a way back from a key that has expired, and on from a page that is
/// gone.
///
/// Holds the links of the last 10,000 keys. Every member may be used from any thread.
final class KeyLinks: Sendable {
  /// How a key was reached.
  struct Link: Sendable {
    let from: PaginatorRequest
    let direction: PageFetchDirection
  }

  /// What lies beside a page.
  struct Neighbours: Sendable {
    let previous: PaginatorRequest?
    let next: PaginatorRequest?

    func one(_ direction: PageFetchDirection) -> PaginatorRequest? { direction == .backward ? previous : next }
  }

  private let links = MemoryCache<PaginatorRequest, Link>(policy: .lru + .maxCount(10_000))
  private let neighbours = MemoryCache<PaginatorRequest, Neighbours>(policy: .lru + .maxCount(10_000))

  /// A page has come: remembers where its keys lead.
  func note(_ request: PaginatorRequest, _ beside: Neighbours) {
    neighbours.insert(beside, forKey: request)
    // A key that leads back to where one came from says nothing new, and would close a circle.
    let origin = links.value(forKey: request)?.from
    for direction in [PageFetchDirection.forward, .backward] {
      guard let neighbour = beside.one(direction), neighbour != origin else { continue }
      links.insert(Link(from: request, direction: direction), forKey: neighbour)
    }
  }

  /// How a key was reached last; nil where that isn't known.
  func link(to request: PaginatorRequest) -> Link? { links.value(forKey: request) }

  /// What lay beside a page when it came last; nil where that isn't known.
  func neighbours(of request: PaginatorRequest) -> Neighbours? { neighbours.value(forKey: request) }

  /// The pages that one goes back over from a key to where it came from, the nearest first.
  func wayBack(from request: PaginatorRequest) -> [PaginatorRequest] {
    var way: [PaginatorRequest] = []
    var seen: Set = [request]
    var current = request
    while let link = links.value(forKey: current), seen.insert(link.from).inserted {
      way.append(link.from)
      current = link.from
    }
    return way
  }

  func removeAll() {
    links.removeAll()
    neighbours.removeAll()
  }
}

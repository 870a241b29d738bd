import Paging
import PagingTesting

/// Rows come in above the reader, and the row under the eye stays.
@main struct Anchors {
  static func main() async throws {
    let server = DriftingServer(Sample.items(count: 100))
    let source = CursorPageSource<String, SampleItem> { [server] params in try server.page(params) }
    let pager = Pager(source: source)
    await pager.settled()

    // Rows 10 to 19 are on screen.
    let before = pager.snapshot
    pager.viewportChanged(to: 10..<20, of: before)
    await pager.settled()
    for id in 500..<505 { server.insert(SampleItem(id: id), at: 0) }

    let shown = pager.snapshot
    try await pager.refresh(from: .anchor).finished()
    let changes = pager.snapshot.changes(from: shown)
    let anchor = pager.snapshot.anchor
    print("\(changes.insertions.count) rows came in, \(changes.removals.count) went")
    print(
      "the row on top of the screen was \(shown[10].item?.id ?? -1); it was \(anchor?.kind == .kept ? "kept" : "not kept")"
    )
    if let index = anchor?.index { print("it is row \(index) now: \(pager.snapshot[index].item?.id ?? -1)") }

    // A deleted row: its neighbour stands in for it.
    server.delete(10)
    try await pager.refresh(from: .anchor).finished()
    if let anchor = pager.snapshot.anchor, let index = anchor.index {
      print(
        "after it was deleted: \(anchor.kind == .moved ? "moved" : "kept") to \(pager.snapshot[index].item?.id ?? -1)")
    }
  }
}

import Testing

@testable import Paging

@Suite(.timeLimit(.minutes(10))) struct SnapshotBoardTests {
  @Test func P23_whatWasShownBeforeTheEndIsReadThoughNobodyHadOfferedIt() async {
    let origin = SnapshotOrigin()
    let last = PagingSnapshot<Note>(origin: origin, version: 2, pages: [[Note(id: 0)]])
    let board = SnapshotBoard(PagingSnapshot<Note>(origin: origin, version: 1, pages: []).body) { _ in }
    let stream = board.subscribe()
    // The thread that shows it is held up before it offers it.
    _ = board.show(last.body)
    board.end()
    board.offer(last.body)
    #expect(await stream.next(isolation: nil)?.version == 2)
    #expect(await stream.next(isolation: nil) == nil)
  }
}

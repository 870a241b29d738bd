import Foundation
import Testing

@testable import LoadingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A state behind a reference, so that an expectation can hold the event it is about.
private final class Played {
  private var state: ExchangeState

  init(_ state: ExchangeState) {
    self.state = state
  }

  var isOver: Bool { state.isOver }
  func activity() { state.activity() }
  func headArrived(_ reply: HTTPReply, announced: Int64) -> Bool { state.headArrived(reply, announced: announced) }
  func pieceArrived(_ piece: Data) -> Bool { state.pieceArrived(piece) }
  func completed(code: Int?, cause: (any Error)?, late: HTTPReply?) {
    state.completed(code: code, cause: cause, late: late)
  }
  func stopped(with error: any Error) -> Bool { state.stopped(with: error) }
  func ticked() -> Bool { state.ticked() }
  func satisfies(_ need: ExchangeState.Need) -> Bool { state.satisfies(need) }
  func readHead() throws -> HTTPReply? { try state.readHead() }
  func readPiece() throws -> Data? { try state.readPiece() }
  func readWhole() throws -> HTTPReply? { try state.readWhole() }
}

@Suite struct ExchangeStateTests {
  private func url(_ text: String = "http://u:p@a.example/x?secret=1") throws -> URL { try #require(URL(string: text)) }

  private func state(limit: Int = 10, expectsBody: Bool = true) throws -> Played {
    Played(ExchangeState(url: try url(), maxBodyBytes: limit, expectsBody: expectsBody))
  }

  private func head(_ status: Int = 200, _ headers: HTTPHeaders = [:]) throws -> HTTPReply {
    HTTPReply(
      status: status, headers: headers, body: Data(), url: try url(), receivedAt: Date(timeIntervalSince1970: 0))
  }

  private func code(_ read: () throws -> Any?) -> HTTPError.Code? {
    do {
      _ = try read()
      return nil
    } catch { return (error as? HTTPError)?.code }
  }

  @Test func H2_theMeterAdmitsUpToItsLimitAndNoMore() {
    var meter = BodyMeter(limit: 10)
    #expect([-1, 10, 11].map { meter.admits(announced: $0) } == [true, true, false])
    let admitted = [6, 5, 4, 1, .max, 0].map { meter.admits(piece: $0) }
    #expect(admitted == [true, false, true, false, false, true])
    #expect(meter.count == 10)
    var none = BodyMeter(limit: -1)
    let nothing = [0, 1].map { none.admits(piece: $0) }
    #expect(nothing == [true, false])
  }

  @Test func H2_anAnnouncedBodyIsRefusedAtItsHead() throws {
    let state = try state()
    let endsNow = state.headArrived(try head(), announced: 11)
    #expect(endsNow && state.isOver)
    #expect(code { try state.readWhole() } == .bodyTooLarge)
    let asked = try self.state(expectsBody: false)
    let endsToo = asked.headArrived(try head(), announced: 11)
    #expect(!endsToo, "a HEAD announces a body that does not come")
  }

  @Test func H2_aBodyIsCutOffByThePieceThatIsTooMuch() throws {
    let state = try state()
    #expect(!state.headArrived(try head(), announced: -1))
    #expect(!state.pieceArrived(Data(count: 10)))
    #expect(state.pieceArrived(Data(count: 1)))
    #expect(!state.pieceArrived(Data(count: 1)), "ended once only")
    #expect(try state.readPiece()?.count == 10)
    #expect(code { try state.readPiece() } == .bodyTooLarge)
  }

  @Test func interimHeadsAreNoAnswer() throws {
    let state = try state()
    #expect(!state.headArrived(try head(103), announced: -1))
    #expect(!state.satisfies(.head))
    #expect(!state.headArrived(try head(200), announced: 0))
    #expect(try state.readHead()?.status == 200)
  }

  @Test func H3_aRedirectIsReadToItsEndWithinBounds() throws {
    let state = try state(limit: 0)
    #expect(!state.headArrived(try head(302, ["location": "/y"]), announced: 100))
    #expect(!state.satisfies(.head))
    #expect(!state.pieceArrived(Data(count: ExchangeState.redirectBodyLimit)))
    #expect(state.pieceArrived(Data(count: 1)), "its body may not go on for ever")
    #expect(try state.readHead()?.status == 302)
  }

  @Test func H3_aStopIsSeenByEveryReaderAndLeavesNothing() throws {
    let state = try state()
    _ = state.headArrived(try head(), announced: -1)
    _ = state.pieceArrived(Data(count: 3))
    #expect(state.stopped(with: CancellationError()))
    #expect(!state.stopped(with: CancellationError()))
    #expect(state.satisfies(.head) && state.satisfies(.piece) && state.satisfies(.end))
    #expect(throws: CancellationError.self) { try state.readPiece() }
    #expect(throws: CancellationError.self) { try state.readWhole() }
  }

  @Test func H3_aTimeoutNeedsFourQuietTicksInARow() throws {
    let state = try state()
    #expect(!state.ticked() && !state.ticked() && !state.ticked())
    state.activity()
    #expect(!state.ticked() && !state.ticked() && !state.ticked())
    _ = state.headArrived(try head(), announced: -1)
    #expect(!state.ticked() && !state.ticked() && !state.ticked())
    _ = state.pieceArrived(Data(count: 1))
    #expect(!state.ticked() && !state.ticked() && !state.ticked())
    #expect(state.ticked())
    #expect(code { try state.readWhole() } == .timedOut)
  }

  @Test func aReplyWhoseHeadWasNeverAnnouncedIsStillAReply() throws {
    let state = try state()
    state.completed(code: nil, cause: nil, late: try head(302))
    #expect(try state.readWhole()?.status == 302)
  }

  @Test func failuresBeforeAndAfterTheHeadAreToldApart() throws {
    let cause = URLError(.unknown)
    for (code, expected) in [
      (-1, HTTPError.Code.connectionFailed), (-1011, .connectionFailed), (-1005, .connectionFailed),
      (-1004, .connectionFailed), (-1003, .connectionFailed), (-1009, .connectionFailed), (-999, .connectionFailed),
      (-1001, .timedOut), (-1002, .invalidResponse), (-1000, .invalidURL),
    ] {
      let state = try state()
      state.completed(code: code, cause: cause, late: nil)
      #expect(self.code { try state.readWhole() } == expected, "\(code)")
    }
    for code in [-1, -1005, -1011] {
      let state = try state()
      _ = state.headArrived(try head(), announced: 5)
      state.completed(code: code, cause: cause, late: nil)
      #expect(self.code { try state.readWhole() } == .invalidResponse, "\(code)")
    }
  }

  @Test func messagesNameHostAndPathOnly() throws {
    for code in [-1, -999, -1000, -1001, -1002, -1003, -1004, -1005, -1009, -1011] {
      for hasHead in [false, true] {
        let error = WireFailure.error(code: code, hasHead: hasHead, url: try url(), cause: nil)
        #expect(error.message.contains("a.example"))
        #expect(!error.message.contains("secret") && !error.message.contains("u:p"), "\(error.message)")
      }
    }
  }

  @Test func configurationsThatMakeNoSenseAreNamed() {
    #expect(HTTPTransportConfig.problem(timeout: .seconds(30), maxRedirects: 10) == nil)
    #expect(HTTPTransportConfig.problem(timeout: .zero, maxRedirects: 10)?.contains("timeout") == true)
    #expect(HTTPTransportConfig.problem(timeout: .seconds(90_000), maxRedirects: 10)?.contains("timeout") == true)
    #expect(HTTPTransportConfig.problem(timeout: .seconds(1), maxRedirects: -1)?.contains("maxRedirects") == true)
    #expect(HTTPTransportConfig.problem(timeout: .seconds(1), maxRedirects: 101)?.contains("maxRedirects") == true)
  }
}

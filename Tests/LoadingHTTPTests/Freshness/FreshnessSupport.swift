import Foundation

@testable import LoadingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sun, 06 Nov 1994 08:49:37 GMT: when the replies of these tests arrive.
let arrival = Date(timeIntervalSince1970: 784_111_777)
let arrivalText = "Sun, 06 Nov 1994 08:49:37 GMT"

func keptReply(_ headers: HTTPHeaders, status: Int = 200, body: String = "body") -> HTTPReply {
  HTTPReply(
    status: status, headers: headers, body: Data(body.utf8), url: URL(filePath: "/kept"), receivedAt: arrival)
}

func get(_ headers: [String: String] = [:], method: String = "GET") -> URLRequest {
  var request = URLRequest(url: URL(filePath: "/kept"))
  request.httpMethod = method
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  return request
}

func freshness(_ headers: HTTPHeaders, status: Int = 200, heuristic: Double = 0) -> HTTPFreshness {
  HTTPFreshness(reply: keptReply(headers, status: status), request: get(), heuristic: heuristic)
}

/// So many seconds after the arrival.
func after(_ seconds: Double) -> Date { arrival.addingTimeInterval(seconds) }

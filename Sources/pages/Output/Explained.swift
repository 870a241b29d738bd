import LoadingHTTP
import Paging
import PagingHTTP
import PagingStore

/// What went wrong, in the words of this tool and in one line that is safe to show.
///
/// - Parameters:
///   - error: What a load threw.
///   - last: The reply that it was about, if there was one.
func explained(_ error: any Error, last: WatchedTransport.Glance?) -> String {
  switch error {
  case let error as HTTPPageError:
    if error.code == .undecodable, let fault = error.cause as? ReplyFault {
      let place = last.map { "\(printable($0.path)), status \($0.status): " } ?? ""
      return place + fault.description
    }
    return printable(error.message, limit: 700)
  case let error as HTTPError where error.code == .bodyTooLarge:
    return
      "the reply is larger than \(HTTPPageSourceConfig().maxBodyBytes >> 20) MB and was cut off: ask for smaller pages."
  case let error as HTTPError: return printable(error.message, limit: 700)
  case let error as PagingError:
    switch error.code {
    case .keyCycle: return "the server's pages go round: it named a next page that it had named before."
    case .emptyPages: return "page after page came empty, each naming a next one."
    case .cursorExpired: return "the server no longer knows this page's key: start again without --from."
    default: return printable(error.message, limit: 700)
    }
  case let error as ListStoreError: return printable(error.message, limit: 400)
  case let error as FilePageSource.Fault: return error.description
  case let error as WriteFailure: return "the rows can't be written: \(error.reason)."
  default: return printable(String(describing: error), limit: 300)
  }
}

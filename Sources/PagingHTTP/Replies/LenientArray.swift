import Foundation
import Synchronization

/// A list of rows in which one that can't be decoded may be passed over.
///
/// ```swift
/// struct Feed: Decodable {
///   var posts: LenientArray<Post>
/// }
/// let source = HTTPPageSource(url, convention: .linkHeader, config: config, items: \Feed.posts.elements)
/// ```
///
/// It passes rows over where the source's configuration says ``HTTPPageSourceConfig/skipsUndecodableItems``, and they
/// are counted there; anywhere else it decodes as an array does, and fails with the first row that can't be decoded.
public struct LenientArray<Element: Decodable> {
  /// The rows that could be decoded, in their order.
  public var elements: [Element]

  /// Those rows.
  public init(_ elements: [Element] = []) {
    self.elements = elements
  }
}

extension LenientArray: Sendable where Element: Sendable {}

extension LenientArray: Decodable {
  /// Reads the rows.
  ///
  /// - Throws: What the first row throws that can't be decoded, where none are passed over; else only for what is no
  ///   array.
  public init(from decoder: any Decoder) throws {
    guard let log = SkipLog.of(decoder) else {
      elements = try [Element](from: decoder)
      return
    }
    var rows = try decoder.unkeyedContainer()
    elements = []
    while !rows.isAtEnd {
      do {
        elements.append(try rows.decode(Element.self))
      } catch {
        log.passedOver(error)
        // A failed decoding leaves the place where it was.
        _ = try rows.decode(Anything.self)
      }
    }
  }

  /// Decodes from whatever there is.
  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }
}

/// Rows of one page that could not be decoded and were passed over.
public struct SkippedItems: Sendable {
  /// How many; at least 1.
  public let count: Int
  /// What is wrong with the first of them: names the URL's path and the place in the body.
  public let firstError: HTTPPageError
}

/// Counts the rows that are passed over while one page is decoded.
final class SkipLog: Sendable {
  private struct State {
    var count = 0
    var first: (any Error)?
  }

  private let state = Mutex(State())
  private static let key = CodingUserInfoKey(rawValue: "PagingHTTP.SkipLog")

  /// How many rows were passed over.
  var count: Int { state.withLock { $0.count } }
  /// Why the first of them was.
  var firstError: (any Error)? { state.withLock { $0.first } }

  func passedOver(_ error: any Error) {
    state.withLock {
      $0.count += 1
      if $0.first == nil { $0.first = error }
    }
  }

  /// Has `decoder` pass over rows, counted here.
  func attach(to decoder: JSONDecoder) {
    if let key = Self.key { decoder.userInfo[key] = self }
  }

  static func of(_ decoder: any Decoder) -> SkipLog? {
    key.flatMap { decoder.userInfo[$0] as? SkipLog }
  }
}

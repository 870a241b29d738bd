/// Says whether keys and pages are good, where the paginator can't know: a checksum, a cursor's own time to live.
///
/// Called from any thread, several times at once, and for a cached page at each time that it is delivered: it should be
/// quick.
public protocol PaginatorValidator<Item>: Sendable {
  /// One row's data.
  associatedtype Item: Sendable

  /// Says whether a page is good: one that the source brought, and one from a cache. Whether its `expiresAt` has passed
  /// is looked at before.
  func validate(_ page: PaginatorPage<Item>) -> PageValidity

  /// Says whether a key is good, before anything is done for it. An empty one never comes this far.
  func validate(key: String) -> PageValidity
}

/// What a validator says of a page or a key.
public struct PageValidity: Hashable, Sendable {
  enum Kind: Hashable {
    case valid, expired
    case malformed(String)
  }

  let kind: Kind

  /// It is good.
  public static var valid: PageValidity { PageValidity(kind: .valid) }

  /// It was good once, and its time is over.
  public static var expired: PageValidity { PageValidity(kind: .expired) }

  /// It was never good.
  ///
  /// - Parameter reason: What is wrong with it; ends up in the error's message.
  public static func malformed(_ reason: String) -> PageValidity { PageValidity(kind: .malformed(reason)) }
}

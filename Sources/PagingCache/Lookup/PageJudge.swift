#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What there is to say of a page.
enum PageJudgement: Hashable {
  case good, expired
  case malformed(String)
}

/// Says whether keys and pages are good: what the paginator can see, and then the validator's word.
struct PageJudge<Item: Sendable>: Sendable {
  let validator: (any PaginatorValidator<Item>)?
  let maxKeyLength: Int
  let now: @Sendable () -> Date

  func judge(_ page: PaginatorPage<Item>, for request: PaginatorRequest) -> PageJudgement {
    guard page.key == request.key else {
      return .malformed("its key is \(PaginatorError.quoted(page.key)), which is not the one asked for.")
    }
    if let expiresAt = page.expiresAt, expiresAt <= now() { return .expired }
    switch validator?.validate(page).kind {
    case nil, .valid: return .good
    case .expired: return .expired
    case .malformed(let reason): return .malformed(reason)
    }
  }

  /// Whether a key may lead to a page that is still good, by the validator's word.
  func isGood(_ key: String) -> Bool {
    guard let validator else { return true }
    return validator.validate(key: key) == .valid
  }

  /// Refuses what can't be asked for.
  ///
  /// - Returns: Whether the key is still good; false: it has expired.
  func admits(_ key: String, pageSize: Int) throws(PaginatorError) -> Bool {
    func refuse(_ message: String) -> PaginatorError { PaginatorError(.invalidKey, message: message) }
    guard !key.isEmpty else { throw refuse("The key \"\" is empty; a page needs a name.") }
    guard key.utf8.count <= maxKeyLength else {
      throw refuse("The key \(PaginatorError.quoted(key)) is longer than \(maxKeyLength) bytes, the maxKeyLength.")
    }
    guard pageSize > 0 else {
      let message = "The page size for key \(PaginatorError.quoted(key)) is \(pageSize); it must be at least 1."
      throw PaginatorError(.invalidPageSize, message: message)
    }
    switch validator?.validate(key: key).kind {
    case nil, .valid: return true
    case .expired: return false
    case .malformed(let reason): throw refuse("The key \(PaginatorError.quoted(key)) is malformed: \(reason)")
    }
  }
}

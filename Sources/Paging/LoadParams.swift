/// Which way a load goes: a refresh starts a generation, the others grow it at its two edges.
@frozen public enum LoadType: Hashable, Sendable, CaseIterable {
  /// The first page of a generation.
  case refresh
  /// A page before the first one loaded.
  case prepend
  /// A page after the last one loaded.
  case append
}

/// Why a page is wanted.
public struct LoadPurpose: Hashable, Sendable {
  private let rawValue: Int

  /// Its rows would be on screen now.
  public static let visible = LoadPurpose(rawValue: 0)
  /// Its rows are expected to be wanted soon.
  public static let prefetch = LoadPurpose(rawValue: 1)
}

/// What a page source is asked for.
public struct LoadParams<Key: Hashable & Sendable>: Hashable, Sendable {
  /// Which way the load goes.
  ///
  /// A source that gives no previous keys is read back, after pages were dropped, by the keys that it was asked with
  /// before: such a load is an append too, as it was the first time.
  public var type: LoadType
  /// The key of the page; nil: the source's own start.
  public var key: Key?
  /// How many rows are wanted: a hint, at least 1. Whatever comes is taken.
  public var loadSize: Int
  /// Why the page is wanted.
  public var purpose: LoadPurpose
  /// Whether counts before and after would be shown; a source to which counting is dear may skip it otherwise.
  public var placeholdersEnabled: Bool

  /// What to load.
  ///
  /// - Parameters:
  ///   - type: Which way the load goes.
  ///   - key: The key of the page; nil: the source's own start.
  ///   - loadSize: How many rows are wanted.
  ///   - purpose: Why the page is wanted.
  ///   - placeholdersEnabled: Whether counts before and after would be shown.
  public init(
    _ type: LoadType, key: Key? = nil, loadSize: Int, purpose: LoadPurpose = .visible,
    placeholdersEnabled: Bool = true
  ) {
    self.type = type
    self.key = key
    self.loadSize = loadSize
    self.purpose = purpose
    self.placeholdersEnabled = placeholdersEnabled
  }
}

import Synchronization

/// Where a reader was in a list, to be kept while the process is gone.
///
/// ```swift
/// let data = try pager.savedState().map { try JSONEncoder().encode($0) }
/// // In a later process:
/// let state = try JSONDecoder().decode(PagingSavedState<String, Int>.self, from: data)
/// let pager = Pager(restoring: state, source: source)
/// ```
///
/// A pager that is given one loads the page of ``key`` first and looks for ``anchor`` in it and in its neighbours, five
/// pages in all. ``PagingSnapshot/anchor`` of the first snapshot says what came of it: kept, with the index to scroll
/// to, or lost; then the list stands at the first row that the key brought. The pages around it load as they do around
/// any viewport, until a screen reports its own.
///
/// A key that the source calls expired or invalid is no dead end: the list starts from the source's `recoveryKey`, by
/// default at the start, and the anchor is looked for from there on in as many pages. Any other failure is shown, and
/// `retry` tries the saved key again.
///
/// A source that only goes forward can't be read back from the middle of its list: the pager does not claim that the
/// list begins there, and an approach to the first row fails as ``PagingError/Code/unreachableTarget``; `refresh(from:
/// .start)` reads from the start. Where the source gave a key back from the page, or the page was the list's first,
/// there is no such limit. A state that was made from a key by hand knows neither; for it the page itself decides:
/// without a key back it is taken to have rows in front, unless ``key`` is nil.
public struct PagingSavedState<Key: Hashable & Sendable, ID: Hashable & Sendable>: Hashable, Sendable {
  /// The key that loads the page of ``anchor``; nil: the source's own start.
  public var key: Key?
  /// The ID of the first row that was on screen; nil: the page alone is known.
  public var anchor: ID?
  /// Whether rows lay in front of the page that no key led to; nil: nobody knows.
  var hasFrontOutOfReach: Bool?

  /// A place in a list.
  ///
  /// - Parameters:
  ///   - key: The key that loads the page; nil: the source's own start.
  ///   - anchor: The ID of the row; nil: the first that comes.
  public init(key: Key?, anchor: ID?) {
    self.key = key
    self.anchor = anchor
  }

  /// Whether both name the same place.
  public static func == (a: PagingSavedState, b: PagingSavedState) -> Bool { a.key == b.key && a.anchor == b.anchor }

  /// Hashes the key and the anchor.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(anchor)
  }
}

extension PagingSavedState: Encodable where Key: Encodable, ID: Encodable {}
extension PagingSavedState: Decodable where Key: Decodable, ID: Decodable {}

extension SavedPlace {
  init<Key, Item: Identifiable & Sendable>(_ state: PagingSavedState<Key, Item.ID>, of type: Item.Type)
  where Item.ID: Sendable {
    self.init(
      key: state.key.map { OpaqueKey($0) }, item: state.anchor.map { SoughtItem($0, of: Item.self) },
      hasFrontOutOfReach: state.key != nil && state.hasFrontOutOfReach ?? true)
  }
}

extension PagerCore {
  /// Where the reader is now, or is to be once rows are shown.
  func savedState() -> PagingSavedState<Key, Item.ID>? {
    let (isShowing, place, restoring) = guarded.withLock {
      ($0.state.isShowing, $0.state.placeToSave, $0.state.restoring)
    }
    if let place {
      var state = PagingSavedState(key: place.key?.typed(as: Key.self), anchor: place.row.item(as: Item.self).id)
      state.hasFrontOutOfReach = place.hasFrontOutOfReach
      return state
    }
    guard !isShowing, let restoring else { return nil }
    var state = PagingSavedState(
      key: restoring.key?.typed(as: Key.self), anchor: restoring.item?.id.typed(as: Item.ID.self))
    state.hasFrontOutOfReach = restoring.hasFrontOutOfReach
    return state
  }
}

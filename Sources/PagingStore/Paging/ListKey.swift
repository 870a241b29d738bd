/// A place in a stored list, from which a page is read.
///
/// It names an item and where that stood, so it holds while rows come and go, also after the app was started again.
public struct ListKey: Hashable, Codable, Sendable {
  enum Side: Int, Hashable, Codable, Sendable {
    /// The rows above the item, nearest the head.
    case newer
    /// The rows below it.
    case older
    /// The item in the middle.
    case around
  }

  /// Which rows are meant.
  let side: Side
  /// The item's number in the store.
  let item: Int64
  /// Where it stood, for the case that it is gone; nil: that isn't known.
  let stood: Standing?
  /// Items that stood near it, the nearest first, for the case that the order is another one by now.
  var near: [Int64] = []

  /// A place in an order. It means nothing once the order has been emptied.
  struct Standing: Hashable, Codable, Sendable {
    /// The order's number.
    let list: Int64
    /// How often it had been emptied.
    let epoch: Int64
    /// The position.
    let position: Int64
  }
}

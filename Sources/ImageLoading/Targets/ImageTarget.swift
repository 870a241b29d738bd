/// Something that shows one picture at a time: a view, a cell, a model.
///
/// Keeps ``imageBinding`` for the loader and shows what it is told; whatever it shows, it never hears of a request that
/// another one has taken the place of.
@MainActor
public protocol ImageTarget: AnyObject {
  /// What the target waits for. Begin with an empty one and leave it alone: it lives in the target, so it ends with it.
  var imageBinding: ImageBinding { get set }

  /// Shows what there is now; called on the main actor, in the turn of the bind or later.
  func show(_ content: ImageContent)
}

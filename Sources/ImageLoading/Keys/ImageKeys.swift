import ImageCodecs
import LoadingHTTP

/// The keys of what comes up on the way to a request's picture; requests share the work and the results of equal keys.
struct ImageKeys: Hashable, Sendable {
  /// The bytes: source, method, signature, whose eyes they are for.
  let bytes: ImageKey
  /// The picture as the decoder gives it: the bytes, the target and the decoder's options.
  let decoded: ImageKey
  /// The picture after so many transforms; the first is ``decoded``, the last is what was asked for.
  let stages: [ImageKey]
  /// What sizes of one picture have in common: the bytes and the decoder's options, without the target.
  let family: ImageKey

  /// What was asked for.
  var final: ImageKey { stages.last ?? decoded }

  init(_ request: ImageRequest) {
    bytes = ImageKey(
      request.identity.map { "id:" + $0 } ?? request.source.text, request.method, Self.optional(request.signature),
      Self.scope(of: request))
    family = bytes.appending(request.allowsPartial ? "partial" : "whole")
    let target = request.target
    decoded = family.appending(
      target.mode.description, target.size.map { "\($0.width)x\($0.height)" } ?? "", target.allowsUpscaling ? "up" : "")
    var stages = [decoded]
    for transform in request.transforms { stages.append(stages[stages.count - 1].appending(transform.identifier)) }
    self.stages = stages
  }

  /// Nil and empty are not the same.
  private static func optional(_ text: String?) -> String { text.map { "=" + $0 } ?? "" }

  /// What tells users apart; it never leaves memory but hashed.
  private static func scope(of request: ImageRequest) -> String {
    if let scope = request.authorizationScope { return "=" + scope }
    let values = ["Authorization", "Cookie"].flatMap { request.headers.values(for: $0) }
    return values.isEmpty ? "" : values.map { "\($0.utf8.count):\($0)" }.joined()
  }
}

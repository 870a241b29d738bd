import ImageCodecs
import LoadingHTTP

/// The keys of what comes up on the way to a request's picture; requests share the work and the results of equal keys.
///
/// Each is a beginning of the last one's text, which is written in one go and into one piece of memory: a look into
/// memory makes these keys, and may take no longer than a microsecond.
struct ImageKeys: Hashable, Sendable {
  private let text: String
  private let bytesEnd: Int
  private let familyEnd: Int
  private let decodedEnd: Int
  /// Where the keys after each transform end; empty without transforms.
  private let transformedEnds: [Int]

  /// The bytes: source, method, signature, whose eyes they are for.
  var bytes: ImageKey { key(until: bytesEnd) }
  /// What sizes of one picture have in common: the bytes and the decoder's options, without the target.
  var family: ImageKey { key(until: familyEnd) }
  /// The picture as the decoder gives it: the bytes, the target and the decoder's options.
  var decoded: ImageKey { key(until: decodedEnd) }
  /// The picture after so many transforms; the first is ``decoded``, the last is what was asked for.
  var stages: [ImageKey] { [decoded] + transformedEnds.map(key(until:)) }
  /// What was asked for.
  var final: ImageKey { ImageKey(text: text) }

  init(_ request: ImageRequest) {
    let scope = Self.scope(of: request)
    var (bytesEnd, familyEnd, decodedEnd) = (0, 0, 0)
    var transformedEnds: [Int] = []
    if !request.transforms.isEmpty { transformedEnds.reserveCapacity(request.transforms.count) }
    text = String(unsafeUninitializedCapacity: Self.capacity(for: request, scope: scope)) { memory in
      var writer = KeyWriter(memory)
      if let identity = request.identity {
        writer.field("id:", identity)
      } else {
        writer.field("", request.source.text)
      }
      writer.field("", request.method)
      // Nil and empty are not the same.
      writer.field(request.signature == nil ? "" : "=", request.signature ?? "")
      writer.field("", scope)
      bytesEnd = writer.count
      writer.field("", request.allowsPartial ? "partial" : "whole")
      familyEnd = writer.count
      let target = request.target
      writer.field(target.allowsUpscaling ? "up " : "", target.mode.description)
      writer.field(target.size?.width)
      writer.field(target.size?.height)
      decodedEnd = writer.count
      for transform in request.transforms {
        writer.field("", transform.identifier)
        transformedEnds.append(writer.count)
      }
      return writer.count
    }
    (self.bytesEnd, self.familyEnd, self.decodedEnd) = (bytesEnd, familyEnd, decodedEnd)
    self.transformedEnds = transformedEnds
  }

  private func key(until end: Int) -> ImageKey {
    // Ends lie between fields, so never inside a character.
    ImageKey(text: String(decoding: text.utf8.prefix(end), as: UTF8.self))
  }

  /// At least as many bytes as the keys take.
  private static func capacity(for request: ImageRequest, scope: String) -> Int {
    var bytes = (request.identity ?? request.source.text).utf8.count + request.method.utf8.count
    bytes += (request.signature?.utf8.count ?? 0) + scope.utf8.count
    for transform in request.transforms {
      bytes += transform.identifier.utf8.count + KeyWriter.overhead
    }
    return bytes + request.target.mode.description.utf8.count + 8 * KeyWriter.overhead
  }

  /// What tells users apart; it never leaves memory but hashed.
  private static func scope(of request: ImageRequest) -> String {
    if let scope = request.authorizationScope { return "=" + scope }
    if request.headers.isEmpty { return "" }
    let values = ["Authorization", "Cookie"].flatMap { request.headers.values(for: $0) }
    return values.isEmpty ? "" : values.map { "\($0.utf8.count):\($0)" }.joined()
  }
}

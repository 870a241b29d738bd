/// The directives of `Cache-Control`, of a reply or of a request.
///
/// Names are read without regard to case; arguments as a token or between quotes. Directives that nobody knows are kept
/// and do no harm. Of a directive that comes twice the first counts (RFC 9111, section 4.2.1). Any bytes give
/// directives: reading is linear in their number. Source: RFC 9111, section 5.2.
public struct CacheControl: Hashable, Sendable {
  /// One directive.
  public struct Directive: Hashable, Sendable {
    /// The name in lower case.
    public let name: String
    /// What stands after the equals sign, without quotes and escapes; nil for none, and for one that can't be read.
    public let argument: String?
  }

  /// All directives in their order, repeated and unknown ones too.
  public let directives: [Directive]

  /// The directives of one or more field values, as if they were joined by commas (RFC 9110, section 5.3).
  public init(_ values: some Sequence<String>) {
    var directives: [Directive] = []
    for value in values {
      // A quoted string that never ends must not swallow the next line.
      var reader = DirectiveReader(value)
      while let directive = reader.next() { directives.append(directive) }
    }
    self.directives = directives
  }

  /// The directives of the `Cache-Control` fields among `headers`.
  public init(_ headers: HTTPHeaders) {
    self.init(headers.values(for: "Cache-Control"))
  }

  /// Whether a directive of that name is there, without regard to case, with an argument or without.
  public func has(_ name: String) -> Bool {
    first(name) != nil
  }

  /// The seconds that the first directive of that name gives.
  ///
  /// Nil when there is none. Zero when its argument is missing or no number, so that what was meant to limit a time
  /// never gives it free (RFC 9111, section 4.2.1). At most 2³¹: larger numbers count as that (section 1.2.2).
  public func seconds(_ name: String) -> Duration? {
    first(name).map { .seconds($0.argument.flatMap { DeltaSeconds.parse($0) } ?? 0) }
  }

  /// `max-age`: how long a reply is fresh, or which age a request accepts (RFC 9111, sections 5.2.1.1 and 5.2.2.1).
  public var maxAge: Duration? { seconds("max-age") }
  /// `s-maxage`: how long a shared cache may use it; without meaning to a private cache (RFC 9111, section 5.2.2.10).
  public var sharedMaxAge: Duration? { seconds("s-maxage") }
  /// `no-store`: nothing of it may be kept (RFC 9111, sections 5.2.1.5 and 5.2.2.5).
  public var noStore: Bool { has("no-store") }
  /// `no-cache`: ask before each use. One that names fields counts as one that names none (RFC 9111, section 5.2.2.4).
  public var noCache: Bool { has("no-cache") }
  /// `must-revalidate`: never use it stale (RFC 9111, section 5.2.2.2).
  public var mustRevalidate: Bool { has("must-revalidate") }
  /// `must-understand`: `no-store` is meant for those who don't know the status (RFC 9111, section 5.2.2.3).
  public var mustUnderstand: Bool { has("must-understand") }
  /// `public` (RFC 9111, section 5.2.2.9).
  public var isPublic: Bool { has("public") }
  /// `private`, with fields named or without (RFC 9111, section 5.2.2.7).
  public var isPrivate: Bool { has("private") }
  /// `immutable`: while fresh there is no need to ask, even when the user reloads (RFC 8246, section 2).
  public var isImmutable: Bool { has("immutable") }
  /// `stale-while-revalidate`: how long after its end it may be shown while a new one is fetched (RFC 5861, section 3).
  public var staleWhileRevalidate: Duration? { seconds("stale-while-revalidate") }
  /// `stale-if-error`: how long after its end it may be shown when fetching fails (RFC 5861, section 4).
  public var staleIfError: Duration? { seconds("stale-if-error") }
  /// `only-if-cached` of a request: don't ask the server (RFC 9111, section 5.2.1.7).
  public var onlyIfCached: Bool { has("only-if-cached") }

  func first(_ name: String) -> Directive? {
    directives.first { HTTPHeaders.isSame($0.name, name) }
  }
}

/// Reads the directives of one field value, each byte a bounded number of times.
private struct DirectiveReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ value: String) {
    bytes = Array(value.utf8)
  }

  /// The next directive that has a name; nil at the end.
  mutating func next() -> CacheControl.Directive? {
    while let directive = read() {
      if !directive.name.isEmpty { return directive }
    }
    return nil
  }

  private mutating func read() -> CacheControl.Directive? {
    while position < bytes.count, isBlank(bytes[position]) || bytes[position] == comma { position += 1 }
    guard position < bytes.count else { return nil }
    let start = position
    while position < bytes.count, !isNameEnd(bytes[position]) { position += 1 }
    let name = String(decoding: bytes[start..<position].map(lowered), as: UTF8.self)
    var argument: String?
    if position < bytes.count, bytes[position] == equals {
      position += 1
      argument = readArgument()
    }
    // What stands between here and the comma is none of the grammar: it spoils the argument, never the name, since a
    // directive that forbids something must not get lost.
    if skipToComma() { argument = nil }
    return CacheControl.Directive(name: name, argument: argument)
  }

  /// Reads a token or a quoted string (RFC 9110, sections 5.6.2 and 5.6.4); nil for a quoted string without an end.
  private mutating func readArgument() -> String? {
    guard position < bytes.count, bytes[position] == quote else {
      let start = position
      while position < bytes.count, !isBlank(bytes[position]), bytes[position] != comma { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    position += 1
    var value: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote { return String(decoding: value, as: UTF8.self) }
      if byte == backslash, position < bytes.count {
        value.append(bytes[position])
        position += 1
      } else {
        value.append(byte)
      }
    }
    return nil
  }

  /// - Returns: Whether there was anything but space before the comma or the end.
  private mutating func skipToComma() -> Bool {
    var isJunk = false
    while position < bytes.count, bytes[position] != comma {
      if !isBlank(bytes[position]) { isJunk = true }
      position += 1
    }
    return isJunk
  }
}

private let comma = UInt8(ascii: ",")
private let equals = UInt8(ascii: "=")
private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")

private func isNameEnd(_ byte: UInt8) -> Bool {
  isBlank(byte) || byte == comma || byte == equals
}

private func lowered(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

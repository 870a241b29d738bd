public import Foundation

/// What an HTTP page source needs to load a page: a cursor, a number, or the page's whole URL.
///
/// One type for all conventions, so that a pager's type doesn't change with its server. Two keys are equal when they
/// are of the same form and have the same value: the text `"2"` is not the number 2, though ``number`` reads both.
public struct HTTPPageKey: Hashable, Sendable {
  private enum Form: Hashable {
    case text(String)
    case number(Int)
    case url(URL)
  }

  private let form: Form
  /// The list's `ETag` when this key was given, byte for byte; sent back as `If-Match` by conventions that detect
  /// changes.
  var validator: String?

  /// A cursor, as the server gave it: nothing is encoded or trimmed.
  public init(_ text: String) {
    form = .text(text)
  }

  /// An offset or a page number.
  public init(_ number: Int) {
    form = .number(number)
  }

  /// The URL of the page. A relative one is kept as what it resolves to.
  public init(_ url: URL) {
    form = .url(url.baseURL == nil ? url : url.absoluteURL)
  }

  /// The key in words: the cursor, the digits, or the URL. A key made of this text again works in its place.
  public var text: String {
    switch form {
    case .text(let text): text
    case .number(let number): String(number)
    case .url(let url): url.absoluteString
    }
  }

  /// The number, or the one that a text spells out in decimal digits; nil for anything else.
  public var number: Int? {
    switch form {
    case .text(let text): Int(text)
    case .number(let number): number
    case .url: nil
    }
  }

  /// The URL, or the one that a text spells out with its scheme (http or https); nil for anything else.
  public var url: URL? {
    switch form {
    case .text(let text): WebOrigin.isAbsolute(text) ? URL(string: text) : nil
    case .number: nil
    case .url(let url): url
    }
  }
}

extension HTTPPageKey: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// A cursor.
  public init(stringLiteral value: String) { self.init(value) }
  /// An offset or a page number.
  public init(integerLiteral value: Int) { self.init(value) }
}

/// A cursor is written as a string, a number as a number, a URL as an object with the member `url`; so each form comes
/// back as what it was. A key that carries the list's `ETag` is an object too, with the members of what it is and
/// `validator`.
extension HTTPPageKey: Codable {
  private enum CodingKeys: String, CodingKey { case url, text, number, validator }

  /// Reads any of the three forms.
  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: CodingKeys.self) {
      if let number = try object.decodeIfPresent(Int.self, forKey: .number) {
        self.init(number)
      } else if let text = try object.decodeIfPresent(String.self, forKey: .text) {
        self.init(text)
      } else {
        self.init(try object.decode(URL.self, forKey: .url))
      }
      validator = try object.decodeIfPresent(String.self, forKey: .validator)
      return
    }
    let value = try decoder.singleValueContainer()
    if let number = try? value.decode(Int.self) {
      self.init(number)
    } else {
      self.init(try value.decode(String.self))
    }
  }

  /// Writes the key in its own form.
  public func encode(to encoder: any Encoder) throws {
    if validator == nil {
      switch form {
      case .text(let text):
        var value = encoder.singleValueContainer()
        return try value.encode(text)
      case .number(let number):
        var value = encoder.singleValueContainer()
        return try value.encode(number)
      case .url: break
      }
    }
    var object = encoder.container(keyedBy: CodingKeys.self)
    switch form {
    case .text(let text): try object.encode(text, forKey: .text)
    case .number(let number): try object.encode(number, forKey: .number)
    case .url(let url): try object.encode(url, forKey: .url)
    }
    try object.encodeIfPresent(validator, forKey: .validator)
  }
}

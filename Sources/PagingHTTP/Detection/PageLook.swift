import Foundation

/// Looks into a decoded page: the member at a path of names, as text; nil where there is none, or null, or an object or
/// array. A number may be given by its digits. Of an array, a whole number names an element.
package typealias MemberLookup<Response> = @Sendable (_ response: Response, _ path: [String]) -> String?

/// How a page that was decoded in one's own way is looked into.
package struct PageLook<Response: Sendable>: Sendable {
  /// What stands at a path, if it is a text or a number.
  package let text: MemberLookup<Response>
  /// The JSON text of whatever stands at a path, be it an object, an array or null.
  package let json: MemberLookup<Response>

  /// A way to look into pages.
  package init(text: @escaping MemberLookup<Response>, json: @escaping MemberLookup<Response>) {
    self.text = text
    self.json = json
  }

  /// Whether the value there is `true`; nil where there is none that is true or false.
  func flag(_ page: Response, _ path: [String]) -> Bool? {
    switch json(page, path) {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// What leads on from a page, whatever it is made of: a text or number as it is, else its JSON; nil for null, an
  /// empty text and an empty object.
  func token(_ page: Response, _ path: [String]) -> String? {
    let token = text(page, path) ?? json(page, path)
    return token.flatMap { ["", "null", "{}"].contains($0) ? nil : $0 }
  }
}

extension PageLook where Response == JSONValue {
  /// Pages that are decoded as any JSON.
  static let value = PageLook { page, path in
    page.value(atSteps: path)?.text
  } json: { page, path in
    page.value(atSteps: path).map { String(decoding: $0.json, as: UTF8.self) }
  }
}

extension JSONValue {
  /// The value at a path of member names and, in arrays, numbers of elements.
  fileprivate func value(atSteps path: [String]) -> JSONValue? {
    path.reduce(self as JSONValue?) { value, name in
      if let elements = value?.elements {
        return Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      }
      return value?[name]
    }
  }
}

import Foundation

/// Where rows have their pictures.
enum PicturePlace: Hashable, Sendable {
  /// Wherever a name or a value looks like one.
  case anywhere
  /// At this place in each row.
  case at(JSONPath)
  /// Pictures aren't shown.
  case nowhere

  /// The URL of a row's picture, as the row has it; nil where it has none.
  ///
  /// Looks at the row's members, and at those of its objects and of the first elements of its lists.
  func picture(in row: JSONSlice) -> String? {
    switch self {
    case .nowhere: nil
    case .at(let path): path.value(in: row)?.string.flatMap { Self.isLink($0) ? $0 : nil }
    case .anywhere: Self.best(in: row, under: nil, depth: 3)?.text
    }
  }

  /// A found picture; the smallest rank is the best.
  private typealias Found = (rank: Int, text: String)

  private static func best(in value: JSONSlice, under name: String?, depth: Int) -> Found? {
    switch value.kind {
    case .string:
      guard let text = value.string, isLink(text), let rank = rank(of: name, text) else { return nil }
      return (rank, text)
    case .object where depth > 0:
      var best: Found?
      for (inner, value) in value.members {
        // In an object that is a picture by its name, the URL goes by a name that says nothing.
        let isPlain = plain.contains(inner.lowercased())
        guard let found = Self.best(in: value, under: isPlain ? name ?? inner : inner, depth: depth - 1) else {
          continue
        }
        if best.map({ found.rank < $0.rank }) ?? true { best = found }
      }
      return best
    case .array where depth > 0:
      return value.elements.first { _ in true }.flatMap { Self.best(in: $0, under: name, depth: depth - 1) }
    default: return nil
    }
  }

  /// How likely that is a row's picture, by its name or by how the URL ends; nil: it isn't one.
  private static func rank(of name: String?, _ text: String) -> Int? {
    let words = name.map { Self.words(of: $0) } ?? []
    let isNamed = words.first { names[$0] != nil }
    let hasOtherEnding = ending(of: text).map { !endings.contains($0) } ?? false
    if let isNamed, let rank = names[isNamed] {
      // "image_page": "…/photo.html" is a page about it.
      return hasOtherEnding && pages.contains(ending(of: text) ?? "") ? nil : rank
    }
    return ending(of: text).map { endings.contains($0) } ?? false ? 9 : nil
  }

  /// The words of a name in small letters: of "avatarURL", "avatar_url" and "avatar-url" the same.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var wasSmall = false
    for character in name {
      if !character.isLetter {
        words.append("")
      } else if character.isUppercase, wasSmall {
        words.append(character.lowercased())
      } else {
        if words.isEmpty { words.append("") }
        words[words.count - 1] += character.lowercased()
      }
      wasSmall = character.isLowercase
    }
    return words.filter { !$0.isEmpty }
  }

  private static func isLink(_ text: String) -> Bool {
    guard text.utf8.count < 4096, let url = URL(string: text, encodingInvalidCharacters: false) else { return false }
    return ["http", "https"].contains(url.scheme?.lowercased()) && url.host()?.isEmpty == false && url.user() == nil
  }

  private static func ending(of text: String) -> String? {
    let ending = URL(string: text, encodingInvalidCharacters: false)?.pathExtension.lowercased()
    return ending?.isEmpty == false ? ending : nil
  }

  private static let names = [
    "thumbnail": 0, "thumb": 0, "avatar": 1, "image": 2, "img": 2, "picture": 2, "photo": 2, "poster": 3, "cover": 3,
    "artwork": 3, "preview": 4, "logo": 5, "icon": 6,
  ]
  private static let plain: Set<String> = [
    "url", "uri", "src", "href", "source", "link", "small", "medium", "large", "original",
  ]
  private static let endings: Set<String> = ["jpg", "jpeg", "png", "gif", "webp", "heic", "avif"]
  private static let pages: Set<String> = ["html", "htm", "php", "aspx", "json", "svg", "pdf", "mp4", "webm"]
}

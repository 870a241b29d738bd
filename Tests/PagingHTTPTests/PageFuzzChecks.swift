import Foundation

@testable import PagingHTTP

/// What must hold of `Link` headers and cursors whatever bytes they are made of; replayed over the corpus by the tests,
/// and run on bytes made up by `Scripts/fuzz`.
enum PageFuzzChecks {
  /// What is wrong with what the parsers named `target` made of `bytes`, or nil.
  static func problem(_ target: String, _ bytes: [UInt8]) -> String? {
    switch target {
    case "link": return link(bytes)
    case "cursor": return cursor(String(decoding: bytes, as: UTF8.self))
    default: return "no parser is named \(target)"
    }
  }

  private static func link(_ bytes: [UInt8]) -> String? {
    var reader = LinkHeader(bytes)
    var count = 0
    while let link = reader.next() {
      count += 1
      if link.has(Array("next".utf8)) != link.has(Array("NEXT".utf8)) { return "a relation depends on its case" }
      if link.target.contains(UInt8(ascii: ">")) { return "a target goes past its end" }
      // A link takes two bytes at least, so more of them would mean that the reader went back.
      if count > bytes.count / 2 { return "\(count) links in \(bytes.count) bytes" }
    }
    return nil
  }

  /// A cursor arrives as it was, in a query and in what is saved.
  private static func cursor(_ text: String) -> String? {
    guard let url = URL(string: "https://example.com/items?a=b&cursor=old&c=%20#top") else { return "no URL" }
    let asked = url.settingQuery("cursor", to: text)
    // Byte for byte: `==` of strings holds two spellings of one character for the same.
    guard let arrived = asked.queryValue("cursor"), arrived.utf8.elementsEqual(text.utf8) else {
      return "arrives as \(asked.queryValue("cursor") ?? "nothing")"
    }
    guard asked.queryValue("a") == "b", asked.queryValue("c") == " ", asked.fragment == "top" else {
      return "changes its neighbours: \(asked)"
    }
    let key = HTTPPageKey(text)
    _ = (key.number, key.url.flatMap { WebOrigin($0) })
    guard let data = try? JSONEncoder().encode([key]),
      let saved = try? JSONDecoder().decode([HTTPPageKey].self, from: data).first
    else { return "can't be saved" }
    return saved.text.utf8.elementsEqual(text.utf8) ? nil : "is saved as \(saved.text)"
  }
}

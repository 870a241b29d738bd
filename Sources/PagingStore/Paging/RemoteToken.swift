import Foundation
import Paging

/// A remote's keys as text that is kept on disk.
enum RemoteToken {
  /// The key as JSON, the same text for equal keys.
  ///
  /// - Throws: ``ListStoreError/Code/coding`` for a key that JSON can't hold.
  static func text(of key: some Encodable) throws(ListStoreError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(key), as: UTF8.self)
    } catch {
      throw ListStoreError(
        .coding, message: "A key of the list's remote can't be written as JSON; make its Codable conformance whole.",
        cause: error)
    }
  }

  /// The key that a text stands for.
  ///
  /// - Throws: `PagingError.cursorExpired` where the text is no key of that type, as after an update of the app which
  ///   changed the type: what expired cursors are recovered by does for it too.
  static func key<Key: Decodable>(_ text: String, as type: Key.Type = Key.self) throws(PagingError) -> Key {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch {
      throw PagingError(
        .cursorExpired, message: "A stored token is no key of this remote; the list goes on from its rows instead.",
        cause: error)
    }
  }
}

public import struct Foundation.Data
public import struct Foundation.URL

/// Where the bytes of a picture come from.
public struct ImageSource: Hashable, Sendable {
  /// What it is, for the fetcher.
  enum Kind: Sendable {
    case remote(URL)
    case file(URL)
    case data(Data)
    case custom
  }

  let kind: Kind
  /// What stands for it in keys: its kind, and its URL or ID. Made once, here, so that a look into memory needn't.
  let text: String

  private init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// A URL: `http` or `https`, in any case; `file` and `data` URLs are read where they are.
  ///
  /// Other schemes fail with ``ImageError/Code/invalidRequest`` when they are loaded.
  public static func url(_ url: URL) -> ImageSource {
    url.isFileURL ? .file(url) : ImageSource(.remote(url), "url:" + url.absoluteString)
  }

  /// A file on this device; never copied into the disk cache. Counts with its date of change and its size, so that a
  /// file that was replaced is read anew.
  public static func file(_ url: URL) -> ImageSource { ImageSource(.file(url), "file:" + url.absoluteString) }

  /// Bytes that are there; never copied into the disk cache.
  ///
  /// - Parameters:
  ///   - data: A whole file.
  ///   - id: Tells these bytes from others; two sources of one ID count as the same picture.
  public static func data(_ data: Data, id: String) -> ImageSource { ImageSource(.data(data), "data:" + id) }

  /// Whatever ``ImageLoaderConfig/customLoader`` makes of that ID.
  public static func custom(_ id: String) -> ImageSource { ImageSource(.custom, "custom:" + id) }

  /// The ID of a custom source, the URL of others; for logs of your own.
  public var id: String { String(text[text.index(after: text.firstIndex(of: ":") ?? text.startIndex)...]) }

  /// Whether both stand for the same picture.
  public static func == (a: ImageSource, b: ImageSource) -> Bool { a.text == b.text }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

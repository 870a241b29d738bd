import Foundation
import Testing

@testable import ImageCodecs

/// Pictures of many origins that lie beside the checkout, with a list of what each must give; absent on most machines.
enum Corpus {
  /// The folder `shared/corpus/images` beside the checkout, or beside the folder that holds it; nil where there is none.
  static let folder: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let beside = [package.deletingLastPathComponent(), package.deletingLastPathComponent().deletingLastPathComponent()]
    return beside.map { $0.appending(path: "shared/corpus/images") }
      .first { FileManager.default.fileExists(atPath: $0.appending(path: "MANIFEST.tsv").path) }
  }()

  /// What a test says when it is skipped.
  static let absence: Comment = "the corpus of pictures isn't beside the checkout"

  /// All files of the manifest; none where the corpus is absent.
  static let files: [CorpusFile] = {
    guard let folder, let text = try? String(contentsOf: folder.appending(path: "MANIFEST.tsv"), encoding: .utf8) else {
      return []
    }
    return text.split(whereSeparator: \.isNewline).dropFirst().compactMap { CorpusFile(line: $0, in: folder) }
  }()

  /// The files of a folder such as `png`, or with one of those endings.
  static func files(in folder: String? = nil, endings: [String] = []) -> [CorpusFile] {
    files.filter { file in
      (folder.map { file.name.hasPrefix($0 + "/") } ?? true)
        && (endings.isEmpty || endings.contains { file.name.hasSuffix("." + $0) })
    }
  }

  /// The file of that name, such as `png/7x13.png`.
  static func file(_ name: String) throws -> CorpusFile {
    try #require(files.first { $0.name == name }, "the corpus has no \(name)")
  }
}

/// A line of the manifest.
struct CorpusFile: Sendable, CustomTestStringConvertible {
  /// The path in the corpus, such as `png/7x13.png`.
  let name: String
  let url: URL
  /// As stored; nil where the manifest tells none.
  let stored: PixelSize?
  /// The orientation that the file tells, 1 where it tells none that is valid.
  let orientation: Orientation
  let frames: Int
  /// Such as `JPEG/CMYK`.
  let mode: String
  /// Such as `decode`, or `fail:truncated`.
  let expected: String

  init?(line: Substring, in folder: URL) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count >= 10 else { return nil }
    name = String(fields[0])
    url = folder.appending(path: name)
    if let width = Int(fields[4]), let height = Int(fields[5]) {
      stored = PixelSize(width: width, height: height)
    } else {
      stored = nil
    }
    orientation = UInt8(fields[6]).flatMap(Orientation.init(rawValue:)) ?? .upright
    frames = Int(fields[7]) ?? 1
    mode = String(fields[8])
    expected = String(fields[9])
  }

  /// The size of the upright picture, where the manifest tells it.
  var upright: PixelSize? { stored.map(orientation.upright) }
  /// Whether a picture must come out.
  var mustDecode: Bool { expected == "decode" }
  var testDescription: String { name }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: url)) }
}

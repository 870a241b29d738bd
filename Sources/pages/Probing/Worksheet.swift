import Foundation
import PagingHTTP

/// A file with one entry a list, as JSON or Markdown, that probes add to.
///
/// What others wrote into it stays: in JSON, members that a run doesn't set; in Markdown, all text outside of entries.
struct Worksheet: Sendable {
  /// How the file is written.
  enum Form: Sendable {
    case json, markdown

    /// The form that the file's name says; nil for any other.
    init?(path: String) {
      switch (path as NSString).pathExtension.lowercased() {
      case "json": self = .json
      case "md", "markdown": self = .markdown
      default: return nil
      }
    }
  }

  /// The file is something else, and stays as it is.
  struct Refusal: Error, Hashable, Sendable {
    let reason: String
  }

  private static let format = "pages-worksheet"
  private static let version = 1

  private enum Contents: Sendable {
    case json(JSONValue)
    case markdown(MarkdownWorksheet)
  }

  private var contents: Contents

  /// The worksheet in a file's `data`; one without entries where there is no data.
  init(_ data: Data?, as form: Form) throws(Refusal) {
    guard let data, !data.isEmpty else {
      contents =
        switch form {
        case .json: .json(["format": .string(Self.format), "version": .integer(Self.version), "lists": []])
        case .markdown: .markdown(MarkdownWorksheet())
        }
      return
    }
    switch form {
    case .markdown: contents = .markdown(try MarkdownWorksheet(data))
    case .json:
      guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else {
        throw Refusal(reason: "it is not JSON")
      }
      guard value["format"] == .string(Self.format) else { throw Refusal(reason: "it has no such \"format\"") }
      guard let version = value["version"]?.integer, version <= Self.version else {
        throw Refusal(reason: "it is of a later version")
      }
      guard let lists = value["lists"]?.elements, lists.allSatisfy({ WorksheetEntry($0) != nil }) else {
        throw Refusal(reason: "its \"lists\" are damaged")
      }
      contents = .json(value)
    }
  }

  /// The lists in it.
  var entries: [WorksheetEntry] {
    switch contents {
    case .json(let value): (value["lists"]?.elements ?? []).compactMap { WorksheetEntry($0) }
    case .markdown(let text): text.entries
    }
  }

  /// Adds a run: to its list's entry, or as a new one at the end.
  mutating func add(_ report: ProbeReport, at time: String) {
    let old = entries.first { $0.url == report.url }
    let entry = WorksheetEntry.after(report, at: time, replacing: old)
    switch contents {
    case .json(var value):
      var lists = value["lists"]?.elements ?? []
      if let index = lists.firstIndex(where: { $0["url"]?.text == entry.url }) {
        lists[index] = entry.members
      } else {
        lists.append(entry.members)
      }
      value["lists"] = .array(lists)
      contents = .json(value)
    case .markdown(var text):
      text.put(entry)
      contents = .markdown(text)
    }
  }

  /// The file's new contents.
  var data: Data {
    switch contents {
    case .json(let value): Data(value.prettyText.utf8)
    case .markdown(let text): Data(text.text.utf8)
    }
  }
}

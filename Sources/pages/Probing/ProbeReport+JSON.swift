import Foundation
import PagingHTTP

extension ProbeReport {
  /// The report for programs.
  var json: JSONValue {
    [
      "url": .string(url), "requests": .integer(requests),
      "style": [
        "name": .string(style.kind.rawValue), "confidence": .string(style.confidence.rawValue),
        "evidence": .string(style.reason),
      ],
      "pages": .array(
        pages.map { page in
          ["rows": .integer(page.rows.count), "milliseconds": .integer(page.milliseconds), "next": .bool(page.goesOn)]
        }),
      "findings": .array(findings.map(\.json)),
      "server": .array(needs.map(JSONValue.string)),
      "use": ["convention": .string(advice.code), "costs": .array(advice.costs.map(JSONValue.string))],
      "not_looked_at": .array(notes.map(JSONValue.string)),
    ]
  }
}

extension Finding {
  /// The finding for programs.
  var json: JSONValue {
    [
      "id": .string(id), "signal": .string(signal), "points_to": .string(meaning),
      "confidence": .string(confidence.rawValue), "fault": .bool(isFault), "evidence": .string(evidence),
    ]
  }
}

extension JSONValue {
  /// As text over several lines, members by name, with a line feed at the end.
  var prettyText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Only a number that is not finite could fail, and JSON has none.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "null\n"
  }
}

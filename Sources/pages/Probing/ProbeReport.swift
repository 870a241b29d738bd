import PagingHTTP

/// All that a probe came to, ready to be shown or kept.
struct ProbeReport: Sendable {
  /// The list's URL, as it was given.
  let url: String
  let style: PagingStyle
  let findings: [Finding]
  let needs: [String]
  let advice: ProbeAdvice
  let pages: [ProbeObservations.Page]
  /// What could not be looked at.
  let notes: [String]
  /// How many requests were made.
  let requests: Int
  /// Where the rows are in a reply, and what tells them apart; nil where that is unknown.
  let place: String?

  init(
    _ seen: ProbeObservations, of url: String, found: DetectedConvention?, sizeParameter: String? = nil, requests: Int
  ) {
    self.url = url
    style = PagingStyle(seen)
    findings = seen.findings
    needs = ServerNeeds.implied(by: seen)
    advice = ProbeAdvice(seen, found: found, sizeParameter: sizeParameter)
    pages = seen.pages
    notes = seen.notes
    self.requests = requests
    place = found?.items.map { $0.isEmpty ? "a bare array" : $0.joined(separator: ".") }
  }

  /// The failure modes that were seen.
  var faults: [Finding] { findings.filter(\.isFault) }
}

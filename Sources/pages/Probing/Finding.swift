/// How sure a finding is; the words of the table of signals.
enum Confidence: String, Hashable, Sendable {
  /// It happened.
  case observed
  /// One design explains it.
  case inferred
  /// Several designs do.
  case speculative
}

/// Something that was seen of a list, and what it points to.
struct Finding: Hashable, Sendable {
  /// Names the signal across runs and versions.
  let id: String
  /// What was seen, in general.
  let signal: String
  /// What it points to.
  let meaning: String
  let confidence: Confidence
  /// Whether it makes a client that doesn't know of it go wrong.
  let isFault: Bool
  /// What was seen, here.
  let evidence: String
}

/// One row of a table of signals: when it applies, and what is said then.
struct SignalRule: Sendable {
  let id: String
  let signal: String
  let meaning: String
  let confidence: Confidence
  let isFault: Bool
  private let evidence: @Sendable (ProbeObservations) -> String?

  /// A row; `evidence` gives nil where the signal was not seen.
  init(
    _ id: String, _ signal: String, _ meaning: String, _ confidence: Confidence, isFault: Bool = false,
    evidence: @escaping @Sendable (ProbeObservations) -> String?
  ) {
    self.id = id
    self.signal = signal
    self.meaning = meaning
    self.confidence = confidence
    self.isFault = isFault
    self.evidence = evidence
  }

  /// The finding, where the signal was seen.
  func finding(in seen: ProbeObservations) -> Finding? {
    evidence(seen).map {
      // It may quote what the server wrote.
      Finding(
        id: id, signal: signal, meaning: meaning, confidence: confidence, isFault: isFault,
        evidence: printable($0, limit: 1000))
    }
  }
}

extension ProbeObservations {
  /// All that the tables make of what was seen, in their order.
  var findings: [Finding] {
    (SignalTable.rules + FaultTable.rules).compactMap { $0.finding(in: self) }
  }
}

/// What a stored list says of itself when a mediator decides what to ask: one moment of it.
struct ListFacts: Hashable, Sendable {
  /// All runs, the newest first.
  var runs: [Run]

  /// The run that begins with the newest stored row; nil: nothing is stored, and nothing is known.
  var head: Run? { runs.first }
  /// The run that ends with the oldest stored row.
  var tail: Run? { runs.last }
  /// The run below the gap that is nearest to the head; nil: there is no gap.
  var belowFirstGap: Int64? { runs.count > 1 ? runs[1].number : nil }
  /// Whether nothing older can be had: the list's end, or as far as the server goes.
  var endsAtTail: Bool { tail.map { $0.older.state == .reached || $0.older.state == .serverEnd } ?? false }

  /// The run of a number.
  func run(_ number: Int64) -> Run? { runs.first { $0.number == number } }
}

/// What a verifier found.
///
/// ```swift
/// let report = await PageSourceVerifier { MySource(server) }.verify()
/// #expect(report.isClean, "\(report)")
/// ```
public struct VerifierReport: Sendable, CustomStringConvertible {
  /// What is broken; empty where nothing is.
  public var failures: [VerifierFailure]
  /// The checks that were made, whether they failed or not.
  public var checked: [VerifierCheck]
  /// The checks that don't apply, or that an earlier failure left nothing to look at for.
  public var skipped: [VerifierCheck]

  /// A report.
  public init(
    failures: [VerifierFailure] = [], checked: [VerifierCheck] = [], skipped: [VerifierCheck] = []
  ) {
    self.failures = failures
    self.checked = checked
    self.skipped = skipped
  }

  /// Whether nothing is broken.
  public var isClean: Bool { failures.isEmpty }

  /// All that is broken, a line each, then which checks held and which didn't apply.
  public var description: String {
    let broken = Set(failures.map(\.check))
    let held = checked.filter { !broken.contains($0) }
    var lines = ["\(failures.isEmpty ? "nothing" : "\(failures.count)") broken, \(checked.count) checks made"]
    lines += failures.map { "✘ \($0)" }
    if !held.isEmpty { lines.append("held: \(held.map(\.rawValue).joined(separator: ", "))") }
    if !skipped.isEmpty { lines.append("not applicable: \(skipped.map(\.rawValue).joined(separator: ", "))") }
    return lines.joined(separator: "\n")
  }
}

/// One thing that a verifier found broken.
public struct VerifierFailure: Hashable, Sendable, CustomStringConvertible {
  /// Which check found it.
  public var check: VerifierCheck
  /// What is broken and which load shows it, for a developer's eyes.
  public var message: String

  /// A failure.
  public init(_ check: VerifierCheck, _ message: String) {
    self.check = check
    self.message = message
  }

  /// The check and the message.
  public var description: String { "\(check.rawValue): \(message)" }
}

/// What a verifier looks at; more checks may come.
public struct VerifierCheck: RawRepresentable, Hashable, Sendable {
  /// The check's name, as reports show it.
  public let rawValue: String

  /// A check by its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  // MARK: - Sources

  /// A load gives its thread back while it waits.
  public static let blocking = VerifierCheck(rawValue: "blocking")
  /// Every load ends, within the verifier's patience.
  public static let returns = VerifierCheck(rawValue: "returns")
  /// The keys that a source gives can be loaded, its own start first.
  public static let loads = VerifierCheck(rawValue: "loads")
  /// Keys don't lead back to where they have been.
  public static let keyCycle = VerifierCheck(rawValue: "keyCycle")
  /// The list ends both ways, within the verifier's budget of pages.
  public static let end = VerifierCheck(rawValue: "end")
  /// No more pages in a row are empty than a pager follows.
  public static let emptyPages = VerifierCheck(rawValue: "emptyPages")
  /// No ID comes twice.
  public static let uniqueIDs = VerifierCheck(rawValue: "uniqueIDs")
  /// The same key gives the same rows again, from the same source and from a new one, to an append and to a refresh.
  public static let repeatability = VerifierCheck(rawValue: "repeatability")
  /// Previous keys lead to the rows in front, back to the start.
  public static let wayBack = VerifierCheck(rawValue: "wayBack")
  /// Next keys of pages that were loaded on the way back lead to the rows behind them.
  public static let wayForward = VerifierCheck(rawValue: "wayForward")
  /// Other load sizes give the same list.
  public static let loadSize = VerifierCheck(rawValue: "loadSize")
  /// Counts and totals say how many rows there are.
  public static let counts = VerifierCheck(rawValue: "counts")
  /// The page of a refresh key holds the anchor.
  public static let refreshKey = VerifierCheck(rawValue: "refreshKey")
  /// The page of an index' key holds the row.
  public static let keyForIndex = VerifierCheck(rawValue: "keyForIndex")
  /// The page of an item's key holds the item.
  public static let keyAround = VerifierCheck(rawValue: "keyAround")
  /// What stands in for an anchor is one of the candidates.
  public static let survivor = VerifierCheck(rawValue: "survivor")
  /// A cancelled load ends, says nothing wrong, and leaves no trace.
  public static let cancellation = VerifierCheck(rawValue: "cancellation")
  /// Loads side by side give what they give one by one.
  public static let concurrency = VerifierCheck(rawValue: "concurrency")
  /// A key that the source can't know is refused.
  public static let invalidKey = VerifierCheck(rawValue: "invalidKey")
}

extension VerifierReport {
  /// A check is being made.
  package mutating func begin(_ check: VerifierCheck) {
    if !checked.contains(check) { checked.append(check) }
  }

  /// A check doesn't apply.
  package mutating func skip(_ check: VerifierCheck) {
    if !checked.contains(check), !skipped.contains(check) { skipped.append(check) }
  }

  /// Notes what is broken; of one check the first three failures.
  package mutating func fail(_ check: VerifierCheck, _ message: String) {
    begin(check)
    guard failures.count(where: { $0.check == check }) < 3 else { return }
    failures.append(VerifierFailure(check, message))
  }

  /// Takes in what another verifier found.
  package mutating func add(_ other: VerifierReport) {
    for check in other.checked { begin(check) }
    for check in other.skipped { skip(check) }
    failures += other.failures
  }
}

/// What a verifier gathers on its way.
package struct Findings: Sendable {
  package private(set) var report = VerifierReport()
  /// A load doesn't end, or the task that verifies is cancelled: nothing more is worth trying.
  private(set) var isOver = false

  /// Nothing found.
  package init() {}

  package mutating func begin(_ check: VerifierCheck) { report.begin(check) }

  package mutating func skip(_ check: VerifierCheck) { report.skip(check) }

  package mutating func fail(_ check: VerifierCheck, _ message: String) { report.fail(check, message) }

  /// Notes a load that threw, did not return, or was ended with the task that verifies.
  mutating func threw(_ error: any Error, _ call: String, in check: VerifierCheck) {
    if Task.isCancelled {
      isOver = true
      fail(check, "Verifying was cancelled.")
    } else if let lost = error as? OutOfPatience {
      isOver = true
      fail(.returns, "\(call) has not returned within \(lost.patience). Its task was cancelled and left alone.")
    } else {
      fail(check, "\(call) threw \(error).")
    }
  }

  /// Notes a load that keeps its thread or that cancellation doesn't end: nothing more is worth trying.
  mutating func gaveUp(_ check: VerifierCheck, _ message: String) {
    isOver = true
    fail(check, message)
  }

  func has(_ check: VerifierCheck) -> Bool { report.failures.contains { $0.check == check } }
}

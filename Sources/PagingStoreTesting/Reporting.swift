import PagingTesting

extension VerifierReport {
  /// A check is being made.
  mutating func begin(_ check: VerifierCheck) {
    if !checked.contains(check) { checked.append(check) }
  }

  /// A check doesn't apply.
  mutating func skip(_ check: VerifierCheck) {
    if !checked.contains(check), !skipped.contains(check) { skipped.append(check) }
  }

  /// Notes what is broken; of one check the first three failures.
  mutating func fail(_ check: VerifierCheck, _ message: String) {
    begin(check)
    guard failures.count(where: { $0.check == check }) < 3 else { return }
    failures.append(VerifierFailure(check, message))
  }

  /// Takes in what another verifier found.
  mutating func add(_ other: VerifierReport) {
    for check in other.checked { begin(check) }
    for check in other.skipped { skip(check) }
    failures += other.failures
  }
}

/// One request's slot in a host budget, from its turn to its end.
///
/// Whoever holds it tells of the head of the answer and then of the end; dropping it is the end too. Any thread may.
final class BudgetPass: Sendable {
  private let id: UInt64
  private let host: BudgetHost
  private let budget: HostBudget

  init(id: UInt64, host: BudgetHost, budget: HostBudget) {
    self.id = id
    self.host = host
    self.budget = budget
  }

  deinit { end() }

  /// The head of the answer arrived; comes before ``end()``, so that nobody goes out between a refusal and its effect.
  func answered(_ reply: HTTPReply) {
    let isRefusal = reply.status == 429 || reply.status == 503
    let answer: BudgetState.Answer = isRefusal ? .refused(reply.retryAfter) : .served
    budget.answered(id, host, answer)
    // A transport that followed redirects by itself brings the refusal of another server. Both are left alone: each
    // further request to the one would go on to the other.
    if isRefusal, let origin = BudgetHost(reply.url), origin != host { budget.answered(id, origin, answer) }
  }

  /// Nothing more will come. Further calls do nothing.
  func end() {
    budget.ended(id)
  }
}

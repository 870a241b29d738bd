/// Where one local edit stands, and what may happen to it next. Pure: what is decided here is written by the caller.
struct EditLife: Hashable, Sendable {
  /// How far it has come, as the database keeps it.
  enum Phase: Int64, Sendable, CaseIterable {
    /// Nobody has begun to send it.
    case queued = 0
    /// It is on its way; after a restart it may or may not have arrived.
    case sending = 1
    /// The server has taken it; it shows until a copy that knows of it arrives.
    case acknowledged = 2
    /// It could not be sent; it shows until it is sent again or rolled back.
    case failed = 3
  }

  /// What the app says of it.
  enum Event: Hashable, Sendable {
    case markSending
    case confirm(version: Int64?)
    case fail
    case rollback
  }

  /// What becomes of it.
  enum Step: Hashable, Sendable {
    /// It goes on as this.
    case becomes(EditLife)
    /// It is taken back; the item shows what the server said, with the other edits of it.
    case rollsBack
  }

  /// How far it has come.
  var phase: Phase = .queued
  /// How often it was begun to be sent.
  var tries = 0
  /// The version that the server gave the changed item; nil: it gave none, or has not taken the edit.
  var version: Int64?
  /// The store's sequence number at which the server's word came; nil before.
  var acknowledgedAt: Int64?

  /// What becomes of it after an event, at a sequence number. Saying twice what was said is no error.
  func after(_ event: Event, at sequence: Int64) throws(ListStoreError) -> Step {
    var next = self
    switch (event, phase) {
    case (.markSending, .queued), (.markSending, .sending), (.markSending, .failed):
      next.phase = .sending
      if next.tries < .max { next.tries += 1 }
    case (.confirm(let version), .acknowledged):
      next.version = [self.version, version].compactMap { $0 }.max()
    case (.confirm(let version), _):
      next.phase = .acknowledged
      next.version = version
      next.acknowledgedAt = sequence
    case (.fail, .queued), (.fail, .sending), (.fail, .failed):
      next.phase = .failed
    case (.rollback, .queued), (.rollback, .sending), (.rollback, .failed):
      return .rollsBack
    case (.markSending, .acknowledged), (.fail, .acknowledged), (.rollback, .acknowledged):
      throw ListStoreError(
        .wrongState, message: "The edit was confirmed: the server has it. Make another edit to change the item back.")
    }
    return .becomes(next)
  }

  /// Whether a copy of the item that arrives knows of the edit, so that it ends.
  ///
  /// Versions decide where both are known: a server that lags answers late with what was before. Else it is whether the
  /// copy was asked for after the server's word had come.
  ///
  /// - Parameters:
  ///   - copyVersion: The version of the copy, if it has one.
  ///   - started: The sequence number at which the request for it left; nil: it was pushed, and proves nothing without
  ///     a version.
  func isKnown(toCopyOf copyVersion: Int64?, startedAt started: Int64?) -> Bool {
    guard phase == .acknowledged, let acknowledgedAt else { return false }
    if let version, let copyVersion { return copyVersion >= version }
    guard let started else { return false }
    return started >= acknowledgedAt
  }

  /// What becomes of it when the server deletes its item: what the server had not taken could not be saved. nil: it
  /// ends.
  var afterDeletion: EditLife? {
    guard phase != .acknowledged else { return nil }
    var next = self
    next.phase = .failed
    return next
  }

  /// Whether a later edit of the same members takes its place: only as long as nobody has begun to send it.
  var canBeSuperseded: Bool { phase == .queued && tries == 0 }
}

import PagingHTTP

/// What is said of a walk at its end, with the line that goes on, and the exit code.
struct WalkReport: Sendable {
  let notes: Notes
  let resume: ResumeLine
  let limits: Walk.Limits
  /// Whether `--resume` is all that is needed to go on.
  let keepsState: Bool
  /// The list's URL, as it was given.
  let url: String
  /// The last reply.
  let last: @Sendable () -> WatchedTransport.Glance?
  /// The query that was made for a server of GraphQL, if one was.
  var madeQuery: String?

  /// The list could not be begun.
  func unopened(_ error: any Error) -> ExitCode {
    if error is CancellationError {
      notes.say("interrupted before the first page came.")
      notes.say("  " + resume.line(from: nil))
      return .interrupted
    }
    notes.say(explained(error, last: last()))
    guard let fault = error as? SchemaFault else { return .otherSideFailed }
    for query in fault.queries {
      notes.say("  " + resume.line(from: nil, setting: [("query", query)]))
    }
    return .otherSideFailed
  }

  /// What the rows were to go to can't take them.
  func unwritable(_ error: any Error, _ name: String) -> ExitCode {
    let reason = (error as? WriteFailure).map { "it can't be written: \($0.reason)." }
    notes.say(reason.map { "\(printable(name)): \($0)" } ?? explained(error, last: nil))
    return .otherSideFailed
  }

  /// A walk ended.
  func told(_ end: Walk.End, of walk: Walk) -> ExitCode {
    let sum = "\(counted(walk.rows, "row")) in \(counted(walk.pages, "page"))"
    switch end {
    case .done:
      if walk.isOneReply {
        notes.say(
          "\(counted(walk.rows, "row")) came in one reply that names no next page; if there are more, say how it "
            + "pages: --convention NAME, or --next PATH and --param NAME.")
      }
      notes.detail(sum + (walk.repeats > 0 ? ", \(counted(walk.repeats, "repeat")) left out" : ""))
      if walk.resumeKey != nil {
        notes.detail("there is more:")
        notes.detail("  " + line(after: walk))
      }
      return .done
    case .readerLeft: return .done
    case .goesOn(.noMember):
      notes.say("the first reply has no member that leads to a next page, so this may not be all; --next names one.")
      return .done
    case .goesOn(.said(let words)):
      notes.say("this may not be all: \(words), and no way on was found after \(sum).")
      notes.say("--convention says how it pages, with --next or --param; to look at it:")
      notes.say("  pages probe " + shellQuoted(url))
      return .otherSideFailed
    case .goesOn(.found(let found)):
      notes.say("the list goes on after \(sum), in another way. \(printable(found.reason))")
      if let missing = found.whatIsMissing {
        notes.say("What is missing is \(missing).")
      } else if found.isWalkable {
        notes.say("Without --convention it is followed:")
        notes.say("  " + resume.line(from: nil, without: ["convention", "from"]))
      } else {
        notes.say("--convention page, offset or cursor may lead on.")
      }
      return .otherSideFailed
    case .failed(let error):
      let isInterrupted = error is CancellationError
      notes.say(isInterrupted ? "interrupted after \(sum)." : "\(explained(error, last: last()))")
      if error is SamePageAgain {
        notes.say("Kept before that: \(sum).")
      } else if walk.pages > 0 || walk.resumeKey != nil {
        notes.say("Kept before that: \(sum). To go on from there:")
        notes.say("  " + line(after: walk))
      } else if isInterrupted {
        notes.say("  " + line(after: walk))
      }
      return isInterrupted ? .interrupted : .otherSideFailed
    }
  }

  /// The line that goes on after `walk`, for what is left of the limits.
  private func line(after walk: Walk) -> String {
    var options: [(name: String, value: String)] = []
    var dropped: Set<String> = []
    func leave(_ name: String, of limit: Int?, _ used: Int) {
      guard let limit else { return }
      if limit > used { options.append((name, String(limit - used))) } else { dropped.insert(name) }
    }
    leave("max-items", of: limits.items, walk.rows)
    leave("max-pages", of: limits.pages, walk.pages)
    // Before a page is kept, what is there is of an earlier walk, which only a walk that resumes goes on with.
    let keepsState = keepsState && (walk.pages > 0 || resume.words.contains("--resume"))
    if let madeQuery, !keepsState { options.append(("query", madeQuery)) }
    guard keepsState else { return resume.line(from: walk.resumeKey?.text, setting: options, without: dropped) }
    return resume.line(from: nil, setting: options, without: dropped.union(["from", "resume"])) + " --resume"
  }
}

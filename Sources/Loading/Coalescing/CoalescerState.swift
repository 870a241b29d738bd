/// Who waits for which piece of work: every decision of a coalescer, with no lock and no task.
///
/// | a piece of work | whoever asks for its key | when its last waiter leaves |
/// |---|---|---|
/// | is loading | joins it | it is cancelled, and dead: what it brings is thrown away |
/// | is finishing: it has come in time, and its value is being kept | joins it | goes on to its end |
/// | is dead | gets fresh work | – |
///
/// Each event costs O(1), and O(waiters of one key) where the highest priority may have gone.
struct CoalescerState<Key: Hashable> {
  /// What became of someone who asks.
  enum Joining: Equatable {
    /// Nobody loads that yet: start this piece of work, at that priority.
    case starts(work: UInt64)
    /// Somebody does; `changedTo`: it is now as urgent as that.
    case joins(work: UInt64, changedTo: LoadPriority?)
  }

  /// What follows from a waiter's leaving.
  enum Leaving: Equatable {
    /// It wasn't waiting any more.
    case nothing
    /// Others wait still; `loweredTo`: less urgently.
    case stays(work: UInt64, loweredTo: LoadPriority?)
    /// It was the last: cancel the work.
    case cancels(work: UInt64)
  }

  private struct Work {
    let key: Key
    var waiters: [UInt64: LoadPriority]
    var priority: LoadPriority
    var isFinishing = false
  }

  private var live: [Key: UInt64] = [:]
  private var works: [UInt64: Work] = [:]
  private var workOf: [UInt64: UInt64] = [:]
  private var nextWork: UInt64 = 1

  /// How many pieces of work are alive.
  var count: Int { works.count }

  func isLoading(_ key: Key) -> Bool { live[key] != nil }

  /// The highest priority of those who wait for a piece of work; nil where it is over or dead.
  func priority(of work: UInt64) -> LoadPriority? { works[work]?.priority }

  /// Someone asks for a key. `waiter` is a number of the caller's choice that was never used before.
  mutating func joined(_ waiter: UInt64, _ key: Key, priority: LoadPriority) -> Joining {
    if let number = live[key], var work = works[number] {
      // One that is finishing may have nobody who waits: then only the newcomer counts.
      let isChanged = work.waiters.isEmpty ? priority != work.priority : priority > work.priority
      work.waiters[waiter] = priority
      if isChanged { work.priority = priority }
      works[number] = work
      workOf[waiter] = number
      return .joins(work: number, changedTo: isChanged ? priority : nil)
    }
    let number = nextWork
    nextWork += 1
    live[key] = number
    works[number] = Work(key: key, waiters: [waiter: priority], priority: priority)
    workOf[waiter] = number
    return .starts(work: number)
  }

  /// A waiter has gone.
  mutating func left(_ waiter: UInt64) -> Leaving {
    guard let number = workOf.removeValue(forKey: waiter), var work = works[number] else { return .nothing }
    work.waiters[waiter] = nil
    if work.waiters.isEmpty, !work.isFinishing {
      works[number] = nil
      live[work.key] = nil
      return .cancels(work: number)
    }
    let lowered = reweigh(&work)
    works[number] = work
    return .stays(work: number, loweredTo: lowered)
  }

  /// A waiter's ticket says another priority.
  ///
  /// - Returns: The work, and its priority where that has changed by it.
  mutating func reprioritised(_ waiter: UInt64, to priority: LoadPriority) -> (work: UInt64, priority: LoadPriority)? {
    guard let number = workOf[waiter], var work = works[number] else { return nil }
    work.waiters[waiter] = priority
    let changed = reweigh(&work)
    works[number] = work
    return changed.map { (number, $0) }
  }

  /// The work has come well: from now on its value is kept, whoever leaves.
  ///
  /// - Returns: Whether it is alive.
  mutating func finishes(_ number: UInt64) -> Bool {
    guard works[number] != nil else { return false }
    works[number]?.isFinishing = true
    return true
  }

  /// The work is over, well or badly.
  ///
  /// - Returns: Those who are to hear of it; nil where it is dead.
  mutating func ended(_ number: UInt64) -> [UInt64]? {
    guard let work = works.removeValue(forKey: number) else { return nil }
    live[work.key] = nil
    for waiter in work.waiters.keys { workOf[waiter] = nil }
    return work.waiters.keys.sorted()
  }

  /// - Returns: The highest priority of those who wait, where it has changed.
  private func reweigh(_ work: inout Work) -> LoadPriority? {
    guard let highest = work.waiters.values.max(), highest != work.priority else { return nil }
    work.priority = highest
    return highest
  }
}

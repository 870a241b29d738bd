/// Who waits for which piece of work: every decision of a coalescer, with no lock and no task.
///
/// | a piece of work | whoever asks for its key | when its last waiter leaves |
/// |---|---|---|
/// | is loading | joins it | it is cancelled, and dead: what it brings is thrown away |
/// | is finishing: it has come in time, and its value is being kept | joins it | goes on to its end |
/// | is dead | gets fresh work | – |
///
/// A coalescer may be told to let abandoned work linger: then what its last waiter leaves goes on, and whoever asks for its key
/// joins it. One piece of work at most lingers, until another is left or somebody asks for another key.
///
/// Each event costs O(1), O(levels in use) where the highest priority may have gone, and O(n log n) where n are served.
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
    var waiters: [UInt64: LoadPriority] = [:]
    /// How many wait at each priority.
    var levels: [LoadPriority: Int] = [:]
    var priority: LoadPriority
    var isFinishing = false

    mutating func set(_ waiter: UInt64, to priority: LoadPriority?) {
      if let priority { levels[priority, default: 0] += 1 }
      let old = waiters[waiter]
      waiters[waiter] = priority
      if let old, let count = levels[old] { levels[old] = count > 1 ? count - 1 : nil }
    }

    /// - Returns: The highest priority of those who wait, where it has changed. Where nobody waits the last one stays.
    mutating func reweigh() -> LoadPriority? {
      guard let highest = levels.keys.max(), highest != priority else { return nil }
      priority = highest
      return highest
    }
  }

  private let lingers: Bool
  /// Loads, and nobody waits for it.
  private var abandoned: UInt64?
  private var live: [Key: UInt64] = [:]
  private var works: [UInt64: Work] = [:]
  private var workOf: [UInt64: UInt64] = [:]
  private var nextWork: UInt64 = 1

  /// No work yet.
  ///
  /// - Parameter lingers: Whether abandoned work goes on.
  init(lingers: Bool = false) {
    self.lingers = lingers
  }

  /// How many pieces of work are alive.
  var count: Int { works.count }

  /// Whether work for that key is alive.
  func isLoading(_ key: Key) -> Bool { live[key] != nil }

  /// Whether a piece of work is neither over nor dead.
  func isAlive(_ work: UInt64) -> Bool { works[work] != nil }

  /// The highest priority of those who wait for a piece of work; nil where it is over or dead.
  func priority(of work: UInt64) -> LoadPriority? { works[work]?.priority }

  /// Someone asks for a key. `waiter` is a number of the caller's choice that was never used before.
  mutating func joined(_ waiter: UInt64, _ key: Key, priority: LoadPriority) -> Joining {
    if let number = live[key] {
      workOf[waiter] = number
      if abandoned == number { abandoned = nil }
      works[number]?.set(waiter, to: priority)
      return .joins(work: number, changedTo: works[number]?.reweigh())
    }
    let number = nextWork
    nextWork += 1
    live[key] = number
    var work = Work(key: key, priority: priority)
    work.set(waiter, to: priority)
    works[number] = work
    workOf[waiter] = number
    return .starts(work: number)
  }

  /// A waiter has gone.
  mutating func left(_ waiter: UInt64) -> Leaving {
    guard let number = workOf.removeValue(forKey: waiter) else { return .nothing }
    works[number]?.set(waiter, to: nil)
    if let work = works[number], work.waiters.isEmpty, !work.isFinishing {
      guard lingers else {
        die(number)
        return .cancels(work: number)
      }
      let earlier = dropAbandoned()
      abandoned = number
      if let earlier { return .cancels(work: earlier) }
    }
    return .stays(work: number, loweredTo: works[number]?.reweigh())
  }

  /// Abandoned work isn't wanted any more.
  ///
  /// - Parameter key: The one that somebody is going to ask for, whose work lingers on.
  /// - Returns: The work that is to be cancelled.
  mutating func dropAbandoned(unless key: Key? = nil) -> UInt64? {
    guard let number = abandoned else { return nil }
    if let key, live[key] == number { return nil }
    abandoned = nil
    die(number)
    return number
  }

  private mutating func die(_ number: UInt64) {
    if let work = works.removeValue(forKey: number) { live[work.key] = nil }
  }

  /// A waiter's ticket says another priority.
  ///
  /// - Returns: The work, and its priority where that has changed by it.
  mutating func reprioritised(_ waiter: UInt64, to priority: LoadPriority) -> (work: UInt64, priority: LoadPriority)? {
    guard let number = workOf[waiter] else { return nil }
    works[number]?.set(waiter, to: priority)
    return works[number]?.reweigh().map { (number, $0) }
  }

  /// The work has come well: from now on its value is kept, whoever leaves.
  ///
  /// - Returns: Whether it is alive.
  mutating func finishes(_ number: UInt64) -> Bool {
    guard works[number] != nil else { return false }
    works[number]?.isFinishing = true
    if abandoned == number { abandoned = nil }
    return true
  }

  /// The work is over, well or badly.
  ///
  /// - Returns: Those who are to hear of it; nil where it is dead.
  mutating func ended(_ number: UInt64) -> [UInt64]? {
    guard let work = works.removeValue(forKey: number) else { return nil }
    live[work.key] = nil
    if abandoned == number { abandoned = nil }
    for waiter in work.waiters.keys { workOf[waiter] = nil }
    return work.waiters.keys.sorted()
  }
}

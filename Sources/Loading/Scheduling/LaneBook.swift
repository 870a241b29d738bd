/// Of two jobs the one of the higher level comes first, of two of one level the one that was there first.
package struct JobRank: Comparable, Sendable {
  package let level: Int
  package let order: UInt64

  package init(level: Int, order: UInt64) {
    self.level = level
    self.order = order
  }

  package static func < (a: JobRank, b: JobRank) -> Bool {
    a.level == b.level ? a.order < b.order : a.level > b.level
  }
}

/// Jobs whose turn it may be, in lanes: those of one group, one throttled key and one claim to reserved slots share a
/// lane, since the same things hold them up.
///
/// | a lane | is |
/// |---|---|
/// | open | in the heap of those of its claim, by its best job; if it is urgent and its group idle, in that of these too |
/// | resting | in a heap by the time at which its throttled key may start again |
/// | closed | in neither, since its group runs as many as it may, or nobody waits in it |
///
/// An event costs O(log n), and O(k log n) where it opens or closes the k lanes of a group or a key.
struct LaneBook {
  struct Name: Hashable {
    var group: LoadGroup?
    var throttle: String?
    /// Whether its jobs may take reserved slots.
    var isUrgent = true
  }

  /// Which jobs may take the next slot.
  enum Admission {
    case all, urgent, urgentOfIdleGroups
  }

  private struct Lane {
    let name: Name
    var waiting = PriorityHeap<JobRank>()
  }

  private let maxPerGroup: Int
  /// Whether anybody asks which groups are idle: else they needn't be followed.
  private let followsIdleGroups: Bool
  private var lanes: [UInt64: Lane] = [:]
  private var numbers: [Name: UInt64] = [:]
  private var ofGroup: [LoadGroup: Set<UInt64>] = [:]
  private var ofThrottle: [String: Set<UInt64>] = [:]
  /// Lanes of jobs that may take reserved slots.
  private var urgent = PriorityHeap<JobRank>()
  /// Those of them whose group has nothing running.
  private var urgentOfIdleGroups = PriorityHeap<JobRank>()
  private var ordinary = PriorityHeap<JobRank>()
  private var resting = PriorityHeap<Duration>()
  private var running: [LoadGroup: Int] = [:]
  /// When the next job of a key may start.
  private var nextStarts: [String: Duration] = [:]
  private var cleansAt = 64
  private var nextNumber: UInt64 = 0

  init(maxPerGroup: Int, followsIdleGroups: Bool = false) {
    self.maxPerGroup = maxPerGroup
    self.followsIdleGroups = followsIdleGroups
  }

  /// The best job that may start, of those that are admitted.
  func first(_ admission: Admission) -> UInt64? {
    let number: UInt64? =
      switch admission {
      case .urgentOfIdleGroups: urgentOfIdleGroups.first
      case .urgent: urgent.first
      case .all:
        if let rank = ordinary.firstRank, urgent.firstRank.map({ rank < $0 }) ?? true {
          ordinary.first
        } else {
          urgent.first
        }
      }
    return number.flatMap { lanes[$0]?.waiting.first }
  }

  /// When the next lane will have rested.
  var nextOpening: Duration? { resting.firstRank }

  /// How many lanes, groups and keys are remembered.
  var size: Int { lanes.count + running.count + nextStarts.count }

  // MARK: - Jobs

  mutating func insert(_ id: UInt64, _ rank: JobRank, in name: Name, now: Duration) {
    let number = numbers[name] ?? add(name)
    lanes[number]?.waiting.insert(id, rank)
    place(number, now: now)
  }

  mutating func change(_ id: UInt64, to rank: JobRank, in name: Name) {
    guard let number = numbers[name], let index = lanes.index(forKey: number) else { return }
    lanes.values[index].waiting.change(id, to: rank)
    if let best = lanes.values[index].waiting.firstRank { rerank(number, to: best) }
  }

  mutating func remove(_ id: UInt64, in name: Name) {
    guard let number = numbers[name], let index = lanes.index(forKey: number) else { return }
    lanes.values[index].waiting.remove(id)
    if let best = lanes.values[index].waiting.firstRank { rerank(number, to: best) } else { drop(number, name) }
  }

  /// The first job starts: it leaves its lane, counts for its group, and has its throttled key rest.
  mutating func starts(_ id: UInt64, in name: Name, every interval: Duration, now: Duration) {
    remove(id, in: name)
    if let group = name.group {
      let count = running[group, default: 0] + 1
      running[group] = count
      if count == maxPerGroup || (followsIdleGroups && count == 1) { placeAll(Name(group: group), now: now) }
    }
    guard let key = name.throttle else { return }
    nextStarts[key] = now + interval
    placeAll(Name(throttle: key), now: now)
    if nextStarts.count > cleansAt {
      nextStarts = nextStarts.filter { $0.value > now }
      cleansAt = max(64, nextStarts.count * 2)
    }
  }

  /// A job of that lane has ended.
  mutating func ended(in name: Name, now: Duration) {
    guard let group = name.group, let count = running[group] else { return }
    running[group] = count > 1 ? count - 1 : nil
    if count >= maxPerGroup || (followsIdleGroups && count == 1) { placeAll(Name(group: group), now: now) }
  }

  /// Opens the lanes that have rested.
  mutating func timePassed(now: Duration) {
    while let due = resting.firstRank, due <= now, let number = resting.first {
      resting.remove(number)
      place(number, now: now)
    }
  }

  // MARK: - Lanes

  private mutating func add(_ name: Name) -> UInt64 {
    nextNumber += 1
    lanes[nextNumber] = Lane(name: name)
    numbers[name] = nextNumber
    if let group = name.group { ofGroup[group, default: []].insert(nextNumber) }
    if let key = name.throttle { ofThrottle[key, default: []].insert(nextNumber) }
    return nextNumber
  }

  private mutating func drop(_ number: UInt64, _ name: Name) {
    close(number)
    resting.remove(number)
    lanes[number] = nil
    numbers[name] = nil
    if let group = name.group { Self.remove(number, from: &ofGroup[group]) }
    if let key = name.throttle { Self.remove(number, from: &ofThrottle[key]) }
  }

  private static func remove(_ number: UInt64, from lanes: inout Set<UInt64>?) {
    lanes?.remove(number)
    if lanes?.isEmpty == true { lanes = nil }
  }

  /// Places all lanes of a group and all of a key.
  private mutating func placeAll(_ name: Name, now: Duration) {
    if let group = name.group { for number in ofGroup[group] ?? [] { place(number, now: now) } }
    if let key = name.throttle { for number in ofThrottle[key] ?? [] { place(number, now: now) } }
  }

  /// Has a lane be open, resting or closed, as it should be.
  private mutating func place(_ number: UInt64, now: Duration) {
    guard let lane = lanes[number], let best = lane.waiting.firstRank else { return }
    let name = lane.name
    if let group = name.group, running[group, default: 0] >= maxPerGroup {
      close(number)
      resting.remove(number)
    } else if let key = name.throttle, let opens = nextStarts[key], opens > now {
      close(number)
      resting.insert(number, opens)
    } else {
      resting.remove(number)
      open(number, name, best)
    }
  }

  private mutating func open(_ number: UInt64, _ name: Name, _ best: JobRank) {
    guard name.isUrgent else { return ordinary.insert(number, best) }
    urgent.insert(number, best)
    guard followsIdleGroups, let group = name.group else { return }
    if running[group] == nil { urgentOfIdleGroups.insert(number, best) } else { urgentOfIdleGroups.remove(number) }
  }

  private mutating func close(_ number: UInt64) {
    ordinary.remove(number)
    urgent.remove(number)
    urgentOfIdleGroups.remove(number)
  }

  /// Has a lane stand where its best job belongs, in the heaps that it is in.
  private mutating func rerank(_ number: UInt64, to best: JobRank) {
    ordinary.change(number, to: best)
    urgent.change(number, to: best)
    urgentOfIdleGroups.change(number, to: best)
  }
}

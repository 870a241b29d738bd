/// A queue with two ends and random access: what grows and shrinks at both edges of a list.
///
/// Append, prepend and removal at either end cost O(1) amortised, access by position O(1). Memory is at most twice what
/// was ever held at once.
struct RingBuffer<Element> {
  private var slots: [Element?] = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var first: Element? { count == 0 ? nil : slots[head] }
  var last: Element? { count == 0 ? nil : slots[slot(count - 1)] }

  /// The element at `position`, counted from the front; nil outside `0..<count`.
  subscript(position: Int) -> Element? {
    get { position >= 0 && position < count ? slots[slot(position)] : nil }
    set {
      guard position >= 0, position < count, let newValue else { return }
      slots[slot(position)] = newValue
    }
  }

  mutating func append(_ element: Element) {
    growIfFull()
    slots[slot(count)] = element
    count += 1
  }

  mutating func prepend(_ element: Element) {
    growIfFull()
    head = head == 0 ? slots.count - 1 : head - 1
    slots[head] = element
    count += 1
  }

  @discardableResult
  mutating func removeFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head]
    slots[head] = nil
    head = head + 1 == slots.count ? 0 : head + 1
    count -= 1
    return element
  }

  @discardableResult
  mutating func removeLast() -> Element? {
    guard count > 0 else { return nil }
    let position = slot(count - 1)
    let element = slots[position]
    slots[position] = nil
    count -= 1
    return element
  }

  private func slot(_ position: Int) -> Int {
    let raw = head + position
    return raw < slots.count ? raw : raw - slots.count
  }

  private mutating func growIfFull() {
    guard count == slots.count else { return }
    var grown: [Element?] = []
    grown.reserveCapacity(max(8, slots.count * 2))
    for position in 0..<count { grown.append(slots[slot(position)]) }
    grown.append(contentsOf: repeatElement(nil, count: max(8, slots.count * 2) - count))
    slots = grown
    head = 0
  }
}

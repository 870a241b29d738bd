/// Where in a generation a row stands: the ordinal of its page and the offset in it.
struct RowAddress: Equatable {
  var ordinal: Int
  var offset: Int
}

/// Finds rows by the hash of their identity: an open-addressing table of hash and address.
///
/// It stores no identities, so a match is a question to the caller, who holds the rows. Insertion, removal and look-up
/// cost O(1) on average; growing moves entries without hashing anything again. 16 bytes a slot, of which at most three
/// in four are in use: 32 MiB at a million rows. It never shrinks.
struct IdentityIndex {
  private struct Slot {
    var hash = 0
    var ordinal: Int32 = 0
    /// Below zero marks an empty slot.
    var offset: Int32 = -1

    init() {}

    init(hash: Int, _ address: RowAddress) {
      self.hash = hash
      // Two thousand million pages, or rows in one, are out of any memory's reach.
      ordinal = Int32(truncatingIfNeeded: address.ordinal)
      offset = Int32(truncatingIfNeeded: address.offset)
    }
  }

  private var slots: [Slot] = []
  private(set) var count = 0

  /// The address under `hash` that `isMatch` accepts.
  func address(hash: Int, where isMatch: (RowAddress) -> Bool) -> RowAddress? {
    guard !slots.isEmpty else { return nil }
    let mask = slots.count - 1
    var position = hash & mask
    while true {
      let slot = slots[position]
      if slot.offset < 0 { return nil }
      if slot.hash == hash {
        let address = RowAddress(ordinal: Int(slot.ordinal), offset: Int(slot.offset))
        if isMatch(address) { return address }
      }
      position = (position + 1) & mask
    }
  }

  /// Adds the rows of a page, in their order, until one comes whose hash is there already.
  ///
  /// - Returns: How many were added.
  mutating func insertNew(_ hashes: [Int], ordinal: Int) -> Int {
    reserve(hashes.count)
    let added = slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count - 1
      for (offset, hash) in hashes.enumerated() {
        var position = hash & mask
        while slots[position].offset >= 0 {
          if slots[position].hash == hash { return offset }
          position = (position + 1) & mask
        }
        slots[position] = Slot(hash: hash, RowAddress(ordinal: ordinal, offset: offset))
      }
      return hashes.count
    }
    count += added
    return added
  }

  /// Adds an entry; the caller has seen that it is new.
  mutating func insert(hash: Int, at address: RowAddress) {
    reserve(1)
    slots.withUnsafeMutableBufferPointer { Self.place(Slot(hash: hash, address), in: $0) }
    count += 1
  }

  /// Removes the entry of exactly that hash and address, if there is one.
  mutating func remove(hash: Int, at address: RowAddress) {
    guard !slots.isEmpty else { return }
    let mask = slots.count - 1
    var position = hash & mask
    while true {
      let slot = slots[position]
      if slot.offset < 0 { return }
      if slot.hash == hash, Int(slot.ordinal) == address.ordinal, Int(slot.offset) == address.offset { break }
      position = (position + 1) & mask
    }
    count -= 1
    // Entries behind the hole move up where their own place allows it, so that no search stops early (Knuth, 6.4, R).
    var hole = position
    var next = (hole + 1) & mask
    while slots[next].offset >= 0 {
      let home = slots[next].hash & mask
      if ((next - home) & mask) >= ((next - hole) & mask) {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = Slot()
  }

  private static func place(_ slot: Slot, in slots: UnsafeMutableBufferPointer<Slot>) {
    let mask = slots.count - 1
    var position = slot.hash & mask
    while slots[position].offset >= 0 { position = (position + 1) & mask }
    slots[position] = slot
  }

  /// Makes room for so many more entries: at most three slots of four are in use.
  private mutating func reserve(_ more: Int) {
    guard (count + more) * 4 > slots.count * 3 else { return }
    var size = max(16, slots.count * 2)
    while (count + more) * 4 > size * 3 { size *= 2 }
    var grown = Array(repeating: Slot(), count: size)
    grown.withUnsafeMutableBufferPointer { grown in
      for slot in slots where slot.offset >= 0 { Self.place(slot, in: grown) }
    }
    slots = grown
  }
}

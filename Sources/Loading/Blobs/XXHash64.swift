/// XXH64, the 64-bit hash of the xxHash specification 0.1.1 by Yann Collet.
///
/// Fast and well mixed, so that damage and chance are found out; not made to withstand someone who means harm.
package enum XXHash64 {
  private static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
  private static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
  private static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
  private static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
  private static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

  /// The hash of `bytes`; O(n), about 0.1 ns a byte when optimised.
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var place = 0
    var hash: UInt64
    if bytes.count >= 32 {
      var lane1 = seed &+ prime1 &+ prime2
      var lane2 = seed &+ prime2
      var lane3 = seed
      var lane4 = seed &- prime1
      while place &+ 32 <= bytes.count {
        lane1 = round(lane1, word(bytes, place))
        lane2 = round(lane2, word(bytes, place &+ 8))
        lane3 = round(lane3, word(bytes, place &+ 16))
        lane4 = round(lane4, word(bytes, place &+ 24))
        place &+= 32
      }
      hash = turn(lane1, 1) &+ turn(lane2, 7) &+ turn(lane3, 12) &+ turn(lane4, 18)
      hash = merge(merge(merge(merge(hash, lane1), lane2), lane3), lane4)
    } else {
      hash = seed &+ prime5
    }
    hash &+= UInt64(bytes.count)
    while place &+ 8 <= bytes.count {
      hash = turn(hash ^ round(0, word(bytes, place)), 27) &* prime1 &+ prime4
      place &+= 8
    }
    if place &+ 4 <= bytes.count {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      hash = turn(hash ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
      place &+= 4
    }
    while place < bytes.count {
      hash = turn(hash ^ (UInt64(bytes[place]) &* prime5), 11) &* prime1
      place &+= 1
    }
    hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }

  @inline(__always) private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  @inline(__always) private static func turn(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    (value &<< bits) | (value &>> (64 &- bits))
  }

  @inline(__always) private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    turn(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always) private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }
}

import Testing

@testable import Loading

@Suite struct BlobFormatTests {
  private func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
    Array(text.utf8).withUnsafeBytes { XXHash64.hash($0, seed: seed) }
  }

  private func file(key: String, value: [UInt8]) -> [UInt8] {
    value + value.withUnsafeBytes { BlobFormat.end(key: key, value: $0) }
  }

  @Test func L4_theHashIsTheOneOfTheSpecification() {
    #expect(hash("") == 0xef46_db37_51d8_e999)
    #expect(hash("a") == 0xd24e_c4f1_a98c_6e5b)
    #expect(hash("abc") == 0x44bc_2cf5_ad77_0999)
    #expect(hash("Nobody inspects the spammish repetition") == 0xfbce_a83c_8a37_8bf1)
    // By another implementation of the same pages.
    #expect(hash("hello", seed: 1) == 0x23dd_71cb_04d0_a1b2)
    let bytes = Array(0..<101 as Range<UInt8>)
    #expect(bytes.withUnsafeBytes { XXHash64.hash($0, seed: (1 << 63) + 5) } == 0xbf84_f2fd_7821_c80d)
  }

  @Test func L4_aFileIsLaidOutAsTheSampleShows() {
    let expected: [UInt8] =
      Array("hellopage 7".utf8)
      + [5, 0, 0, 0, 0, 0, 0, 0]
      + [6, 0, 0, 0, 0, 0, 0, 0]
      + [0x21, 0xae, 0x23, 0x21, 0x88, 0xe8, 0xf1, 0x39]
      + [0x53, 0x57, 0x42, 0x4c, 0x4f, 0x42, 0x0a, 0x01]
    #expect(file(key: "page 7", value: Array("hello".utf8)) == expected)
  }

  @Test func L4_aTailOfAnotherLengthThanItsFileIsRefused() {
    let file = file(key: "key", value: [1, 2, 3])
    func isGood(_ file: [UInt8], length: Int) -> Bool {
      file.withUnsafeBytes { BlobFormat.Tail($0, fileLength: length) != nil }
    }
    #expect(isGood(file, length: file.count))
    for length in [0, 31, 32, file.count - 1, file.count + 1, .max] { #expect(!isGood(file, length: length)) }
    #expect(!isGood(Array(file.suffix(31)), length: file.count))
    let tail = file.count - 32
    for place in Array(tail..<tail + 16) + Array(tail + 24..<file.count) {
      for bit in 0..<8 {
        var damaged = file
        damaged[place] ^= 1 << bit
        #expect(!isGood(damaged, length: file.count))
      }
    }
    // Lengths that overflow when they are added.
    var huge = file
    for place in tail..<tail + 16 { huge[place] = 0xff }
    huge[tail + 7] = 0x7f
    huge[tail + 15] = 0x7f
    for length in [file.count, .max] { #expect(!isGood(huge, length: length)) }
  }

  @Test func L4_namesReadBackAndOthersAreNone() {
    let name = BlobName(of: "key")
    func parse(_ text: String) -> BlobName? { Array(text.utf8).withUnsafeBytes { BlobName(fileName: $0) } }
    #expect(parse(name.fileName) == name)
    #expect(name != BlobName(of: "Key"))
    #expect(BlobName(of: "").fileName == "ef46db3751d8e999" + seededDigits("") + ".blob")
    for text in ["", "x.blob", name.fileName + "x", String(name.fileName.dropFirst()), name.fileName.uppercased()] {
      #expect(parse(text) == nil)
    }
    #expect(parse("g" + name.fileName.dropFirst()) == nil)
  }

  private func seededDigits(_ text: String) -> String {
    let digits = String(hash(text, seed: 1), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

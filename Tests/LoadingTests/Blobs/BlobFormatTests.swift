import Testing

@testable import Loading

@Suite struct BlobFormatTests {
  private func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
    Array(text.utf8).withUnsafeBytes { XXHash64.hash($0, seed: seed) }
  }

  private func file(key: String, value: [UInt8]) -> [UInt8] {
    value.withUnsafeBytes { BlobFormat.head(key: key, value: $0) } + value
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
      [0x53, 0x57, 0x42, 0x4c, 0x4f, 0x42, 0x0a, 0x01]
      + [6, 0, 0, 0, 0, 0, 0, 0]
      + [5, 0, 0, 0, 0, 0, 0, 0]
      + [0x78, 0x45, 0xde, 0x42, 0x8b, 0x60, 0xa7, 0xfd]
      + Array("page 7hello".utf8)
    #expect(file(key: "page 7", value: Array("hello".utf8)) == expected)
  }

  @Test func L4_aHeadOfAnotherLengthThanItsFileIsRefused() {
    let file = file(key: "key", value: [1, 2, 3])
    func isGood(_ file: [UInt8], length: Int) -> Bool {
      file.withUnsafeBytes { BlobFormat.Head($0, fileLength: length) != nil }
    }
    #expect(isGood(file, length: file.count))
    for length in [0, 31, 32, file.count - 1, file.count + 1, .max] { #expect(!isGood(file, length: length)) }
    #expect(!isGood(Array(file.prefix(31)), length: file.count))
    for place in 0..<24 {
      for bit in 0..<8 {
        var damaged = file
        damaged[place] ^= 1 << bit
        #expect(!isGood(damaged, length: file.count))
      }
    }
    // Lengths that overflow when they are added.
    var huge = file
    for place in 8..<24 { huge[place] = 0xff }
    huge[15] = 0x7f
    huge[23] = 0x7f
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

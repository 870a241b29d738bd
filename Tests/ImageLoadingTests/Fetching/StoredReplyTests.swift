import Foundation
import Loading
import LoadingHTTP
import Testing

@testable import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct StoredReplyTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000.25)

  private func request(_ headers: [String: String] = [:]) -> URLRequest {
    var request = URLRequest(url: URL(string: "https://host.test/a?token=SECRET-IN-URL") ?? URL(filePath: "/"))
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  private func head(_ headers: HTTPHeaders, _ request: URLRequest) -> StoredHead {
    StoredHead(
      HTTPReply(status: 200, headers: headers, body: Data(), url: URL(filePath: "/"), receivedAt: now), to: request,
      requestedAt: now - 1.5, salt: ImageKey("key"))
  }

  @Test func B80_BUG26_valuesOfAnyCharactersSurvive() throws {
    let headers: HTTPHeaders = [
      "ETag": "\"größe-日本-👩‍👩‍👧\"", "Cache-Control": "max-age=5, x=\"\u{e9}\"", "Content-Type": "", "Vary": "Accept",
      "Cache-Control": "private",
    ]
    let stored = StoredReply(head: head(headers, request()), body: [0, 255, 10, 13, 0])
    let read = try #require(StoredReply(blob: stored.blob))
    #expect(read == stored)
    #expect(read.head.headers.map(\.value).sorted() == headers.map(\.value).sorted())
    #expect(read.head.receivedAt == now && read.head.requestedAt == now - 1.5)
    let empty = StoredReply(head: head([:], request()), body: [])
    #expect(StoredReply(blob: empty.blob) == empty)
  }

  @Test func BUG23_nothingSecretIsInABlob() throws {
    let secrets = ["Authorization": "Bearer SECRET-A", "Cookie": "sid=SECRET-B", "X-Key": "SECRET-C"]
    let headers: HTTPHeaders = [
      "Vary": "Authorization, Cookie, X-Key", "Set-Cookie": "sid=SECRET-D", "ETag": "\"tag\"",
      "Location": "https://host.test/?SECRET-E",
    ]
    let blob = StoredReply(head: head(headers, request(secrets)), body: [1]).blob
    #expect(blob.range(of: Data("SECRET".utf8)) == nil)
    let stored = try #require(StoredReply(blob: blob))
    #expect(stored.head.headers["ETag"] == "\"tag\"" && stored.head.selecting.count == 3)
  }

  @Test func I6_varyTellsRequestsApartByHash() throws {
    let stored = head(
      [
        "Vary": "Accept, X-Key", "Cache-Control": "max-age=60", "ETag": "\"t\"",
        "Last-Modified": "Fri, 15 Jan 2027 07:00:00 GMT",
      ],
      request(["X-Key": "a"]))
    func standing(_ headers: [String: String]) -> FetchPlan.Stored? {
      stored.standing(for: request(headers), at: now, url: URL(filePath: "/"), salt: ImageKey("key"))
    }
    let same = try #require(standing(["X-Key": "a"]))
    #expect(same.isForRequest && same.isFresh && same.conditions.count == 2)
    for other in [["X-Key": "b"], [:], ["X-Key": "a", "Accept": "image/webp"]] {
      let standing = try #require(standing(other))
      #expect(!standing.isForRequest && standing.conditions.map(\.name) == ["If-None-Match"])
    }
    let all = head(["Vary": "*", "Cache-Control": "max-age=60", "ETag": "\"t\""], request())
    let any = try #require(all.standing(for: request(), at: now, url: URL(filePath: "/"), salt: ImageKey("key")))
    #expect(!any.isForRequest)
  }

  @Test func B58_anyOtherBytesAreNoReplyAndNoTrap() {
    let blob = StoredReply(head: head(["Vary": "Accept", "ETag": "\"t\""], request()), body: [1, 2, 3]).blob
    let headLength = blob.count - 3
    for count in 0..<headLength { #expect(StoredReply(blob: blob.prefix(count)) == nil) }
    var chance = SeededGenerator(seed: 5)
    for _ in 0..<5_000 {
      var damaged = blob
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        damaged[Int.random(in: 0..<damaged.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
      }
      _ = StoredReply(blob: damaged)?.head.standing(
        for: request(), at: now, url: URL(filePath: "/"), salt: ImageKey("key"))
    }
    // A slice of other bytes reads as the whole does.
    let slice = (Data([9, 9]) + blob).dropFirst(2)
    #expect(StoredReply(blob: slice)?.body == [1, 2, 3])
  }

  @Test func B67_keysOfAnyTextHaveNamesOfOneKind() {
    #expect(SHA256.hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(SHA256.hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      SHA256.hex(String(repeating: "a", count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    let texts = ["a b\nc", "👩‍👩‍👧", String(repeating: "x", count: 5_000), "%00\u{0}", "user@host", "../../etc/passwd", ""]
    let names = texts.map { ImageDisk.name(ImageKey($0), kind: "original") }
    #expect(Set(names).count == texts.count)
    #expect(names.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
    #expect(ImageDisk.name(ImageKey("a"), kind: "original") != ImageDisk.name(ImageKey("a"), kind: "processed"))
    #expect(ImageDisk.name(ImageKey("ab", "c"), kind: "x") != ImageDisk.name(ImageKey("a", "bc"), kind: "x"))
  }
}

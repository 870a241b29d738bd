import Foundation
import Loading
import Testing

@testable import ImageLoading

@Suite struct DataURLTests {
  private func text(_ url: String, limit: Int = 1_000) -> String {
    do { return String(decoding: try DataURL.bytes(url, limit: limit), as: UTF8.self) } catch { return "\(error)" }
  }

  @Test func B74_dataURLsAreReadAsRFC2397Says() {
    #expect(text("data:,A%20brief%20note") == "A brief note")
    #expect(text("DATA:text/plain;charset=iso-8859-7,%41") == "A")
    #expect(text("data:image/png;base64,aGVsbG8=") == "hello")
    #expect(text("data:;BASE64,aGVsbG8") == "hello", "without its padding")
    #expect(text("data:;base64,aGVs%0AbG8%3D") == "hello", "line ends and padding as percent signs")
    #expect(text("data:;base64 ,aGVs bG8=") == "hello")
    #expect(text("data:,a,b") == "a,b")
    #expect(text("data:,a#b") == "a")
    #expect(text("data:,") == "")
    #expect(text("data:base64,aGVsbG8=") == "aGVsbG8=", "that is a type, of sorts")
  }

  @Test func B74_dataURLsThatMakeNoSenseSaySo() {
    #expect(text("data:text/plain") == "noComma")
    #expect(text("data:,%4") == "badPercent")
    #expect(text("data:,%zz") == "badPercent")
    for bad in ["a", "aGVs*G8=", "aG=sbG8=", "====", "aGVsbG8=aGVs", "aGVsbG8=="] {
      #expect(text("data:;base64,\(bad)") == "badBase64", "\(bad)")
    }
    #expect(text("data:,abcd", limit: 3) == "tooLong")
    #expect(text("data:;base64,aGVsbG8=", limit: 4) == "tooLong")
    #expect(text("data:;base64,\(String(repeating: "A", count: 4_000))", limit: 4) == "tooLong")
    #expect(text("data:;base64,aGVsbG8=", limit: 5) == "hello")
  }

  @Test func I14_noTextTrapsTheReader() {
    var chance = SeededGenerator(seed: 3)
    let alphabet = Array("data:;base64,%4a =#ñé/+\u{0}")
    for _ in 0..<20_000 {
      let url = String(
        (0..<Int.random(in: 0...24, using: &chance)).compactMap { _ in alphabet.randomElement(using: &chance) })
      _ = text("data:" + url, limit: 10)
    }
  }
}

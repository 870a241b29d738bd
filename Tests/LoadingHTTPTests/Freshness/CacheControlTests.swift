import Foundation
import Testing

@testable import LoadingHTTP

@Suite struct CacheControlTests {
  private func directives(_ values: String...) -> [String] {
    CacheControl(values).directives.map { directive in
      directive.argument.map { "\(directive.name)=\($0)" } ?? directive.name
    }
  }

  @Test func H4_directivesAreReadInTheirOrder() {
    #expect(directives("no-cache, max-age=60") == ["no-cache", "max-age=60"])
    #expect(directives("MAX-AGE=60,,  ,\tPublic ,") == ["max-age=60", "public"])
    #expect(directives("private=\"x, y\", no-store") == ["private=x, y", "no-store"])
    #expect(directives("ext=\"a\\\"b\\\\c\"") == ["ext=a\"b\\c"])
    #expect(directives("ext=\"\", other=") == ["ext=", "other="])
    #expect(directives("max-age=1", "no-store") == ["max-age=1", "no-store"])
    #expect(directives("", " , ") == [])
  }

  /// What is not of the grammar spoils its own argument, and never a directive that forbids something.
  @Test func H4_whatIsMangledForbidsAllTheSame() {
    #expect(directives("no-store garbage, max-age=5") == ["no-store", "max-age=5"])
    #expect(directives("max-age = 60") == ["max-age"])
    #expect(directives("max-age=6 0") == ["max-age"])
    #expect(directives("ext=\"never ends, no-store", "no-cache") == ["ext", "no-cache"])
    #expect(directives("ext=\"a\"b, no-store") == ["ext", "no-store"])
    #expect(directives("=5, no-store, =\"") == ["no-store"])
  }

  @Test(arguments: [
    ("max-age=60", 60), ("max-age=\"60\"", 60), ("max-age=060", 60), ("max-age=2147483648", 2_147_483_648),
    ("max-age=2147483649", 2_147_483_648), ("max-age=9999999999999999999999", 2_147_483_648), ("max-age", 0),
    ("max-age=", 0), ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age=abc", 0), ("max-age='60'", 0), ("max-age=+5", 0),
    ("max-age=1, max-age=100", 1), ("max-age=100, max-age=1", 100), ("foo=1, MAX-age=7", 7),
  ])
  func H4_secondsAreClampedAndNeverGivenFree(value: String, seconds: Int) {
    #expect(CacheControl([value]).maxAge == .seconds(seconds))
  }

  @Test func H4_eachDirectiveHasItsName() {
    let all = CacheControl([
      "no-store, no-cache=\"Set-Cookie\", must-revalidate, must-understand, public, private, immutable, only-if-cached",
      "s-maxage=1, stale-while-revalidate=2, stale-if-error=3, max-age=4, x-unknown=5",
    ])
    #expect(all.noStore && all.noCache && all.mustRevalidate && all.mustUnderstand && all.isPublic && all.isPrivate)
    #expect(all.isImmutable && all.onlyIfCached && all.has("X-Unknown"))
    #expect(all.sharedMaxAge == .seconds(1) && all.staleWhileRevalidate == .seconds(2))
    #expect(all.staleIfError == .seconds(3) && all.maxAge == .seconds(4) && all.seconds("X-UNKNOWN") == .seconds(5))
    let none = CacheControl([] as [String])
    #expect(!none.noStore && !none.noCache && !none.mustRevalidate && !none.mustUnderstand && !none.isPublic)
    #expect(!none.isPrivate && !none.isImmutable && !none.onlyIfCached && none.maxAge == nil)
    #expect(none.sharedMaxAge == nil && none.staleWhileRevalidate == nil && none.staleIfError == nil)
    #expect(CacheControl(["Cache-Control": "a", "X": "b", "cache-control": "c"] as HTTPHeaders).directives.count == 2)
  }
}

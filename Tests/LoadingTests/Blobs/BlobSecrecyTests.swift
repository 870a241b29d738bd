import Foundation
import Testing

@testable import Loading

/// What somebody can do who chooses keys, or who can put files into a store's folder.
@Suite struct BlobSecrecyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["../outside", "../../etc/passwd", "/etc/passwd", "a/b", "..", ".", "\0", "~", "c:\\x", "a\nb"])
  func L4_noKeyLeadsOutOfTheFolder(key: String) throws {
    let inside = folder.url.appendingPathComponent("store")
    let store = try BlobStore(at: inside)
    try store.write(Data([1]), for: key)
    #expect(try store.data(for: key) == Data([1]))
    #expect(try folder.names() == ["store"])
    let names = try FileManager.default.contentsOfDirectory(atPath: inside.path)
    #expect(names == [BlobName(of: key).fileName])
    try store.remove(key)
    #expect(try folder.names() == ["store"])
  }

  @Test func L4_aBlobUnderAnotherKeysNameIsNotThatKeys() throws {
    let store = try BlobStore(at: folder.url)
    try store.write(Data([1]), for: "a")
    try FileManager.default.copyItem(at: folder.file(of: "a"), to: folder.file(of: "b"))
    #expect(try BlobStore(at: folder.url).data(for: "b") == nil)
    #expect(try BlobStore(at: folder.url).data(for: "a") == Data([1]))
  }
}

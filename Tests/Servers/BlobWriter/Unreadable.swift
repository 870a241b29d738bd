import Foundation
import Loading

/// A store whose files and folder are closed to it, in a process that isn't root, whom no mode stops.
enum Unreadable {
  static func run(_ folder: URL) throws {
    let path = folder.path
    if getuid() == 0 {
      let nobody: UInt32 = 65_534
      guard chown(path, nobody, nobody) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else { exit(70) }
    }
    let store = try BlobStore(at: folder)
    for key in 0..<3 {
      try store.write(NumberedValue.bytes(key: key, number: 1), for: NumberedValue.key(key))
    }
    let closed = path + "/" + BlobName(of: NumberedValue.key(1)).fileName
    check("close a file", chmod(closed, 0) == 0)
    check("a closed file reads as absent", try store.data(for: NumberedValue.key(1)) == nil)
    check("it is counted", store.damagedCount == 1)
    check("it is removed", !FileManager.default.fileExists(atPath: closed))
    for key in [0, 2] {
      let data = try store.data(for: NumberedValue.key(key))
      check("the others are there", data == NumberedValue.bytes(key: key, number: 1))
    }
    try store.write(NumberedValue.bytes(key: 1, number: 2), for: NumberedValue.key(1))
    check("it can be written again", try store.data(for: NumberedValue.key(1)) != nil)

    check("close the folder for writing", chmod(path, 0o500) == 0)
    check("a write says so", code { try store.write(Data(), for: "x") } == .inputOutput)
    check("a removal says so", code { try store.remove(NumberedValue.key(0)) } == .inputOutput)
    check("removing all says so", code { try store.removeAll() } == .inputOutput)
    check("what is there can be read", try store.data(for: NumberedValue.key(0)) != nil)
    check("close the folder", chmod(path, 0) == 0)
    check("a read says so", code { _ = try store.data(for: NumberedValue.key(0)) } == .inputOutput)
    check("opening says so", code { _ = try BlobStore(at: folder) } == .inputOutput)
    check("open the folder", chmod(path, 0o700) == 0)
    check("the store goes on", try store.data(for: NumberedValue.key(0)) != nil)
    try store.write(Data([1]), for: "x")
    BlobWriter.tell("done")
  }

  private static func check(_ what: String, _ holds: Bool) {
    if !holds { BlobWriter.tell("not so: \(what)") }
  }

  private static func code(_ body: () throws -> Void) -> LoadingError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? LoadingError)?.code
    }
  }
}

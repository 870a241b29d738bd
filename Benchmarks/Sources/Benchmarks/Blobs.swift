import Foundation
import Loading

/// A blob store against plain files: reading one of 20 KB, and opening a folder of many.
enum Blobs {
  static func run(entries count: Int) throws -> [Measurement] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("blobs-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return [
      try reading(in: folder.appendingPathComponent("reading")),
      try opening(count, in: folder.appendingPathComponent("opening")),
    ]
  }

  /// Of a hundred blobs in turn, all of which the system has in memory.
  private static func reading(in folder: URL) throws -> Measurement {
    let store = try BlobStore(at: folder)
    let keys = (0..<100).map { "https://example.com/images/\($0).jpg" }
    let files = (0..<100).map { folder.appendingPathComponent("plain-\($0)").path }
    for (place, key) in keys.enumerated() {
      let data = Data((0..<20_480).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ place) })
      try store.write(data, for: key)
      try data.write(to: URL(fileURLWithPath: files[place]))
      let read = try store.data(for: key)
      precondition(read == data && plain(files[place]) == data)
    }
    let times = Measure.medians(
      warmUp: 20, samples: 201,
      ours: { for key in keys { consume(try? store.data(for: key)) } },
      baseline: { for file in files { consume(plain(file)) } })
    return Measurement(
      workload: "blob of 20 KB read, warm", ours: times.ours / 100, baseline: times.baseline / 100, asked: 1.5)
  }

  /// What a file holds, with as few system calls as there can be.
  private static func plain(_ path: String) -> Data? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, let memory = malloc(Int(status.st_size)) else { return nil }
    let count = read(file, memory, Int(status.st_size))
    return Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  /// Copies of one blob under names of their own: the names and the status of each are all that opening looks at.
  private static func opening(_ count: Int, in folder: URL) throws -> Measurement {
    let store = try BlobStore(at: folder)
    try store.write(Data(count: 100), for: "key")
    let name = try FileManager.default.contentsOfDirectory(atPath: folder.path)[0]
    let blob = try Data(contentsOf: folder.appendingPathComponent(name))
    let suffix = name.drop { $0 != "." }
    for place in 0..<count - 1 {
      let path = folder.path + "/" + String(format: "%032x", place) + suffix
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      let count = blob.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      close(file)
      precondition(count == blob.count)
    }
    let time = Measure.median(warmUp: 1, samples: 5) {
      let opened = try? BlobStore(at: folder)
      precondition(opened?.byteCount == count * blob.count)
    }
    return Measurement(workload: "blob store opened with \(count) entries", ours: time, asked: 1e9)
  }
}

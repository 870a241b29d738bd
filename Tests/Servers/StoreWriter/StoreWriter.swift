import Foundation
import PagingStore

/// A process of its own that writes to a store, for tests that read beside it, or kill it.
///
///     StoreWriter FILE FIRST COUNT          writes so many generations, from that number on; 0: until it is killed
///     StoreWriter steps FILE FIRST NEWEST   takes steps from that number on until it is killed; see ``WrittenSteps``
///
/// It ends when the process that started it has. Each generation is one page for each of two lists. It tells each
/// generation's number when both calls have returned.
@main enum StoreWriter {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 5, arguments[1] == "steps", let first = Int(arguments[3]), let newest = Int(arguments[4]) {
      return try WrittenSteps.run(URL(fileURLWithPath: arguments[2]), from: first, newest: newest)
    }
    guard arguments.count == 4, let first = Int(arguments[2]), let count = Int(arguments[3]), first > 0 else {
      exit(64)
    }
    let store = try ListStore(at: URL(fileURLWithPath: arguments[1]))
    let same = store.list(WrittenRow.same, of: WrittenRow.self)
    let growing = store.list(WrittenRow.growing(first: first), of: WrittenRow.self)
    var generation = first
    let parent = getppid()
    while getppid() == parent, count == 0 || generation < first + count {
      try same.apply(WrittenRow.samePage(generation), for: try same.request(.head))
      try growing.apply(WrittenRow.growingPage(generation, first: first), for: try growing.request(.head))
      FileHandle.standardOutput.write(Data("\(generation)\n".utf8))
      generation += 1
    }
  }
}

import Foundation

/// Checks a trace against the rules of Chrome's trace event format that its viewers rely on.
struct TraceSchema {
  /// What is broken, one line each.
  private(set) var faults: [String] = []
  /// The events, as they stand in the file.
  private(set) var events: [[String: Any]] = []

  init(_ data: Data) {
    guard let array = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]] else {
      faults = ["not a JSON array of objects"]
      return
    }
    events = array
    var open: [String: [String]] = [:]
    var last: [Int: Double] = [:]
    var named: Set<String> = []
    var used: Set<String> = []
    var processes: [Int: Bool] = [:]
    for (number, event) in array.enumerated() {
      func fault(_ what: String) { faults.append("event \(number): \(what)") }
      guard let name = event["name"] as? String, !name.isEmpty else {
        fault("no name")
        continue
      }
      guard let phase = event["ph"] as? String else {
        fault("no phase")
        continue
      }
      guard let pid = event["pid"] as? Int, let tid = event["tid"] as? Int else {
        fault("no pid or tid")
        continue
      }
      guard let time = event["ts"] as? Double, time >= 0 else {
        fault("no time")
        continue
      }
      let track = "\(pid)/\(tid)"
      let arguments = event["args"] as? [String: Any]
      if phase == "M" {
        switch name {
        case "process_name", "thread_name":
          if (arguments?["name"] as? String)?.isEmpty != false { fault("\(name) without a name") }
          if name == "thread_name", !named.insert(track).inserted { fault("track \(track) is named twice") }
          if name == "process_name" { processes[pid] = true }
        case "process_sort_index", "thread_sort_index":
          if arguments?["sort_index"] as? Int == nil { fault("\(name) without a number") }
        default: fault("unknown metadata \(name)")
        }
        continue
      }
      if processes[pid] == nil { fault("process \(pid) has no name yet") }
      if time < last[pid, default: 0] { fault("goes back in time") }
      last[pid] = time
      if event["cat"] as? String == nil { fault("no category") }
      if phase != "C" { used.insert(track) }
      switch phase {
      case "B": open[track, default: []].append(name)
      case "E":
        if open[track, default: []].popLast() != name { fault("\(name) ends on \(track) and is not open there") }
      case "X": if (event["dur"] as? Double ?? -1) < 0 { fault("no duration") }
      case "i": if !["g", "p", "t"].contains(event["s"] as? String) { fault("no scope") }
      case "C":
        if arguments?.isEmpty != false || arguments?.values.contains(where: { !($0 is NSNumber) }) == true {
          fault("no number")
        }
      default: fault("unknown phase \(phase)")
      }
    }
    for (track, names) in open where !names.isEmpty { faults.append("\(track): \(names) never end") }
    for track in used where !named.contains(track) { faults.append("track \(track) has no name") }
  }

  init(file path: String) throws {
    self.init(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The names of what began or happened on tracks whose name begins so.
  func names(on track: String) -> [String] {
    let tracks = events.compactMap { event -> String? in
      guard event["name"] as? String == "thread_name",
        let name = (event["args"] as? [String: Any])?["name"] as? String, name.hasPrefix(track)
      else { return nil }
      return "\(event["pid"] ?? 0)/\(event["tid"] ?? 0)"
    }
    return events.filter {
      ["B", "i"].contains($0["ph"] as? String) && tracks.contains("\($0["pid"] ?? 0)/\($0["tid"] ?? 0)")
    }
    .compactMap { $0["name"] as? String }
  }

  /// The arguments of all events of that phase whose name begins so.
  func arguments(_ phase: String, _ name: String) -> [[String: Any]] {
    events.filter { $0["ph"] as? String == phase && ($0["name"] as? String)?.hasPrefix(name) == true }
      .map { $0["args"] as? [String: Any] ?? [:] }
  }
}

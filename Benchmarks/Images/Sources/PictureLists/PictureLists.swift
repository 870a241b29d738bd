import Foundation

/// A loader over a list of pictures.
///
///   PictureLists cold <URL of a folder> [--json]   60 pictures from a server; see ``ColdList``
///   PictureLists hit [--json]                      a look at a picture that memory has
///   PictureLists growth                            what a picture costs as the list grows, as JSON for plot.py
@main struct PictureLists {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["growth"] { return try await PictureGrowth.run() }
    if arguments.first == "hit" {
      let hit = try await PictureGrowth.hit()
      let name = "a picture that memory has, synchronous"
      return print(
        arguments.contains("--json")
          ? #"[{"workload":"\#(name)","unit":"nanoseconds","ours":\#(hit),"asked":1000}]"#
          : "\(name): \(Int(hit)) ns (asked: 1000)")
    }
    if arguments.count >= 2, arguments[0] == "cold", let folder = URL(string: arguments[1]) {
      return try await ColdList.run(folder, isJSON: arguments.contains("--json"))
    }
    FileHandle.standardError.write(Data("usage: PictureLists cold <URL of the pictures' folder> | hit | growth\n".utf8))
    exit(64)
  }
}

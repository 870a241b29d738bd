import Foundation

/// A worksheet on the disk.
struct WorksheetFile: Sendable {
  /// Where it is, as it was given.
  let path: String
  private let form: Worksheet.Form

  /// The file at `path`, which may be none yet; its name says whether it is JSON or Markdown.
  ///
  /// - Parameter call: The command so far, for the line that would work.
  init(_ path: String, call: String) throws(UsageError) {
    guard let form = Worksheet.Form(path: path) else {
      throw UsageError(
        "'\(printable(path))' must end in .json or .md, which says how the worksheet is written.",
        line: "\(call) --worksheet lists.md")
    }
    self.path = path
    self.form = form
  }

  /// The worksheet in it; an empty one where there is no file.
  ///
  /// - Throws: ``Worksheet/Refusal``, for a file that can't be read too.
  func read() throws(Worksheet.Refusal) -> Worksheet {
    guard FileManager.default.fileExists(atPath: path) else { return try Worksheet(nil, as: form) }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw Worksheet.Refusal(reason: "it can't be read")
    }
    return try Worksheet(data, as: form)
  }

  /// Adds a run. The file is replaced as a whole or not at all, and two programs that add at once lose nothing.
  ///
  /// - Returns: How many lists it then has, and the entry of this one.
  /// - Throws: ``Worksheet/Refusal`` or what the system says.
  func add(_ report: ProbeReport, at date: Date) throws -> (count: Int, entry: WorksheetEntry?) {
    // Of a link, the file that it leads to is replaced, and not the link.
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = open(target.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    if folder >= 0 { flock(folder, LOCK_EX) }
    defer { if folder >= 0 { close(folder) } }
    var sheet = try read()
    sheet.add(report, at: date.formatted(.iso8601))
    try sheet.data.write(to: target, options: .atomic)
    return (sheet.entries.count, sheet.entries.first { $0.url == report.url })
  }
}

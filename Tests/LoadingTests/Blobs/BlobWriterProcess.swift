// Processes of their own can be started here only.
#if os(macOS) || os(Linux)
  import Foundation

  /// Starts the helper beside the tests' own binary.
  enum BlobWriterProcess {
    static func start(_ arguments: [String], output: Pipe = Pipe()) throws -> Process {
      let process = Process()
      process.executableURL = folder.appendingPathComponent("BlobWriter")
      process.arguments = arguments
      process.standardOutput = output
      try process.run()
      return process
    }

    private static var folder: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }
  }
#endif

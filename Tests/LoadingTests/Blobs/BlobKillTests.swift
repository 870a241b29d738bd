// Processes of their own can be started here only.
#if os(macOS) || os(Linux)
  import BlobWriter
  import Foundation
  import Loading
  import Testing

  @Suite(.timeLimit(.minutes(10))) struct BlobKillTests {
    private static let maxBytes = 60_000

    /// What a writer that was killed told of: the steps that ended, and one that may have been under way.
    private struct Report {
      var isOpen = false
      var done: [Step] = []
      var begun: Step?

      init(_ text: String) {
        // The last line may be cut off.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
          let words = line.split(separator: " ")
          switch words.first {
          case "open": isOpen = true
          case ".":
            if let begun { done.append(begun) }
            begun = nil
          case "w": begun = Step(key: Int(words[1]) ?? -1, number: UInt64(words[2]))
          case "r": begun = Step(key: Int(words[1]) ?? -1, number: nil)
          default: break
          }
        }
      }
    }

    private struct Step {
      let key: Int
      /// Nil for a read.
      let number: UInt64?
    }

    /// A store as simple as can be: blobs from the oldest used to the newest.
    private struct Model: Equatable {
      var blobs: [Blob] = []

      struct Blob: Equatable {
        let key: Int
        let number: UInt64
        let size: Int

        init(key: Int, number: UInt64) {
          self.key = key
          self.number = number
          size = NumberedValue.bytes(key: key, number: number).count + 32 + NumberedValue.key(key).utf8.count
        }
      }

      /// All states that a folder goes through during the step, the one after it last.
      func states(during step: Step) -> [Model] {
        guard let number = step.number else {
          guard let place = blobs.firstIndex(where: { $0.key == step.key }) else { return [self] }
          var after = self
          after.blobs.append(after.blobs.remove(at: place))
          return [self, after]
        }
        var states = [self]
        let new = Blob(key: step.key, number: number)
        var others = blobs.filter { $0.key != step.key }
        while others.reduce(new.size, { $0 + $1.size }) > maxBytes {
          let leaving = others.removeFirst()
          guard var next = states.last else { break }
          next.blobs.removeAll { $0 == leaving }
          states.append(next)
        }
        states.append(Model(blobs: others + [new]))
        return states
      }
    }

    /// A disk, which a writer waits for most of the time, and memory where there is a volume of it: there it is killed more
    /// often between two steps of a write.
    private static let places =
      [FileManager.default.temporaryDirectory.path] + ["/dev/shm"].filter(FileManager.default.isWritableFile)

    /// One place after the other, as it blocks threads that other tests need.
    @Test(.serialized, arguments: places)
    func L4_aWriterKilledAtAnyInstantLeavesWholeValuesTheCapAndTheOrderOfUse(place: String) async throws {
      let folder = try TemporaryFolder(in: URL(fileURLWithPath: place))
      var model = Model()
      var generator = SeededGenerator(seed: 4)
      var (steps, cutOff) = (0, 0)
      for round in 0..<200 / Self.places.count {
        let report = try await killedWriter(in: folder, seed: UInt64(round), using: &generator)
        #expect(report.isOpen)
        for step in report.done { model = try #require(model.states(during: step).last) }
        steps += report.done.count
        cutOff += report.begun == nil ? 0 : 1
        let possible = report.begun.map(model.states(during:)) ?? [model]

        #expect(try folder.blobBytes() <= Self.maxBytes)
        var config = BlobStoreConfig(maxBytes: Self.maxBytes)
        config.useTimeResolution = .seconds(3600)
        let store = try BlobStore(at: folder.url, config: config)
        #expect(store.byteCount <= Self.maxBytes)
        let found = try observed(store, folder)
        try #require(possible.contains(found), "round \(round): \(found) is none of \(possible)")
        #expect(store.damagedCount == 0)
        // Nothing is left behind of a write that was cut off.
        #expect(try folder.names().count == found.blobs.count)
        model = found
      }
      #expect(steps > 100)
      #expect(cutOff > 20)
    }

    /// Starts a writer and kills it some steps and up to some milliseconds after it has opened the store: steps, so that it
    /// gets somewhere on a slow machine too.
    private func killedWriter(
      in folder: TemporaryFolder, seed: UInt64, using generator: inout SeededGenerator
    ) async throws -> Report {
      let output = Pipe()
      let writer = try BlobWriterProcess.start(
        ["endless", folder.path, String(seed), String(Self.maxBytes)], output: output)
      let lines = 1 + 2 * Int.random(in: 0..<8, using: &generator)
      var text = Data()
      while text.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += more
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<40_000, using: &generator)))
      kill(writer.processIdentifier, SIGKILL)
      while case let more = output.fileHandleForReading.availableData, !more.isEmpty { text += more }
      writer.waitUntilExit()
      return Report(String(decoding: text, as: UTF8.self))
    }

    /// The blobs of the folder in the order of the use times on their files; fails at a value that isn't whole.
    private func observed(_ store: BlobStore, _ folder: TemporaryFolder) throws -> Model {
      var blobs: [(used: Int, blob: Model.Blob)] = []
      for key in 0..<60 {
        let used = folder.useTime(of: NumberedValue.key(key))
        guard let data = try store.data(for: NumberedValue.key(key)) else { continue }
        #expect(NumberedValue.isWhole(data, key: key))
        let number = data.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
        blobs.append((try #require(used), Model.Blob(key: key, number: number)))
      }
      return Model(blobs: blobs.sorted { $0.used < $1.used }.map(\.blob))
    }
  }
#endif

import ImageCodecs

/// Pictures that have left the memory while something, a target most often, still holds them: found again as long as it
/// does.
///
/// Holds none of them itself: the last to let go of a picture ends it, and its note is empty from then on. Empty notes
/// are swept out whenever there are twice as many as were full at the last sweep, so they cost O(1) each.
struct HeldImages {
  private struct Note {
    weak var image: DecodedImage?
    let label: ImageMemoryState.Label
  }

  private var notes: [ImageKey: Note] = [:]
  private var nextSweep = 32

  var count: Int { notes.count }

  mutating func note(_ image: DecodedImage, _ label: ImageMemoryState.Label) {
    notes[label.key] = Note(image: image, label: label)
    guard notes.count >= nextSweep else { return }
    notes = notes.filter { $0.value.image != nil }
    nextSweep = max(32, 2 * notes.count)
  }

  /// The picture, if it is there still and not too old; its note goes.
  mutating func take(_ key: ImageKey, now: Duration) -> (DecodedImage, ImageMemoryState.Label)? {
    guard !notes.isEmpty, let note = notes.removeValue(forKey: key), let image = note.image else { return nil }
    if let expires = note.label.expires, expires <= now { return nil }
    return (image, note.label)
  }

  /// The picture, if it is there still and not too old.
  func peek(_ key: ImageKey, now: Duration) -> DecodedImage? {
    guard !notes.isEmpty, let note = notes[key], note.label.expires ?? .seconds(1 << 37) > now else { return nil }
    return note.image
  }

  mutating func forget(_ key: ImageKey) {
    if !notes.isEmpty { notes[key] = nil }
  }

  mutating func forgetAll(where isOne: (ImageKey) -> Bool) { notes = notes.filter { !isOne($0.key) } }
}

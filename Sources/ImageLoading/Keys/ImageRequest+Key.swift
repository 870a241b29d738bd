extension ImageRequest {
  /// What names the picture in memory: equal for requests that a loader answers by the same picture.
  package var pictureKey: String { ImageKeys(self).final.text }
}

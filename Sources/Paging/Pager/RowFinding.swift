extension PagingSnapshot {
  /// The index of the row of that identity; nil when there is none.
  ///
  /// A placeholder is found by its place in the list, whether an item has taken it meanwhile or not. Linear in the
  /// loaded rows, at one comparison of integers for each; constant for a placeholder.
  package func index(ofRow id: PagingRow<Item>.ID) -> Int? {
    if let coordinate = id.placeholder {
      return body.coordinates.contains(coordinate) ? body.index(ofCoordinate: coordinate) : nil
    }
    return id.item.flatMap { index(ofItem: $0) }
  }

  /// Whether both belong to one loading of one list, so that a row's place says which it is.
  package func isSameGeneration(as other: PagingSnapshot) -> Bool {
    body.origin === other.body.origin && body.generation == other.body.generation
  }
}

extension PagingSnapshots {
  /// The newest snapshot that is there without work: a content that transforms has perhaps not come to the last ones
  /// yet.
  package var newest: PagingSnapshot<Item> { hub.latest }
}

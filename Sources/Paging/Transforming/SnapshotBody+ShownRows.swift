// The rows of a transformed snapshot, counted for the engine.

extension AnySnapshotBody {
  /// The snapshot that the first transformation was made of.
  var root: any AnySnapshotBody {
    var root: any AnySnapshotBody = self
    while let base = root.base { root = base }
    return root
  }
}

extension SnapshotBody {
  func loadedRow(atCoordinate coordinate: Int) -> Int {
    guard let base, let translation else {
      return min(max(coordinate, loadedCoordinates.lowerBound), loadedCoordinates.upperBound) - firstCoordinate
    }
    return translation.loadedRow(at: base.loadedRow(atCoordinate: coordinate)).row
  }

  func rootCoordinate(ofLoadedRow row: Int) -> Int {
    guard let base, let translation else { return row + firstCoordinate }
    return base.rootCoordinate(ofLoadedRow: translation.baseRow(of: row, forward: true))
  }
}

extension SnapshotBody: ShownRows {
  var showsNothing: Bool { stretch(from: 0, forward: true, atMost: 1).count == 0 }

  func shown(_ side: EdgeSide, beyond viewport: Viewport, atMost limit: Int) -> ShownStretch {
    let found =
      switch side {
      case .prepend: stretch(from: loadedRow(atCoordinate: viewport.lower) - 1, forward: false, atMost: limit)
      case .append: stretch(from: loadedRow(atCoordinate: viewport.upper), forward: true, atMost: limit)
      }
    return ShownStretch(count: found.count, end: found.last.map { rootCoordinate(ofLoadedRow: $0) })
  }

  func blankPages(_ side: EdgeSide) -> Int {
    let end = stretch(from: side == .prepend ? 0 : pages.rowCount - 1, forward: side == .prepend, atMost: 1)
    guard let row = end.last else { return pages.pageCount }
    let page = pages.place(ofRow: row).pageIndex
    return side == .prepend ? page : pages.pageCount - 1 - page
  }

  /// Counts rows that stand for one of the pager's, from a loaded row on; the last of them is given too.
  private func stretch(from start: Int, forward: Bool, atMost limit: Int) -> (count: Int, last: Int?) {
    var (row, count) = (start, 0)
    var last: Int?
    while row >= 0, row < pages.rowCount, count < limit {
      let place = pages.place(ofRow: row)
      let extras = Set(place.box.origin?.extras ?? [])
      var offset = place.offset
      while offset >= 0, offset < place.box.count, count < limit {
        if !extras.contains(offset) {
          count += 1
          last = row + offset - place.offset
        }
        offset += forward ? 1 : -1
      }
      row += offset - place.offset
    }
    return (count, last)
  }
}

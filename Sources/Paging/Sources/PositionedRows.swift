// What sources share whose keys count the rows in front of a place.

extension LoadType {
  /// The positions that a load of this type brings: the ones behind a place, of a prepend the ones in front of it.
  ///
  /// A place outside the list is moved to its nearest end, where a refresh gives the last page. A size below 1 counts
  /// as 1.
  func positions(at place: Int, size: Int, count: Int) -> Range<Int> {
    let size = min(max(1, size), count)
    let place = min(max(0, place), count)
    if self == .prepend { return max(0, place - size)..<place }
    let start = self == .refresh && place == count ? count - size : place
    return start..<min(start + size, count)
  }
}

extension PagingState {
  /// The anchor's place in the whole list, by what the first page says stands before it; nil where there is no anchor.
  var anchorPlace: Int? {
    guard let anchorIndex else { return nil }
    let (place, overflows) = (pages.first?.itemsBefore ?? 0).addingReportingOverflow(anchorIndex)
    return overflows ? nil : max(0, place)
  }
}

public import Paging

extension PagingConfig {
  /// How many rows to ask for in one page, by how many fit on the screen: two screens, in steps of five, from 10 to
  /// 100.
  ///
  /// A page of two screens is asked for, by default, while two screens are left, so that a reader meets no wait;
  /// servers seldom give more than 100. Nothing uses it by itself: a server's own page size, or one for all devices,
  /// may suit better.
  ///
  /// - Parameter rows: How many rows are on screen at once; below 1 counts as 1.
  public static func suggestedPageSize(rowsThatFit rows: Int) -> Int {
    let rows = min(max(1, rows), 50)
    return max(10, (2 * rows + 4) / 5 * 5)
  }
}

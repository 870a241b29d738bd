import Paging

/// The changes of a list in the terms in which collection and table views take them.
///
/// An updated row keeps its cell where both its old and its new self are items, or both are placeholders; otherwise it
/// is another kind of cell that is needed. Pure.
struct RowBatch: Equatable {
  /// Old indices.
  let removals: [Int]
  /// New indices.
  let insertions: [Int]
  let moves: [ListChanges.Move]
  /// New indices of rows that show something else in the cell that they have; ascending.
  let reconfigured: [Int]
  /// New indices of rows that need a cell of another kind; ascending.
  let replaced: [Int]
  /// Whether no row stays: nothing is to be kept in place, and a view is better told to begin anew.
  let keepsNothing: Bool

  /// Linear in the changes.
  init<Item>(_ changes: ListChanges, from older: PagingSnapshot<Item>, to newer: PagingSnapshot<Item>) {
    removals = changes.removals
    insertions = changes.insertions
    moves = changes.moves
    keepsNothing = changes.removals.count >= older.count
    var reconfigured: [Int] = []
    var replaced: [Int] = []
    for (new, old) in changes.oldIndicesOfUpdates {
      if (newer[new].item == nil) == (older[old].item == nil) { reconfigured.append(new) } else { replaced.append(new) }
    }
    self.reconfigured = reconfigured
    self.replaced = replaced
  }

  /// The removals, and where moved rows were: for views that apply one change after another. Old indices, ascending.
  var takenOut: [Int] { (removals + moves.map(\.from)).sorted() }
  /// The insertions, and where moved rows are. New indices, ascending.
  var putIn: [Int] { (insertions + moves.map(\.to)).sorted() }
}

extension ListChanges {
  /// Where each updated row was; ascending by the new index.
  var oldIndicesOfUpdates: [(new: Int, old: Int)] {
    let sources = Dictionary(moves.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
    let gone = (removals + moves.map(\.from)).sorted()
    let come = (insertions + moves.map(\.to)).sorted()
    var (goneBefore, comeBefore) = (0, 0)
    return updates.map { new in
      if let old = sources[new] { return (new, old) }
      while comeBefore < come.count, come[comeBefore] < new { comeBefore += 1 }
      // The rows that stay keep their order: the n-th of them in the new list is the n-th in the old one.
      let place = new - comeBefore
      while goneBefore < gone.count, gone[goneBefore] <= place + goneBefore { goneBefore += 1 }
      return (new, place + goneBefore)
    }
  }
}

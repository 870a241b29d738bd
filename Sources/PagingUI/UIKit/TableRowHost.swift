#if canImport(UIKit) && !os(watchOS)
  import Paging
  import UIKit

  /// The rows of a table view.
  @MainActor final class TableRowHost: UIKitRowHost {
    private unowned let view: UITableView
    private let section: Int

    /// - Parameter view: Outlives this.
    init(_ view: UITableView, section: Int) {
      self.view = view
      self.section = section
    }

    var scroll: UIScrollView { view }

    func rows(in rect: CGRect) -> Range<Int>? { view.indexPathsForRows(in: rect)?.rows(ofSection: section) }

    func frame(ofRow row: Int) -> CGRect? {
      guard row < view.numberOfRows(inSection: section) else { return nil }
      return view.rectForRow(at: IndexPath(row: row, section: section))
    }

    func apply(_ batch: RowBatch, commit: @escaping @MainActor () -> Void) {
      view.performBatchUpdates { [view, section] in
        commit()
        view.deleteRows(at: batch.removals.paths(inSection: section), with: .none)
        view.insertRows(at: batch.insertions.paths(inSection: section), with: .none)
        for move in batch.moves {
          view.moveRow(at: IndexPath(row: move.from, section: section), to: IndexPath(row: move.to, section: section))
        }
      }
      // Afterwards, since these are new indices, which a batch would take for old ones.
      if !batch.reconfigured.isEmpty { view.reconfigureRows(at: batch.reconfigured.paths(inSection: section)) }
      if !batch.replaced.isEmpty { view.reloadRows(at: batch.replaced.paths(inSection: section), with: .none) }
    }

    func reload() { view.reloadData() }

    func scroll(toRow row: Int) {
      view.scrollToRow(at: IndexPath(row: row, section: section), at: .bottom, animated: true)
    }
  }
#endif

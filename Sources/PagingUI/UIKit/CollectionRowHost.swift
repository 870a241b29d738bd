#if canImport(UIKit) && !os(watchOS)
  import Paging
  import UIKit

  /// The rows of a collection view.
  @MainActor final class CollectionRowHost: UIKitRowHost {
    private unowned let view: UICollectionView
    private let section: Int

    /// - Parameter view: Outlives this.
    init(_ view: UICollectionView, section: Int) {
      self.view = view
      self.section = section
    }

    var scroll: UIScrollView { view }

    func rows(in rect: CGRect) -> Range<Int>? {
      let all = view.collectionViewLayout.layoutAttributesForElements(in: rect) ?? []
      // Layouts may give more than they were asked for.
      return all.filter { $0.representedElementCategory == .cell && $0.frame.intersects(rect) }
        .map(\.indexPath).rows(ofSection: section)
    }

    func frame(ofRow row: Int) -> CGRect? {
      view.layoutAttributesForItem(at: IndexPath(item: row, section: section))?.frame
    }

    func apply(_ batch: RowBatch, commit: @escaping @MainActor () -> Void) {
      view.performBatchUpdates { [view, section] in
        commit()
        view.deleteItems(at: batch.removals.paths(inSection: section))
        view.insertItems(at: batch.insertions.paths(inSection: section))
        for move in batch.moves {
          view.moveItem(
            at: IndexPath(item: move.from, section: section), to: IndexPath(item: move.to, section: section))
        }
      }
      // Afterwards, since these are new indices, which a batch would take for old ones.
      if !batch.reconfigured.isEmpty { view.reconfigureItems(at: batch.reconfigured.paths(inSection: section)) }
      if !batch.replaced.isEmpty { view.reloadItems(at: batch.replaced.paths(inSection: section)) }
    }

    func reload() { view.reloadData() }

    func scroll(toRow row: Int) {
      view.scrollToItem(at: IndexPath(item: row, section: section), at: .bottom, animated: true)
    }
  }
#endif

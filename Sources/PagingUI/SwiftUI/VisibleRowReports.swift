#if canImport(SwiftUI)
  import Paging
  public import SwiftUI

  extension View {
    /// Reports to a list which of its rows are on screen: for a `ScrollView` whose lazy stack or grid has
    /// `.scrollTargetLayout()`.
    ///
    /// More exact than what rows report themselves, which appear a little early there; it takes the place of it. A
    /// `List` needs none. A row counts as on screen from its first visible part on.
    public func reportsVisibleRows<Item>(of list: PagedList<Item>) -> some View {
      onScrollTargetVisibilityChange(idType: PagingRow<Item>.ID.self, threshold: 0.01) { ids in
        list.visibleRows(with: ids)
      }
    }

    /// Scrolls to the end of a list that follows it, whenever the list wishes so.
    ///
    /// - Parameters:
    ///   - list: Made with `followsEnd`.
    ///   - proxy: Of the `ScrollViewReader` around this view.
    public func followsEnd<Item>(of list: PagedList<Item>, by proxy: ScrollViewProxy) -> some View {
      onChange(of: list.scrollWish) { _, wish in
        guard let wish, list.rows.indices.contains(wish.index) else { return }
        withAnimation { proxy.scrollTo(list.rows[wish.index].id, anchor: .bottom) }
      }
    }
  }

  extension PagedList {
    /// Rows that are on screen, in no order; those that have gone meanwhile are left out.
    fileprivate func visibleRows(with ids: [PagingRow<Item>.ID]) {
      let indices = ids.compactMap { rows.index(ofRow: $0) }
      guard let first = indices.min(), let last = indices.max() else { return }
      visibleRows(first..<last + 1)
    }
  }
#endif

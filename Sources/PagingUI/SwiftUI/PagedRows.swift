#if canImport(SwiftUI)
  import Paging
  public import SwiftUI

  /// The rows of a ``PagedList``, for use in a `List`, a lazy stack or a lazy grid.
  ///
  /// ```swift
  /// List {
  ///   PagedRows(model.posts, skeletons: 8) { post in
  ///     PostRow(post)
  ///   } placeholder: {
  ///     PostRow(.sample).redacted(reason: .placeholder)
  ///   } edge: { edge, retry in
  ///     if edge.state.isLoading { ProgressView() } else { Button("Try again", action: retry) }
  ///   }
  /// }
  /// .refreshable { await model.posts.refresh() }
  /// ```
  ///
  /// Rows report to the list when they appear and disappear, and it loads what comes next. Lazy containers make rows a
  /// little before they are on screen; ``SwiftUI/View/reportsVisibleRows(of:)`` on the scroll view says exactly which
  /// are.
  ///
  /// When rows come in above, a `List` leaves the first row on screen where it was. A lazy stack or grid does so in a
  /// `ScrollView` that follows its rows by identity: put `.scrollTargetLayout()` on the stack and
  /// `.scrollPosition(id:anchor:)`, bound to an optional `PagingRow<Item>.ID`, on the scroll view.
  ///
  /// What is shown instead of an empty list is for the screen to say, by ``PagedList/phase``.
  public struct PagedRows<Item: Identifiable & Sendable, Row: View, Placeholder: View, Edge: View>: View
  where Item.ID: Sendable {
    private let list: PagedList<Item>
    private let skeletons: Int
    private let row: (Item) -> Row
    private let placeholder: () -> Placeholder
    private let edge: (PagedEdge, @escaping @MainActor () -> Void) -> Edge

    /// Rows of a list.
    ///
    /// - Parameters:
    ///   - list: What is shown.
    ///   - skeletons: How many placeholders are drawn while nothing is held and the first load runs; default 0.
    ///   - row: A loaded row.
    ///   - placeholder: A row that is known to exist; give it the size of a loaded one.
    ///   - edge: What is shown before the first row and behind the last one while more is loaded there or has failed
    ///     to; and in place of the rows when a load runs without skeletons, or has failed. Where a mediator's refresh has
    ///     failed nothing is asked for behind the stored rows, so the refresh is what stands there. The closure that it
    ///     gets repeats that load.
    public init(
      _ list: PagedList<Item>, skeletons: Int = 0, @ViewBuilder row: @escaping (_ item: Item) -> Row,
      @ViewBuilder placeholder: @escaping () -> Placeholder,
      @ViewBuilder edge: @escaping (_ edge: PagedEdge, _ retry: @escaping @MainActor () -> Void) -> Edge
    ) {
      self.list = list
      self.skeletons = max(0, skeletons)
      self.row = row
      self.placeholder = placeholder
      self.edge = edge
    }

    /// The rows, with what is at their ends.
    public var body: some View {
      let rows = list.rows
      let states = rows.states
      if rows.isEmpty {
        if skeletons > 0, rows.phase == .initial || rows.phase == .loading {
          ForEach(0..<skeletons, id: \.self) { _ in placeholder() }
        } else if let edge = PagedEdge(ofEmptyListIn: states) {
          end(edge.type, edge.state)
        }
      } else {
        end(.prepend, states.prepend)
        ForEach(IndexedRows(rows: rows)) { element in
          content(of: element.row)
            .onAppear { list.rowAppeared(element.id) }
            .onDisappear { list.rowDisappeared(element.id) }
        }
        let last = PagedEdge(behindRowsIn: states)
        end(last.type, last.state)
      }
    }

    @ViewBuilder private func content(of row: PagingRow<Item>) -> some View {
      if let item = row.item { self.row(item) } else { placeholder() }
    }

    @ViewBuilder private func end(_ type: LoadType, _ state: LoadState) -> some View {
      let edge = PagedEdge(type: type, state: state)
      if edge.isShown { self.edge(edge) { list.retry(type) } }
    }
  }

  extension PagedRows where Edge == EmptyView {
    /// Rows of a list that shows nothing at its ends.
    ///
    /// - Parameters:
    ///   - list: What is shown.
    ///   - skeletons: How many placeholders are drawn while nothing is held and the first load runs; default 0.
    ///   - row: A loaded row.
    ///   - placeholder: A row that is known to exist; give it the size of a loaded one.
    public init(
      _ list: PagedList<Item>, skeletons: Int = 0, @ViewBuilder row: @escaping (_ item: Item) -> Row,
      @ViewBuilder placeholder: @escaping () -> Placeholder
    ) {
      self.init(list, skeletons: skeletons, row: row, placeholder: placeholder) { _, _ in EmptyView() }
    }
  }
#endif

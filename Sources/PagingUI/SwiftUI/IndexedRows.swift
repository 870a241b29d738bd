#if canImport(SwiftUI)
  import Paging

  /// The rows of a snapshot with their indices, made one by one as they are asked for.
  struct IndexedRows<Item: Identifiable & Sendable>: RandomAccessCollection where Item.ID: Sendable {
    struct Element: Identifiable {
      let index: Int
      let row: PagingRow<Item>

      var id: PagingRow<Item>.ID { row.id }
    }

    let rows: PagingSnapshot<Item>

    var startIndex: Int { rows.startIndex }
    var endIndex: Int { rows.endIndex }

    subscript(position: Int) -> Element { Element(index: position, row: rows[position]) }
  }
#endif

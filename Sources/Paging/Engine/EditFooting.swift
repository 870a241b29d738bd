/// Where the rows of a generation are that edits speak of: all that a plan of the same edits depends on.
///
/// Costs a look-up for each edit and two for each alias.
struct EditFooting: Equatable {
  private let generation: UInt64
  private var addresses: [RowAddress?] = []
  /// The page at which rows can be put in front of the list, and the one at which behind it.
  private let start: Int?
  private let end: Int?

  init(_ edits: [EditOverlay.Edit], _ aliases: RowAliases, on generation: Generation) {
    self.generation = generation.number
    start = generation.prepend.isAtEnd ? generation.firstOrdinal : nil
    end = generation.append.isAtEnd ? generation.firstOrdinal + generation.pages.pageCount : nil
    addresses.reserveCapacity(edits.count + 2 * aliases.all.count)
    for edit in edits {
      addresses.append(generation.address(of: edit.item))
      guard case .insertion(_, let point) = edit.change else { continue }
      switch point {
      case .start, .end: break
      case .before(let target), .after(let target): addresses.append(generation.address(of: target))
      }
    }
    for alias in aliases.all {
      addresses.append(generation.address(of: alias.item))
      addresses.append(generation.address(of: alias.row))
    }
  }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

extension IndexPath {
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public var section: Int { self[0] }
  public var item: Int { self[1] }
}

@MainActor open class NSViewController: NSResponder {
  public override init() {}
}
@MainActor open class NSCollectionViewItem: NSViewController {}

// Some of the requirements are optional in the real SDK; here all that are used must be met, so that none is misspelled.

@MainActor public protocol NSCollectionViewDataSource: NSObjectProtocol {
  func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem
}

@MainActor public protocol NSCollectionViewPrefetching: NSObjectProtocol {
  func collectionView(_ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath])
  func collectionView(_ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

@MainActor open class NSCollectionViewLayoutAttributes: NSObject {
  open var frame: NSRect = .zero
  open var indexPath: IndexPath? { nil }
  open var representedElementCategory: NSCollectionElementCategory { .item }
}

public enum NSCollectionElementCategory: Int, Sendable {
  case item
  case supplementaryView
  case decorationView
  case interItemGap
}

@MainActor open class NSCollectionViewLayout: NSObject {
  open func layoutAttributesForElements(in rect: NSRect) -> [NSCollectionViewLayoutAttributes] { [] }
}

@MainActor open class NSCollectionView: NSView {
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var bottom: ScrollPosition { ScrollPosition(rawValue: 4) }
  }

  weak open var dataSource: (any NSCollectionViewDataSource)?
  weak open var prefetchDataSource: (any NSCollectionViewPrefetching)?
  open var collectionViewLayout: NSCollectionViewLayout?
  open func layoutAttributesForItem(at indexPath: IndexPath) -> NSCollectionViewLayoutAttributes? { nil }
  open func reloadData() {}
  open func performBatchUpdates(_ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil) {}
  open func insertItems(at indexPaths: Set<IndexPath>) {}
  open func deleteItems(at indexPaths: Set<IndexPath>) {}
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
  open func reloadItems(at indexPaths: Set<IndexPath>) {}
  open func scrollToItems(at indexPaths: Set<IndexPath>, scrollPosition: NSCollectionView.ScrollPosition) {}
}

@MainActor open class NSTableColumn: NSObject {}

@MainActor public protocol NSTableViewDataSource: NSObjectProtocol {
  func numberOfRows(in tableView: NSTableView) -> Int
}

@MainActor public protocol NSTableViewDelegate: NSObjectProtocol {
  func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
}

@MainActor open class NSTableView: NSControl {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  weak open var dataSource: (any NSTableViewDataSource)?
  weak open var delegate: (any NSTableViewDelegate)?
  open var numberOfRows: Int { 0 }
  open var numberOfColumns: Int { 0 }
  open func rows(in rect: NSRect) -> NSRange { NSRange() }
  open func rect(ofRow row: Int) -> NSRect { .zero }
  open func reloadData() {}
  open func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {}
  open func noteHeightOfRows(withIndexesChanged indexSet: IndexSet) {}
  open func beginUpdates() {}
  open func endUpdates() {}
  open func insertRows(at indexes: IndexSet, withAnimation animationOptions: NSTableView.AnimationOptions = []) {}
  open func removeRows(at indexes: IndexSet, withAnimation animationOptions: NSTableView.AnimationOptions = []) {}
  open func scrollRowToVisible(_ row: Int) {}
}

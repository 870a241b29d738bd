import Foundation

@testable import PagingStore

extension StoreModel {
  /// S2: what a call writes is written at once. After its first transaction the file is as it is in the end. Not looked at in every step.
  func inOneTransaction<R>(_ call: () throws -> R) throws -> R {
    guard tick % 8 == 0 else { return try call() }
    let file = folder.file
    let first = Locked<[String]?>(nil)
    let listening = store.core.hub.subscribe { _ in
      let lines = try? Self.contents(of: file)
      first.change { $0 = $0 ?? lines }
    }
    let result = try call()
    listening.cancel()
    if let first = first.value {
      let last = try Self.contents(of: file)
      if first != last {
        let differ = Set(first).symmetricDifference(last).sorted().prefix(4)
        breaches.append("S2: a call needed more than one transaction: \(differ)")
      }
    }
    return result
  }

  /// All that matters of a file, as another process reads it.
  private static func contents(of file: URL) throws -> [String] {
    try DatabaseFolder.lines(
      file.path,
      """
      SELECT 'e' || list_no || ' ' || pos || ' ' || item_no FROM entry
      UNION ALL SELECT 'r' || run_no || ' ' || hi || ' ' || lo || ' ' || newer_gen || ' ' || older_gen || ' ' ||
        ifnull(newer_tok, '') || ' ' || ifnull(older_tok, '') FROM run
      UNION ALL SELECT 'l' || list_no || ' ' || ifnull(session, '') || ' ' || version || ' ' || head_seq FROM list
      UNION ALL SELECT 'i' || item_no || ' ' || item_id || ' ' || base_seq || ' ' || ifnull(deleted_seq, '') FROM item
      UNION ALL SELECT 'p' || patch_no || ' ' || state FROM patch
      UNION ALL SELECT 's' || list_no || ' ' || item_no FROM sending
      UNION ALL SELECT 'h' || list_no || ' ' || item_no FROM held
      """)
  }
}

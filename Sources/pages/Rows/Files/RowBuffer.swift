/// Rows that are written as JSON one after the other, into one text.
struct RowBuffer {
  private let limits: RowFileLimits
  private var text: [UInt8] = []
  private var places: [Range<Int>] = []

  init(_ limits: RowFileLimits) {
    self.limits = limits
  }

  /// How many rows there are.
  var count: Int { places.count }

  /// Adds an object; each value is JSON already.
  ///
  /// - Parameters:
  ///   - members: Its members, in order.
  ///   - origin: What the row is, for a fault's words: "row 7".
  mutating func append(_ members: some Sequence<(name: String, json: [UInt8])>, origin: String) throws(RowFileFault) {
    let start = text.count
    text.append(UInt8(ascii: "{"))
    for (name, json) in members {
      if text.count - start > 1 { text.append(UInt8(ascii: ",")) }
      text += jsonString(name).utf8
      text.append(UInt8(ascii: ":"))
      text += json
    }
    text.append(UInt8(ascii: "}"))
    if text.count - start > limits.rowBytes {
      throw RowFileFault("\(origin) is longer than \(grouped(limits.rowBytes)) bytes.")
    }
    if text.count > limits.bytes {
      throw RowFileFault("its rows as JSON are more than \(limits.bytes >> 20) MB.")
    }
    if count == limits.rows { throw RowFileFault("it has more than \(grouped(limits.rows)) rows.") }
    places.append(start..<text.count)
  }

  /// The rows, which share the text.
  func rows() throws(RowFileFault) -> [JSONSlice] {
    var rows: [JSONSlice] = []
    rows.reserveCapacity(places.count)
    for place in places {
      do throws(JSONFault) {
        rows.append(try JSONSlice(checking: text, in: place))
      } catch {
        throw RowFileFault("row \(grouped(rows.count + 1)) can't be written as JSON: \(error).")
      }
    }
    return rows
  }
}

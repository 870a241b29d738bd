import Loading

/// The surfaces that pictures are kept for, numbered in the order in which they came; 0 is what names none.
///
/// Beyond 64 of them, new ones count as none: names that are made up at run time, such as a user's, must not grow
/// without end.
struct ImageSurfaces {
  struct Book {
    var bytes = 0
    var peakBytes = 0
    var statistics = CacheStatistics()
    /// The pictures' chain, least recently used first; -1: none.
    var first = -1
    var last = -1
  }

  static let maxCount = 64

  private var names: [String] = []
  private var places: [String: Int] = [:]
  private var books = [Book()]

  var numbers: Range<Int> { books.indices }

  subscript(number: Int) -> Book {
    _read { yield books[number] }
    _modify { yield &books[number] }
  }

  func name(of number: Int) -> String? { number > 0 ? names[number - 1] : nil }

  /// What is known of a surface; nil where nothing is.
  func book(of name: String) -> Book? { places[name].map { books[$0] } }

  mutating func number(of name: String?) -> Int {
    guard let name else { return 0 }
    if let known = places[name] { return known }
    guard names.count < Self.maxCount else { return 0 }
    names.append(name)
    places[name] = books.count
    books.append(Book())
    return books.count - 1
  }
}

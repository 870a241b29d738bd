/// How a store works; the defaults suit most apps.
public struct ListStoreConfig: Sendable {
  /// How items become bytes. Must be the one that the store was filled with.
  public var coder: ItemCoder = .json
  /// How many items the store keeps; a sweep deletes those that are in no list, first the ones whose last copy came
  /// longest ago. At least 1.
  public var maxItems: Int = 100_000
  /// How long a call waits for another process that holds the file ([SQLite's busy
  /// timeout](https://www.sqlite.org/c3ref/busy_timeout.html)), before it throws `locked`. Not negative.
  public var busyTimeout: Duration = .seconds(5)
  /// How often open lists look whether another process has written, which takes microseconds; nil: never. More than
  /// zero.
  public var changeCheckInterval: Duration? = .seconds(1)

  /// The defaults.
  public init() {}

  /// - Throws: `invalidConfig`, which names the value.
  func check() throws(ListStoreError) {
    guard maxItems >= 1 else {
      throw ListStoreError(.invalidConfig, message: "maxItems is \(maxItems): it must be at least 1.")
    }
    guard busyTimeout >= .zero else {
      throw ListStoreError(.invalidConfig, message: "busyTimeout is \(busyTimeout): it must not be negative.")
    }
    if let changeCheckInterval, changeCheckInterval <= .zero {
      throw ListStoreError(
        .invalidConfig,
        message: "changeCheckInterval is \(changeCheckInterval): it must be more than zero, or nil to never look.")
    }
  }
}

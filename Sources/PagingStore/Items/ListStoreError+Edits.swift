extension ListStoreError.Code {
  /// The call doesn't fit how far the edit or the session has come; the message says what fits.
  public static let wrongState = Self(rawValue: "wrongState")
}

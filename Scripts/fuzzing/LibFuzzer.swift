/// What libFuzzer calls for each input that it made up.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  check(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

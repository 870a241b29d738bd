/// What a reader may press.
enum BrowseKey: Hashable, Sendable {
  case character(Unicode.Scalar)
  case up, down, pageUp, pageDown, home, end
  case enter, escape, erase
}

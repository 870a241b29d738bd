// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

@_exported public import Foundation

// The real module re-exports CoreFoundation, whose types are bridged with `as`. Here they are value types to which, and
// from which, the same `as` and `as?` compile.
public typealias CFData = Data
public typealias CFDictionary = [AnyHashable: Any]
public typealias CFString = String

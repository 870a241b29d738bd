// swift-tools-version: 6.2
import PackageDescription

/// What every target is compiled with. Warnings become errors in `Scripts/check` only, never for those who depend on us.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// MARK: - Kinds of targets

/// A module that apps import; each is a product of its own.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of one module, with what tests share.
func tests(_ module: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(module)Tests", dependencies: [.byName(name: module)] + dependencies, swiftSettings: settings)
}

let libraries: [Target] = [
  library("Loading"),
  library("LoadingHTTP", ["Loading"]),
  library("Paging", ["Loading"]),
  library("PagingTesting", ["Loading", "Paging"]),
]

let package = Package(
  name: "swift-paging",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: libraries.map { .library(name: $0.name, targets: [$0.name]) },
  targets: libraries + [
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    tests("Loading"),
    tests("LoadingHTTP", ["Loading", "TestSupport"]),
    tests("Paging", ["Loading", "PagingTesting"]),
    tests("PagingTesting", ["Paging"]),
  ]
)

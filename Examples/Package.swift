// swift-tools-version: 6.2
import PackageDescription

/// A program using only `Paging`, and so on: one promise of the README each.
func example(_ name: String, _ modules: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: modules.map { .product(name: $0, package: "swift-paging") },
    swiftSettings: [.swiftLanguageMode(.v6)]
  )
}

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-paging", path: "..")],
  targets: [
    example("FirstList", ["Paging"]),
    example("ScreenTest", ["Paging", "PagingTesting"]),
  ]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-paging", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "Loading", package: "swift-paging"), .product(name: "Paging", package: "swift-paging"),
        .product(name: "LoadingHTTP", package: "swift-paging"), .product(name: "PagingCache", package: "swift-paging"),
        .product(name: "PagingHTTP", package: "swift-paging"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ])
  ]
)

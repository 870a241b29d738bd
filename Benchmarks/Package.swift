// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-paging", path: "..")],
  targets: [
    // SQLite by itself, for what stores are measured against.
    .systemLibrary(name: "BareSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "BareSQLite",
        .product(name: "Loading", package: "swift-paging"), .product(name: "Paging", package: "swift-paging"),
        .product(name: "LoadingHTTP", package: "swift-paging"), .product(name: "PagingCache", package: "swift-paging"),
        .product(name: "PagingHTTP", package: "swift-paging"), .product(name: "PagingStore", package: "swift-paging"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ]
)

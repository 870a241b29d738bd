// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, so that nobody needs GTK who builds the other examples.
let package = Package(
  name: "DesktopFeed",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-paging", path: "../..")],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"]), .brew(["gtk4"])]),
    // What GTK leaves to macros: a class of one's own, and signal handlers with their types.
    .target(name: "GTKShim", dependencies: ["CGTK"]),
    .executableTarget(
      name: "DesktopFeed",
      dependencies: [
        "CGTK", "GTKShim",
        .product(name: "ImageLoading", package: "swift-paging"),
        .product(name: "Paging", package: "swift-paging"),
        .product(name: "PagingStore", package: "swift-paging"),
        .product(name: "PagingUI", package: "swift-paging"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
  ]
)

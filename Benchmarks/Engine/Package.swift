// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since it reads what is internal to `Paging` and `Loading`: it is built with `-enable-testing`, which the other
// benchmarks must not be, or they would measure less optimised code.
let package = Package(
  name: "EngineEvents",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-paging", path: "../..")],
  targets: [
    .executableTarget(
      name: "EngineEvents",
      dependencies: [
        .product(name: "Loading", package: "swift-paging"), .product(name: "Paging", package: "swift-paging"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "SchedulerJobs",
      dependencies: [.product(name: "Loading", package: "swift-paging")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)

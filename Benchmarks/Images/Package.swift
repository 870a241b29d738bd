// swift-tools-version: 6.2
import PackageDescription

/// The C libraries under the decoders, for programs that call them without us.
func system(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
  name: "ImageBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-paging", path: "../..")],
  targets: [
    system("BareJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
    system("BarePNG", pkgConfig: "libpng", apt: "libpng-dev"),
    system("BareWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    // Makes the pictures that are measured on.
    .executableTarget(
      name: "Photographs", dependencies: ["BareJPEG", "BarePNG", "BareWebP"], linkerSettings: [.linkedLibrary("m")]),
    // What C alone needs for the same work: the floor, as functions, and as a program whose memory can be told.
    .target(
      name: "CodecFloor", dependencies: ["BareJPEG", "BarePNG", "BareWebP"], cSettings: [.unsafeFlags(["-O3"])]),
    .executableTarget(name: "floor", dependencies: ["CodecFloor"]),
    .executableTarget(
      name: "ImageNumbers",
      dependencies: ["CodecFloor", .product(name: "ImageCodecs", package: "swift-paging")],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
    // A loader over a list of pictures: as it grows, and from a server when nobody has seen it before.
    .executableTarget(
      name: "PictureLists",
      dependencies: [
        .product(name: "ImageCodecs", package: "swift-paging"), .product(name: "ImageLoading", package: "swift-paging"),
        .product(name: "LoadingHTTP", package: "swift-paging"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ]
)

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
func tests(_ module: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(module)Tests", dependencies: [.byName(name: module)] + dependencies, exclude: exclude,
    swiftSettings: settings)
}

/// A C library of the system: a module map and a shim, nothing else.
func system(_ name: String, pkgConfig: String? = nil, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

// MARK: - Image formats

/// The C libraries behind the decoders, where the system has none of its own; what a trait switches off isn't linked.
let withoutImageIO: [Platform] = [.linux, .android, .windows]
let codecs: [Target.Dependency] = [
  .target(name: "CImageCodecs", condition: .when(platforms: withoutImageIO)),
  .target(name: "CLCMS", condition: .when(platforms: withoutImageIO)),
  .target(name: "CGIF", condition: .when(platforms: withoutImageIO, traits: ["GIF"])),
  .target(name: "CWebP", condition: .when(platforms: withoutImageIO, traits: ["WebP"])),
  .target(name: "CHEIF", condition: .when(platforms: withoutImageIO, traits: ["HEIC"])),
  .target(name: "CAVIF", condition: .when(platforms: withoutImageIO, traits: ["AVIF"])),
]

let imageLibraries: [Target] = [
  system("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
  system("CPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
  system("CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
  system("CGIF", apt: "libgif-dev", brew: "giflib"),
  system("CWebP", pkgConfig: "libwebpdemux", apt: "libwebp-dev", brew: "webp"),
  system("CHEIF", pkgConfig: "libheif", apt: "libheif-dev", brew: "libheif"),
  // Its pkg-config file has a flag that the package manager refuses.
  system("CAVIF", apt: "libavif-dev", brew: "libavif"),
  // libjpeg and libpng leave their functions by longjmp, which may not cross a Swift frame.
  .target(name: "CImageCodecs", dependencies: ["CJPEG", "CPNG"]),
]

// MARK: - Modules

let libraries: [Target] = [
  library("Loading"),
  library("LoadingHTTP", ["Loading"]),
  library("Paging", ["Loading"]),
  library("PagingCache", ["Loading", "Paging"]),
  library("PagingHTTP", ["Loading", "LoadingHTTP", "Paging"]),
  library("PagingStore", ["Loading", "Paging", "CSQLite"]),
  library("PagingTesting", ["Loading", "LoadingHTTP", "Paging", "PagingCache"]),
  library("PagingUI", ["Paging"]),
  library("ImageLoadingUI", ["ImageCodecs", "ImageLoading", "Paging"]),
  library("ImageTesting", ["ImageCodecs", "ImageLoading", "Loading", "PagingTesting"]),
  library("PagingStoreTesting", ["Paging", "PagingStore", "PagingTesting"]),
  library("ImageCodecs", codecs),
  library("ImageLoading", ["ImageCodecs", "Loading", "LoadingHTTP"]),
]

// MARK: - The command-line tool

let systemLibraries: [Target] = [
  // Apple's SDK has it under the same name.
  system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
  system("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
  // Its pkg-config file has flags that the package manager refuses; Apple's SDK has its own, under the plain name.
  system("CNcurses", apt: "libncurses-dev", brew: "ncurses"),
  system("CChafa", pkgConfig: "chafa", apt: "libchafa-dev", brew: "chafa"),
]

let tools: [Target] = [
  .executableTarget(
    name: "pages",
    dependencies: [
      "Loading", "LoadingHTTP", "Paging", "PagingHTTP", "PagingStore", "PagingTesting", "ImageCodecs", "ImageLoading",
      "CMicrohttpd", "CNcurses", "CChafa", "CSQLite",
    ],
    swiftSettings: settings,
    linkerSettings: [
      .linkedLibrary("ncursesw", .when(platforms: [.linux])),
      .linkedLibrary("ncurses", .when(platforms: [.macOS])),
    ])
]

let package = Package(
  name: "swift-paging",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: libraries.map { .library(name: $0.name, targets: [$0.name]) }
    + tools.map { .executable(name: $0.name, targets: [$0.name]) },
  traits: [
    .trait(name: "GIF", description: "Decodes GIF with giflib; Apple systems need no library for it."),
    .trait(name: "WebP", description: "Decodes WebP with libwebp; Apple systems need no library for it."),
    .trait(name: "HEIC", description: "Decodes HEIC with libheif; Apple systems need no library for it."),
    .trait(name: "AVIF", description: "Decodes AVIF with libavif; Apple systems need no library for it."),
    .default(enabledTraits: ["GIF", "WebP"]),
  ],
  targets: libraries + systemLibraries + imageLibraries + tools + [
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    // Counts how often the program that links it asks for memory; what it counts is held to Benchmarks/Allocations.txt.
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    .executableTarget(
      name: "Allocations", dependencies: ["CAllocationCounter", "ImageLoading", "Loading", "Paging", "PagingStore"],
      path: "Tests/Allocations", swiftSettings: settings),
    // Writes to a store while the tests read it, and is killed by them.
    .executableTarget(
      name: "StoreWriter", dependencies: ["PagingStore"], path: "Tests/Servers/StoreWriter", swiftSettings: settings),
    // Killed again and again by the tests of the blob store.
    .executableTarget(
      name: "BlobWriter", dependencies: ["Loading"], path: "Tests/Servers/BlobWriter", swiftSettings: settings),
    tests("Loading", ["BlobWriter", "PagingTesting"]),
    tests("LoadingHTTP", ["Loading", "PagingTesting", "TestSupport"], exclude: ["Corpus"]),
    tests("Paging", ["Loading", "PagingTesting"]),
    tests("PagingCache", ["Loading", "Paging", "PagingTesting"]),
    tests("PagingHTTP", ["Loading", "LoadingHTTP", "Paging", "PagingTesting", "TestSupport"], exclude: ["Corpus"]),
    tests("PagingStore", ["Loading", "Paging", "PagingTesting", "PagingUI", "StoreWriter", "TestSupport"]),
    tests("PagingStoreTesting", ["Paging", "PagingStore", "PagingTesting"]),
    tests("PagingTesting", ["Loading", "LoadingHTTP", "Paging", "PagingCache"]),
    // Writes pictures for the tests to read.
    .target(name: "CImageFixtures", dependencies: ["CJPEG", "CPNG", "CWebP"], path: "Tests/CImageFixtures"),
    tests("ImageCodecs", ["CImageFixtures"], exclude: ["Corpus"]),
    tests("PagingUI", ["Loading", "Paging", "PagingTesting"]),
    tests("ImageLoadingUI", ["ImageCodecs", "ImageLoading", "ImageTesting", "Loading", "Paging", "PagingTesting"]),
    tests("ImageTesting", ["ImageCodecs", "ImageLoading", "Loading", "PagingTesting"]),
    tests("ImageLoading", ["ImageCodecs", "Loading", "LoadingHTTP", "PagingTesting", "TestSupport"]),
    tests(
      "pages",
      [
        "CSQLite", "ImageCodecs", "ImageLoading", "Loading", "LoadingHTTP", "Paging", "PagingHTTP", "PagingStore",
        "PagingTesting", "TestSupport",
      ], exclude: ["Corpus"]),
  ]
)

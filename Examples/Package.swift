// swift-tools-version: 6.2
import PackageDescription

/// A program using only `Paging`, and so on: one promise of the README each.
func example(_ name: String, _ modules: [String], _ libraries: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name,
    dependencies: modules.map { .product(name: $0, package: "swift-paging") } + libraries,
    swiftSettings: [.swiftLanguageMode(.v6)]
  )
}

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-paging", path: "..")],
  targets: [
    example("FirstList", ["Paging"]),
    example("YourAPI", ["LoadingHTTP", "Paging", "PagingHTTP"]),
    example("KeyStyles", ["Paging", "PagingTesting"]),
    example("Anchors", ["Paging", "PagingTesting"]),
    example("MovingOver", ["Paging"]),
    example("ArrayAPI", ["Paging"]),
    example("Days", ["Paging"]),
    example("DictionaryMediator", ["Paging"]),
    example("OwnConvention", ["LoadingHTTP", "Paging", "PagingHTTP"]),
    example("SharedBudget", ["LoadingHTTP"]),
    example("SQLiteNotes", ["Paging"], ["NotesSQLite"]),
    example("PagesByKey", ["Loading", "PagingCache"]),
    example("ScreenTest", ["Paging", "PagingTesting"]),
    example("OfflineList", ["Paging", "PagingStore"]),
    example("RowPictures", ["ImageCodecs", "ImageLoading", "ImageLoadingUI", "LoadingHTTP", "Paging"]),
    // No promise of the README: run by Scripts/soak for as long as one likes.
    example(
      "Soak", ["ImageCodecs", "ImageLoading", "LoadingHTTP", "Paging", "PagingHTTP", "PagingStore"]),
    .systemLibrary(
      name: "NotesSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
  ]
)

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

@_exported public import Foundation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

/// What the stubs' own views have in common.
public protocol StubView: View where Body == Never {}
extension StubView {
  public var body: Never { fatalError() }
}

public struct EmptyView: StubView {
  nonisolated public init() {}
}
public struct TupleView<T>: StubView {}
public struct _ConditionalContent<TrueContent, FalseContent> {}
extension _ConditionalContent: View, StubView where TrueContent: View, FalseContent: View {}
extension Optional: View, StubView where Wrapped: View {}

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    fatalError()
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<T: View, F: View>(first: T) -> _ConditionalContent<T, F> { fatalError() }
  public static func buildEither<T: View, F: View>(second: F) -> _ConditionalContent<T, F> { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View, StubView where Content: View {}
extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension ForEach where Content: View {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct GeometryProxy {
  public var size: CGSize { .zero }
}
public struct GeometryReader<Content: View>: StubView {
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}

public struct ScrollViewProxy {
  public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

public struct UnitPoint: Hashable, Sendable {
  public static let bottom = UnitPoint()
  public static let center = UnitPoint()
}

public enum ContentMode: Hashable, CaseIterable, Sendable {
  case fit
  case fill
}

public struct Animation: Equatable, Sendable {
  public static let `default` = Animation()
  public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
}
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// What the screens in Examples/Apple are made of.

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
}

public struct Text: StubView {
  public init(_ key: LocalizedStringKey) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) {}
}

public struct Color: StubView {
  public static let secondary = Color()
}

public struct Button<Label: View>: StubView {}
extension Button where Label == Text {
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: StubView {}
extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
  public init() {}
}

public struct List<SelectionValue: Hashable, Content: View>: StubView {}
extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) {}
}

public enum VerticalAlignment: Sendable {
  case center
}
public enum HorizontalAlignment: Sendable {
  case center
}

public struct HStack<Content: View>: StubView {
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}
public struct LazyVStack<Content: View>: StubView {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}

public enum Axis: Sendable {
  case horizontal
  case vertical
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let vertical = Set(rawValue: 2)
  }
}
public struct ScrollView<Content: View>: StubView {
  public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {}
}
public struct ScrollViewReader<Content: View>: StubView {
  public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {}
}

public struct Alignment: Equatable, Sendable {
  public static let center = Alignment()
  public static let bottom = Alignment()
}

public struct RedactionReasons: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let placeholder = RedactionReasons(rawValue: 1)
}

extension View {
  nonisolated public func redacted(reason: RedactionReasons) -> some View { EmptyView() }
  nonisolated public func overlay<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View { EmptyView() }
  nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { EmptyView() }
  nonisolated public func scaledToFill() -> some View { EmptyView() }
  nonisolated public func scrollTargetLayout(isEnabled: Bool = true) -> some View { EmptyView() }
  nonisolated public func scrollPosition(id: Binding<(some Hashable)?>, anchor: UnitPoint? = nil) -> some View {
    EmptyView()
  }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// What the screens in Examples/Apple are made of.

@MainActor open class UIViewController: UIResponder {
  public override init() {}
  public required init?(coder: NSCoder) { nil }
  open func viewDidLoad() {}
}

@MainActor open class UITableViewController: UIViewController {
  public init(style: UITableView.Style) { super.init() }
  public required init?(coder: NSCoder) { nil }
  open var tableView: UITableView! = UITableView(frame: .zero)
  open var refreshControl: UIRefreshControl?
}

extension UITableView {
  public enum Style: Int, Sendable {
    case plain
  }
  public func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
  public var tableFooterView: UIView? {
    get { nil }
    set {}
  }
}

public typealias UIActionHandler = (_ action: UIAction) -> Void

@MainActor open class UIAction: NSObject {
  public convenience init(title: String = "", image: UIImage? = nil, handler: @escaping UIActionHandler) { self.init() }
}

@MainActor open class UIControl: UIView {
  public convenience init(frame: CGRect, primaryAction: UIAction?) { self.init(frame: frame) }
  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }
}

@MainActor open class UIRefreshControl: UIControl {
  open func endRefreshing() {}
}

@MainActor open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable {
    case system
  }
  public convenience init(type buttonType: UIButton.ButtonType = .system, primaryAction: UIAction?) {
    self.init(frame: .zero)
  }
}

@MainActor open class UILabel: UIView {
  open var text: String?
}

@MainActor open class UIStackView: UIView {
  public convenience init(arrangedSubviews views: [UIView]) { self.init(frame: .zero) }
}

extension UIView {
  public func sizeToFit() {}
}

import Loading
import PagingCache

/// Pages with callbacks on the main actor.
@MainActor
final class LegacyController {
  let paginator: Paginator<Post>
  var shown: [Post] = []
  var running: PaginatorExecution?

  init(paginator: Paginator<Post>) { self.paginator = paginator }

  func open(completion: @escaping @MainActor () -> Void) {
    running = paginator.fetch("5", pageSize: 20, priority: .high) { [weak self] result in
      switch result {
      case .success(let page): self?.shown = page.items
      case .failure(let error): print(error.message)
      }
      completion()
    }
  }

  /// The pages beside the one that is shown, ahead of their being wanted.
  func lookAround(completion: @escaping @MainActor () -> Void) {
    running = paginator.fetchAround(AroundRequest("5", pageSize: 20, depth: 2, direction: .forward)) { delivery in
      if case .success(let page) = delivery.result { print("page \(delivery.key): \(page.items.count) posts") }
    } completion: {
      completion()
    }
  }

  func close() { running?.cancel() }
}

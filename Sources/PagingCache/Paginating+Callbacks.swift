public import Loading

// Callbacks. `@MainActor` closures, so that the compiler knows what the documentation says.
extension Paginating {
  /// A page by its key, told to a closure on the main actor, once.
  ///
  /// Called on the main actor, this returns before the callback comes.
  ///
  /// - Parameters:
  ///   - key: The page's name.
  ///   - pageSize: How many rows a page has; another size is another page.
  ///   - priority: How urgently it is wanted; may be changed on what is returned.
  ///   - completion: Gets the page, or why it didn't come.
  /// - Returns: What to cancel it with. Letting it go cancels nothing.
  @discardableResult
  public func fetch(
    _ key: String, pageSize: Int, priority: LoadPriority = .medium,
    completion: @escaping @MainActor (Result<PaginatorPage<Item>, PaginatorError>) -> Void
  ) -> PaginatorExecution {
    let execution = PaginatorExecution(priority: priority)
    execution.run { [self] in
      let result: Result<PaginatorPage<Item>, PaginatorError>
      do {
        result = .success(try await fetch(key, pageSize: pageSize, ticket: execution.ticket))
      } catch let error as PaginatorError {
        result = .failure(error)
      } catch {
        // Cancellation by the caller's own hand brings no callback; anything else must not be lost.
        let message = "The paginator failed with an error that is not its own."
        result = .failure(PaginatorError(.sourceFailed, message: message, cause: error))
      }
      await execution.call { completion(result) }
    }
    return execution
  }

  /// A page first, then its neighbours outward, each told to a closure on the main actor, and the end to another.
  ///
  /// Called on the main actor, this returns before the first callback comes.
  ///
  /// - Parameters:
  ///   - request: The page and how many neighbours.
  ///   - onPage: Gets each page or failure.
  ///   - completion: Called once, after the last page.
  /// - Returns: What to cancel it with; its priority is that of the asked page. Letting it go cancels nothing.
  @discardableResult
  public func fetchAround(
    _ request: AroundRequest,
    onPage: @escaping @MainActor (PaginatorDelivery<Item>) -> Void,
    completion: @escaping @MainActor () -> Void = {}
  ) -> PaginatorExecution {
    let execution = PaginatorExecution(priority: request.keyPriority)
    execution.run { [self] in
      for await delivery in fetchAround(request, ticket: execution.ticket) {
        await execution.call { onPage(delivery) }
      }
      await execution.call(completion)
    }
    return execution
  }
}

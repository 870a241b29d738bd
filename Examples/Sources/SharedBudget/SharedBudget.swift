import Foundation
import LoadingHTTP

@main struct SharedBudget {
  static func main() async throws {
    guard let posts = URL(string: "https://busy.example/posts"), let picture = URL(string: "https://busy.example/1.png")
    else { return }
    let client = BusyServer()

    let budget = HostBudget(maxConcurrentPerHost: 4)
    let lists = BudgetedTransport(client, budget: budget)
    let images = BudgetedTransport(client, budget: budget)

    let refused = try await lists.send(HTTPRequest(posts))
    print("The list was answered with \(refused.status) and told to wait \(refused.retryAfter ?? .zero).")
    // Nobody refused the image, and it waits all the same.
    let start = ContinuousClock.now
    let image = try await images.send(HTTPRequest(picture))
    let waited = ContinuousClock.now - start >= .milliseconds(900)
    print("The image was answered with \(image.status), \(waited ? "a second later" : "at once").")
  }
}

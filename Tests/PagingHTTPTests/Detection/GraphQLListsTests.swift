import Foundation
import LoadingHTTP
import TestSupport
import Testing

@testable import PagingHTTP

/// The lists of a GraphQL server, by its schema.
@Suite struct GraphQLListsTests {
  private func lists(_ fields: String, _ types: String) -> [GraphQLLists.List]? {
    let root = #"{"kind":"OBJECT","name":"Query","fields":[\#(fields)]}"#
    let text = #"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[\#(root),\#(types)]}}}"#
    return JSONValue(json: Data(text.utf8)).flatMap { GraphQLLists($0)?.lists }
  }

  private func field(_ name: String, _ type: String, args: String = "") -> String {
    #"{"name":"\#(name)","type":{"kind":"OBJECT","name":"\#(type)"},"args":[\#(args)]}"#
  }

  private let after = #"{"name":"after","type":{"kind":"SCALAR","name":"ID"}}"#
  private var types: String {
    [
      #"{"kind":"OBJECT","name":"Posts","fields":[\#(field("edges", "Edge")),\#(field("pageInfo", "Info"))]}"#,
      #"{"kind":"OBJECT","name":"Edge","fields":[\#(field("node", "Post"))]}"#,
      #"{"kind":"OBJECT","name":"Post","fields":[\#(field("id", "ID")),\#(field("author", "User")),"#
        + #"\#(field("state", "State")),\#(field("size", "Int", args: #"{"name":"unit","type":{"kind":"NON_NULL"}}"#))]}"#,
      #"{"kind":"OBJECT","name":"User","fields":[\#(field("id", "ID"))]},{"kind":"SCALAR","name":"ID","fields":null}"#,
      #"{"kind":"ENUM","name":"State","fields":null},{"kind":"SCALAR","name":"Int","fields":null}"#,
    ].joined(separator: ",")
  }

  @Test func aConnectionIsAListAndItsPlainFieldsAreAskedFor() throws {
    let found = try #require(lists(field("posts", "Posts", args: after), types))
    #expect(found.map(\.name) == ["posts"] && found.map(\.rowType) == ["Post"])
    #expect(
      found.first?.query
        == "query($after: ID) { posts(after: $after) { edges { node { id state } } pageInfo { hasNextPage endCursor } } }"
    )
  }

  @Test func whatCannotBeAskedForIsNone() throws {
    let required = #","# + #"{"name":"team","type":{"kind":"NON_NULL"}}"#
    for root in [
      field("posts", "Posts"), field("posts", "Posts", args: after + required), field("me", "User", args: after),
    ] {
      #expect(lists(root, types) == [])
    }
    #expect(GraphQLLists(["data": nil]) == nil)
    #expect(GraphQLLists(["errors": [["message": "introspection is off"]]]) == nil)
  }

  @Test(
    .enabled(if: RealServer.Kind.strawberry.isInstalled, "the servers are not installed"),
    arguments: [(RealServer.Kind.strawberry, ["items", "itemsKeyset"]), (.graphene, ["items"])])
  func realServersTellTheirs(kind: RealServer.Kind, names: [String]) async throws {
    let server = try await RealServers.shared.server(kind)
    let found = try await GraphQLLists.ask(server.url, config: HTTPPageSourceConfig(), transport: Shared.transport)
    #expect(found?.lists.map(\.name) == names)
    #expect(found?.lists.allSatisfy { $0.query.contains("node { id number title }") } == true)
  }
}
